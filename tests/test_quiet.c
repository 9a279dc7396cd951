/* SPDX-License-Identifier: MIT */
/* Nothing of the application runs inside a quiet stretch, and nothing of the
 * stretch shows after it. */
#include "engine/quiet.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void catch (int signal)
{
    caught = signal;
}

static int setup(void **state)
{
    struct sigaction action = {.sa_handler = catch};

    (void)state;
    caught = 0;
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
    return 0;
}

static void test_quiet_puts_the_applications_handlers_off(void **state)
{
    struct uns_quiet quiet;

    (void)state;
    uns_quiet_begin(&quiet);
    raise(SIGUSR1);
    assert_int_equal(caught, 0);
    uns_quiet_end(&quiet);
    assert_int_equal(caught, SIGUSR1);
}

static void test_quiet_takes_away_what_our_own_writes_raised(void **state)
{
    static const int signals[] = {SIGPIPE, SIGXFSZ};

    (void)state;
    for (size_t i = 0; i < ROWS(signals); i++) {
        struct uns_quiet quiet;

        uns_quiet_begin(&quiet);
        raise(signals[i]);
        uns_quiet_end(&quiet);
        CHECK_INT("caught", caught, 0);
    }
}

/* It was the application's own, and blocked by it. */
static void test_quiet_leaves_what_was_pending_before(void **state)
{
    struct uns_quiet quiet;
    sigset_t set, before;

    (void)state;
    sigemptyset(&set);
    sigaddset(&set, SIGPIPE);
    sigprocmask(SIG_BLOCK, &set, &before);
    raise(SIGPIPE);
    uns_quiet_begin(&quiet);
    uns_quiet_end(&quiet);
    assert_int_equal(caught, 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    assert_int_equal(caught, SIGPIPE);
}

static void test_quiet_stretches_nest(void **state)
{
    struct uns_quiet outer, inner;

    (void)state;
    uns_quiet_begin(&outer);
    uns_quiet_begin(&inner);
    raise(SIGUSR1);
    uns_quiet_end(&inner);
    assert_int_equal(caught, 0);
    uns_quiet_end(&outer);
    assert_int_equal(caught, SIGUSR1);
}

static void test_quiet_keeps_errno_and_mask(void **state)
{
    struct uns_quiet quiet;
    sigset_t before, after;

    (void)state;
    sigprocmask(SIG_SETMASK, NULL, &before);
    errno = 4711;
    uns_quiet_begin(&quiet);
    errno = 1;
    uns_quiet_end(&quiet);
    assert_int_equal(errno, 4711);
    sigprocmask(SIG_SETMASK, NULL, &after);
    for (int signal = 1; signal < 32; signal++)
        CHECK_INT("mask", sigismember(&after, signal),
                  sigismember(&before, signal));
}

static atomic_int reached; /* 1: inside, 2: got to its end */

static void *be_cancelled(void *arg)
{
    struct uns_quiet quiet;

    (void)arg;
    uns_quiet_begin(&quiet);
    pthread_cancel(pthread_self());
    atomic_store(&reached, 1);
    pthread_testcancel();
    atomic_store(&reached, 2);
    uns_quiet_end(&quiet);
    pthread_testcancel();
    atomic_store(&reached, 3);
    return NULL;
}

static void test_quiet_puts_cancellation_off(void **state)
{
    pthread_t thread;
    void *result = NULL;

    (void)state;
    pthread_create(&thread, NULL, be_cancelled, NULL);
    pthread_join(thread, &result);
    assert_int_equal(atomic_load(&reached), 2);
    assert_ptr_equal(result, PTHREAD_CANCELED);
}

/* The host has closed its input, or its output too: neither becomes ours. */
static void test_quiet_opens_above_the_standard_descriptors(void **state)
{
    static const int closed[] = {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO};
    int kept[ROWS(closed)], fd;
    bool above = true;

    (void)state;
    for (size_t i = 0; i < ROWS(closed); i++) {
        kept[i] = fcntl(closed[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        close(closed[i]);
        fd = uns_quiet_open("/dev/null", O_RDONLY, 0);
        above = above && fd > STDERR_FILENO && fcntl(closed[i], F_GETFD) < 0 &&
                fcntl(fd, F_GETFD) == FD_CLOEXEC;
        close(fd);
    }
    for (size_t i = 0; i < ROWS(closed); i++) {
        dup2(kept[i], closed[i]);
        close(kept[i]);
    }
    assert_true(above);
}

static void test_quiet_opens_with_the_flags_and_mode_it_is_given(void **state)
{
    char path[] = "/tmp/test_quiet.XXXXXX";
    struct stat st;
    int fd;

    (void)state;
    assert_non_null(mkdtemp(path));
    assert_int_equal(uns_quiet_open(path, O_WRONLY, 0), -1);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(rmdir(path), 0);
    fd = uns_quiet_open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    close(fd);
    unlink(path);
}

#define TEST(name) cmocka_unit_test_setup(name, setup)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_quiet_puts_the_applications_handlers_off),
        TEST(test_quiet_takes_away_what_our_own_writes_raised),
        TEST(test_quiet_leaves_what_was_pending_before),
        TEST(test_quiet_stretches_nest),
        TEST(test_quiet_keeps_errno_and_mask),
        TEST(test_quiet_puts_cancellation_off),
        TEST(test_quiet_opens_above_the_standard_descriptors),
        TEST(test_quiet_opens_with_the_flags_and_mode_it_is_given),
    };

    return cmocka_run_group_tests_name("quiet", tests, NULL, NULL);
}
