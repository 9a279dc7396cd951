/* SPDX-License-Identifier: MIT */
/* Who lives: a number of a process alone does not say. */
#include "check.h"
#include "engine/flight_owner.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_owner_self_lives(void **state)
{
    struct uns_flight_owner self;

    (void)state;
    assert_int_equal(uns_flight_owner_self(&self), UNS_OK);
    CHECK_INT("pid", self.pid, getpid());
    CHECK_INT("boot", strlen(self.boot), 36);
    CHECK_INT("namespace", self.pid_ns != 0, true);
    CHECK_INT("start", self.start != 0, true);
    CHECK_INT("lives", uns_flight_owner_lives(self.pid, self.start), true);
}

static void test_owner_of_another_start_is_gone(void **state)
{
    struct uns_flight_owner self;

    (void)state;
    assert_int_equal(uns_flight_owner_self(&self), UNS_OK);
    CHECK_INT("reused", uns_flight_owner_lives(self.pid, self.start - 1),
              false);
    CHECK_INT("no process", uns_flight_owner_lives(0x7ffffff, 1), false);
}

/* Tells its start, and dies when it is told to. */
static pid_t start_child(int *ret_pipe, uint64_t *ret_start)
{
    struct uns_flight_owner self = {0};
    int ends[2];
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = fork();
    if (pid == 0) {
        if (uns_flight_owner_self(&self) == UNS_OK)
            (void)!write(ends[1], &self.start, sizeof self.start);
        pause();
        _exit(0);
    }
    assert_int_equal(read(ends[0], ret_start, sizeof *ret_start),
                     sizeof *ret_start);
    close(ends[1]);
    *ret_pipe = ends[0];
    return pid;
}

/* Killed, and its parent has not asked yet: its number is still taken. */
static void test_owner_that_is_a_zombie_is_gone(void **state)
{
    uint64_t start = 0;
    int pipe_end;
    pid_t pid = start_child(&pipe_end, &start);
    siginfo_t info;

    (void)state;
    CHECK_INT("child", uns_flight_owner_lives(pid, start), true);
    kill(pid, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
    CHECK_INT("zombie", uns_flight_owner_lives(pid, start), false);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
    CHECK_INT("reaped", uns_flight_owner_lives(pid, start), false);
    close(pipe_end);
}

static void test_owner_maps_what_it_has_mapped(void **state)
{
    char path[] = "/tmp/unstall-test-map-XXXXXX";
    const char *name = strrchr(path, '/') + 1;
    int fd = mkstemp(path);
    void *map;

    (void)state;
    assert_int_equal(ftruncate(fd, 4096), 0);
    CHECK_INT("before", uns_flight_owner_maps(getpid(), name), false);
    map = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    assert_ptr_not_equal(map, MAP_FAILED);
    CHECK_INT("mapped", uns_flight_owner_maps(getpid(), name), true);
    unlink(path);
    CHECK_INT("deleted", uns_flight_owner_maps(getpid(), name), true);
    munmap(map, 4096);
    CHECK_INT("after", uns_flight_owner_maps(getpid(), name), false);
    CHECK_INT("not to be told", uns_flight_owner_maps(0x7ffffff, name), true);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_owner_self_lives),
        cmocka_unit_test(test_owner_of_another_start_is_gone),
        cmocka_unit_test(test_owner_that_is_a_zombie_is_gone),
        cmocka_unit_test(test_owner_maps_what_it_has_mapped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
