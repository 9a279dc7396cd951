/* SPDX-License-Identifier: MIT */
/* The slots of a process: threads, forks, growth, and what is left at its end
 * (P4).  The recorder is one per process, so each test is a child. */
#include "child.h"
#include "engine/flight_file.h"
#include "engine/recorder.h"
#include "scratch.h"

#include <errno.h>
#include <pthread.h>

static char store[PATH_MAX], place[PATH_MAX];

static int call(void *arg)
{
    int (*const *test)(void) = arg;

    return (*test)();
}

static void apart(void **state, int (*test)(void))
{
    struct scratch *scratch = *state;

    scratch_mkdir(scratch, "run");
    setenv("XDG_RUNTIME_DIR", scratch->path, 1);
    snprintf(place, sizeof place, "%s", scratch_path(scratch, "run/unstall"));
    snprintf(store, sizeof store, "%s", scratch_path(scratch, "s/unstall.db"));
    fflush(NULL);
    CHECK_INT("exit", in_child(call, &test), 0);
}

static char last_path[PATH_MAX];

static void count(void *arg, const char *path)
{
    ++*(unsigned *)arg;
    snprintf(last_path, sizeof last_path, "%s", path);
}

static unsigned files(void)
{
    unsigned found = 0;

    uns_flight_file_each(store, count, &found);
    return found;
}

/* How many slots of all files hold a call. */
static unsigned calls;

static void count_calls(void *arg, const char *path)
{
    struct uns_flight_file file;

    (void)arg;
    if (uns_flight_file_open(path, &file) != UNS_OK)
        return;
    for (uint32_t i = 0; i < file.head->slots; i++)
        calls += file.slots[i].state != UNS_FLIGHT_FREE;
    uns_flight_file_close(&file);
}

static unsigned taken(void)
{
    calls = 0;
    uns_flight_file_each(store, count_calls, NULL);
    return calls;
}

/* --- one process ----------------------------------------------------------*/

static int grows(void)
{
    struct uns_flight_slot *slot[300];

    NEED(files() == 0);
    for (unsigned i = 0; i < 300; i++) {
        slot[i] = uns_recorder_slot(store);
        NEED(slot[i]);
        for (unsigned k = 0; k < i; k++)
            NEED(slot[k] != slot[i]);
    }
    NEED(taken() == 300);
    NEED(files() == 4);
    NEED(uns_recorder_missed() == 0);
    return 0;
}

static void test_recorder_grows_with_the_calls(void **state)
{
    apart(state, grows);
}

static int reuses(void)
{
    for (unsigned i = 0; i < 1000; i++) {
        struct uns_flight_slot *slot = uns_recorder_slot(store);

        NEED(slot);
        uns_recorder_free(slot);
    }
    NEED(files() == 1);
    NEED(taken() == 0);
    uns_recorder_free(NULL);
    return 0;
}

static void test_recorder_uses_slots_again(void **state)
{
    apart(state, reuses);
}

static int ends_empty(void)
{
    struct uns_flight_slot *slot = uns_recorder_slot(store);

    NEED(files() == 1);
    uns_recorder_free(slot);
    uns_recorder_close();
    NEED(files() == 0);
    NEED(!uns_recorder_slot(store));
    return 0;
}

static void test_recorder_leaves_no_empty_file(void **state)
{
    apart(state, ends_empty);
}

static int ends_with_a_call(void)
{
    NEED(uns_recorder_slot(store));
    uns_recorder_close();
    NEED(files() == 1);
    NEED(taken() == 1);
    return 0;
}

static void test_recorder_leaves_what_is_not_in_the_store(void **state)
{
    apart(state, ends_with_a_call);
}

/* No directory of anybody's: the call goes on, and so does errno. */
static int has_no_place(void)
{
    setenv("XDG_RUNTIME_DIR", "/nowhere", 1);
    errno = 1234;
    NEED(!uns_recorder_slot("/proc/x/unstall.db"));
    NEED(!uns_recorder_slot(NULL));
    NEED(errno == 1234);
    NEED(uns_recorder_missed() == 1);
    return 0;
}

static void test_recorder_without_a_place_is_no_recorder(void **state)
{
    apart(state, has_no_place);
}

static int is_deleted(void)
{
    struct uns_flight_slot *slot = uns_recorder_slot(store);
    struct uns_flight_pen pen;

    NEED(files() == 1);
    NEED(unlink(last_path) == 0);
    uns_flight_begin(&pen, slot);
    (void)uns_flight_edit(&pen);
    uns_flight_publish(&pen);
    uns_recorder_free(slot);
    uns_recorder_close();
    return 0;
}

static void test_recorder_does_not_mind_a_deleted_file(void **state)
{
    apart(state, is_deleted);
}

static int knows_its_own(void)
{
    NEED(!uns_recorder_is_own(place));
    NEED(uns_recorder_slot(store));
    NEED(files() == 1);
    NEED(uns_recorder_is_own(last_path));
    return 0;
}

static void test_recorder_knows_its_own_files(void **state)
{
    apart(state, knows_its_own);
}

/* --- fork -----------------------------------------------------------------*/

static int in_the_child(struct uns_flight_slot *parents,
                        struct uns_flight_pen *pen)
{
    struct uns_flight_slot *own;

    /* The parent's call goes on here as a copy, and nobody sees it. */
    (void)uns_flight_edit(pen);
    uns_flight_publish(pen);
    uns_flight_beat(pen, 4711);
    uns_flight_finish(pen);
    uns_recorder_free(parents);
    NEED(taken() == 1);
    NEED(uns_recorder_missed() == 0);
    own = uns_recorder_slot(store);
    NEED(own && own != parents);
    NEED(files() == 2);
    uns_recorder_free(own);
    uns_recorder_close();
    NEED(files() == 1);
    return 0;
}

static int forks(void)
{
    struct uns_flight_slot *slot = uns_recorder_slot(store);
    struct uns_flight_pen pen;
    int status = -1;
    pid_t pid;

    uns_flight_begin(&pen, slot);
    (void)uns_flight_edit(&pen);
    uns_flight_publish(&pen);
    pid = fork();
    if (pid == 0)
        _exit(in_the_child(slot, &pen));
    NEED(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    NEED(WEXITSTATUS(status) == 0);
    NEED(slot->state == UNS_FLIGHT_LIVE);
    NEED(slot->alive_ns != 4711);
    NEED(files() == 1);
    return 0;
}

static void test_recorder_of_the_parent_is_not_the_childs(void **state)
{
    apart(state, forks);
}

/* --- threads --------------------------------------------------------------*/

static void *take_many(void *arg)
{
    uintptr_t mark = (uintptr_t)arg;
    intptr_t clashes = 0;

    for (unsigned i = 0; i < 2000; i++) {
        struct uns_flight_slot *slot = uns_recorder_slot(store);

        if (!slot)
            continue;
        slot->alive_ns = (int64_t)mark;
        clashes += slot->alive_ns != (int64_t)mark;
        uns_recorder_free(slot);
    }
    return (void *)clashes;
}

static int threads(void)
{
    pthread_t thread[8];
    void *clashes;

    for (uintptr_t i = 0; i < 8; i++)
        NEED(pthread_create(&thread[i], NULL, take_many, (void *)i) == 0);
    for (unsigned i = 0; i < 8; i++) {
        pthread_join(thread[i], &clashes);
        NEED(clashes == NULL);
    }
    NEED(taken() == 0);
    NEED(uns_recorder_missed() == 0);
    return 0;
}

static void test_recorder_gives_no_slot_to_two_threads(void **state)
{
    apart(state, threads);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, scratch_begin, scratch_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_recorder_grows_with_the_calls),
        TEST(test_recorder_uses_slots_again),
        TEST(test_recorder_leaves_no_empty_file),
        TEST(test_recorder_leaves_what_is_not_in_the_store),
        TEST(test_recorder_without_a_place_is_no_recorder),
        TEST(test_recorder_does_not_mind_a_deleted_file),
        TEST(test_recorder_knows_its_own_files),
        TEST(test_recorder_of_the_parent_is_not_the_childs),
        TEST(test_recorder_gives_no_slot_to_two_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
