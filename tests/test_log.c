/* SPDX-License-Identifier: MIT */
/* Messages go where the user said, one line each, and nowhere else. */
#include "engine/log.h"

#include "store_fixture.h"

#include <errno.h>
#include <fcntl.h>

static char file[128];
static char text[4096];

static const char *log_text(void)
{
    FILE *stream = fopen(file, "r");
    size_t len;

    assert_non_null(stream);
    len = fread(text, 1, sizeof text - 1, stream);
    text[len] = '\0';
    fclose(stream);
    return text;
}

static int setup(void **state)
{
    int failed = place_setup(state);
    struct place *place = *state;

    sprintf(file, "%s/log", place->dir);
    return failed;
}

static int teardown(void **state)
{
    uns_log_to(NULL);
    return place_teardown(state);
}

static void test_log_is_off_by_default(void **state)
{
    (void)state;
    uns_log_to("");
    uns_log("nobody reads this");
    uns_log_to(NULL);
    uns_log("nobody reads this");
    assert_int_not_equal(access(file, F_OK), 0);
}

/* "2026-07-30T12:00:00.123Z test_log[4711]: one 1\n" */
static void test_log_writes_a_line_with_time_program_and_process(void **state)
{
    int year, month, day, hour, minute, second, ms, pid, end = 0;

    (void)state;
    uns_log_to(file);
    uns_log("one %d", 1);
    assert_int_equal(sscanf(log_text(),
                            "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ test_log[%d]: one 1"
                            "%n",
                            &year, &month, &day, &hour, &minute, &second, &ms,
                            &pid, &end),
                     8);
    assert_string_equal(text + end, "\n");
    assert_int_equal(pid, getpid());
    assert_true(year >= 2024);
    assert_int_equal(mode_of(file), 0600);
}

static void test_log_appends(void **state)
{
    (void)state;
    uns_log_to(file);
    uns_log("one");
    uns_log("two");
    assert_true(strstr(log_text(), ": one\n") < strstr(text, ": two\n"));
    assert_non_null(strstr(text, ": one\n"));
}

static void test_log_keeps_a_message_on_one_line(void **state)
{
    (void)state;
    uns_log_to(file);
    uns_log("a\nforged: line\r\x1b[31m\x7f.");
    assert_non_null(strstr(log_text(), ": a?forged: line??[31m?.\n"));
}

static void test_log_cuts_a_long_message(void **state)
{
    char message[3000];

    (void)state;
    memset(message, 'x', sizeof message);
    message[sizeof message - 1] = '\0';
    uns_log_to(file);
    uns_log("%s", message);
    uns_log("next");
    assert_int_equal(strcspn(log_text(), "\n"), 1022);
    assert_non_null(strstr(text, "xx\n2"));
}

static void test_log_anchors_a_relative_path(void **state)
{
    struct place *place = *state;
    char before[PATH_MAX];

    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(place->dir), 0);
    uns_log_to("log");
    assert_int_equal(chdir("/"), 0);
    uns_log("found");
    assert_int_equal(chdir(before), 0);
    assert_non_null(strstr(log_text(), "found"));
}

static void test_log_leaves_no_descriptor_and_errno(void **state)
{
    int next, after;

    (void)state;
    next = open("/dev/null", O_RDONLY);
    close(next);
    uns_log_to(file);
    errno = 4711;
    uns_log("x");
    assert_int_equal(errno, 4711);
    after = open("/dev/null", O_RDONLY);
    close(after);
    assert_int_equal(after, next);
}

static void test_log_bears_a_place_that_cannot_be_written(void **state)
{
    (void)state;
    uns_log_to("/proc/no/such/log");
    errno = 4711;
    uns_log("lost");
    assert_int_equal(errno, 4711);
}

static void test_log_does_not_wait_for_a_pipe_without_reader(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(file, 0600), 0);
    alarm(10);
    uns_log_to(file);
    uns_log("lost");
    alarm(0);
}

/* Priority 1: a broken stderr must not kill the host by SIGPIPE. */
static int log_to_broken_stderr(void *arg)
{
    int ends[2];

    (void)arg;
    if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0)
        return 1;
    close(ends[0]);
    close(ends[1]);
    uns_log_to("stderr");
    uns_log("lost");
    return 0;
}

static void test_log_survives_a_broken_stderr(void **state)
{
    (void)state;
    assert_int_equal(in_child(log_to_broken_stderr, NULL), 0);
}

static int log_to_stderr(void *arg)
{
    int fd = open(arg, O_WRONLY | O_CREAT, 0600);

    dup2(fd, STDERR_FILENO);
    uns_log_to("stderr");
    uns_log("here");
    return 0;
}

static void test_log_goes_to_stderr(void **state)
{
    (void)state;
    assert_int_equal(in_child(log_to_stderr, file), 0);
    assert_non_null(strstr(log_text(), ": here\n"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_log_is_off_by_default),
        TEST(test_log_writes_a_line_with_time_program_and_process),
        TEST(test_log_appends),
        TEST(test_log_keeps_a_message_on_one_line),
        TEST(test_log_cuts_a_long_message),
        TEST(test_log_anchors_a_relative_path),
        TEST(test_log_leaves_no_descriptor_and_errno),
        TEST(test_log_bears_a_place_that_cannot_be_written),
        TEST(test_log_does_not_wait_for_a_pipe_without_reader),
        TEST(test_log_survives_a_broken_stderr),
        TEST(test_log_goes_to_stderr),
    };

    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
