/* SPDX-License-Identifier: MIT */
/* A descriptor that wakes at a moment.  The moments here are long past or far
 * away, so nothing waits. */
#include "engine/alarm.h"

#include "check.h"

#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static bool is_readable(int fd)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};

    return poll(&ready, 1, 0) == 1;
}

static void test_alarm_is_readable_from_its_moment_on(void **state)
{
    static const struct {
        const char *name;
        uns_ns due_ns;
        bool readable;
    } rows[] = {
        {"at once", 0, true},
        {"past", 1, true},
        {"past, some seconds", 2 * UNS_S, true},
        {"far away", INT64_C(1) << 60, false},
    };

    int fd = UNS_ALARM_NONE;

    (void)state;
    for (size_t i = 0; i < 2 * ROWS(rows); i++) {
        size_t row = i % ROWS(rows);
        int set = uns_alarm_set(&fd, rows[row].due_ns);

        CHECK_INT(rows[row].name, set, fd);
        CHECK_INT(rows[row].name, is_readable(set), rows[row].readable);
    }
    uns_alarm_close(&fd);
    CHECK_INT("closed", fd, UNS_ALARM_NONE);
}

/* To the nanosecond: what poll's milliseconds cannot say. */
static void test_alarm_is_exact(void **state)
{
    struct itimerspec left;
    struct timespec now;
    uns_ns due;
    int fd = UNS_ALARM_NONE;

    (void)state;
    clock_gettime(CLOCK_MONOTONIC, &now);
    due = (now.tv_sec + 1000) * UNS_S + 123456789;
    assert_int_equal(timerfd_gettime(uns_alarm_set(&fd, due), &left), 0);
    clock_gettime(CLOCK_MONOTONIC, &now);
    /* What is left lies between the two readings. */
    assert_true(left.it_value.tv_sec * UNS_S + left.it_value.tv_nsec >=
                due - (now.tv_sec * UNS_S + now.tv_nsec));
    assert_true(left.it_value.tv_sec < 1001);
    uns_alarm_close(&fd);
}

static void test_alarm_is_opened_when_it_is_needed(void **state)
{
    int fd = UNS_ALARM_NONE;

    (void)state;
    CHECK_INT("never", uns_alarm_set(&fd, UNS_NEVER), UNS_ALARM_NONE);
    CHECK_INT("not opened", fd, UNS_ALARM_NONE);
    uns_alarm_close(&fd);
    (void)uns_alarm_set(&fd, UNS_S);
    CHECK_INT("CLOEXEC", fcntl(fd, F_GETFD), FD_CLOEXEC);
    CHECK_INT("never again", uns_alarm_set(&fd, UNS_NEVER), UNS_ALARM_NONE);
    uns_alarm_close(&fd);
}

/* P6: the host has closed it, and its number is a file of the host's. */
static void test_alarm_leaves_a_reused_number_alone(void **state)
{
    int fd = UNS_ALARM_NONE, file, number;

    (void)state;
    number = uns_alarm_set(&fd, UNS_S);
    close(number);
    file = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_int_equal(file, number);
    assert_int_not_equal(uns_alarm_set(&fd, UNS_S), file);
    close(fd);
    fd = file;
    uns_alarm_close(&fd);
    CHECK_INT("open still", fcntl(file, F_GETFD), FD_CLOEXEC);
    close(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alarm_is_readable_from_its_moment_on),
        cmocka_unit_test(test_alarm_is_exact),
        cmocka_unit_test(test_alarm_is_opened_when_it_is_needed),
        cmocka_unit_test(test_alarm_leaves_a_reused_number_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
