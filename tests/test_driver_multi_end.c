/* SPDX-License-Identifier: MIT */
/* P6: handles and multis that are taken away from under a call. */
#include "multi_bench.h"

#include "engine/grip.h"
#include "engine/keep.h"

#include <stdio.h>

static int on_timer(CURLM *handle, long ms, void *arg)
{
    (void)handle;
    (void)arg;
    return ms < -1;
}

static void set_timer(void)
{
    multi_set(CURLMOPT_TIMERFUNCTION, (void *)(intptr_t)on_timer);
    multi_set(CURLMOPT_TIMERDATA, &seen);
}

/* P6: the handle is taken out after any number of turns, and nothing happens
 * afterwards; a finished call keeps its result. */
static void test_multi_lets_go_at_any_moment(void **state)
{
    static const struct fake_beat *const plays[] = {silent, healthy};

    (void)state;
    for (int turns = 0; turns < 12; turns++) {
        char row[30];
        size_t body, requests;

        snprintf(row, sizeof row, "after %d turns", turns);
        open_multi(3 * UNS_S);
        play(plays, 2);
        add_call(bench.app);
        for (int i = 0; i < turns; i++)
            turn();
        CHECK_INT(row, engine->remove(&multi, bench.app, bench.app->easy),
                  CURLM_OK);
        assert_false(bench.app->busy);
        body = strlen(bench.body);
        requests = fake.requests;
        for (int i = 0; i < 10; i++)
            turn();
        CHECK_INT(row, strlen(bench.body), body);
        CHECK_INT(row, fake.requests, requests);
        CHECK_INT(row, seen.running, 0);
        CHECK_INT(row, bench.entries, 1);
        CHECK_TEXT(row, bench.entry->call.outcome,
                   seen.messages ? "ok" : "aborted");
        close_multi(row);
    }
}

/* The handle is cleaned up, as curl_easy_cleanup may at any moment, and its
 * message with it. */
static void test_multi_forgets_a_handle_that_is_released(void **state)
{
    static const struct fake_beat *const plays[] = {silent, healthy};
    int running, left;

    (void)state;
    for (int turns = 0; turns < 12; turns++) {
        open_multi(3 * UNS_S);
        play(plays, 2);
        add_call(bench.app);
        for (int i = 0; i < turns; i++) {
            const struct uns_multi_wait how = {.timeout_ms = 1000,
                                               .poll = true};

            engine->perform(&multi, &running);
            engine->wait(&multi, &how);
        }
        uns_grip_release(bench.app, true);
        assert_null(bench.app->call);
        assert_false(bench.app->busy);
        assert_null(engine->info_read(&multi, &left));
        fake_real.curl_multi_remove_handle(multi.multi, bench.app->easy);
        close_multi("released");
    }
}

/* The multi is cleaned up in the middle of it all. */
static void test_multi_can_end_with_a_call_in_it(void **state)
{
    static const struct fake_beat *const plays[] = {silent, healthy};

    (void)state;
    for (int turns = 0; turns < 12; turns++) {
        open_multi(3 * UNS_S);
        play(plays, 2);
        set_timer();
        add_call(bench.app);
        for (int i = 0; i < turns; i++)
            turn();
        assert_true(engine->cleanup(&multi));
        assert_ptr_equal(fake.multi_opt[CURLMOPT_TIMERFUNCTION % 10000],
                         (void *)(intptr_t)on_timer);
        assert_ptr_equal(fake.multi_opt[CURLMOPT_TIMERDATA % 10000], &seen);
        fake_real.curl_multi_remove_handle(multi.multi, bench.app->easy);
        CHECK_INT("entries", bench.entries, 1);
        close_multi("cleanup");
    }
}

/* A message that nobody has read goes with its handle, or its multi. */
static void test_multi_forgets_an_unread_message(void **state)
{
    static const struct fake_beat *const plays[] = {healthy};
    int running, left;

    (void)state;
    for (int whole = 0; whole < 2; whole++) {
        open_multi(3 * UNS_S);
        play(plays, 1);
        add_call(bench.app);
        fake_pass_ms(1000);
        engine->perform(&multi, &running);
        CHECK_INT("running", running, 0);
        assert_non_null(bench.app->inbox);
        if (whole) {
            engine->cleanup(&multi);
            fake_real.curl_multi_remove_handle(multi.multi, bench.app->easy);
        } else {
            engine->remove(&multi, bench.app, bench.app->easy);
            assert_null(engine->info_read(&multi, &left));
        }
        assert_null(bench.app->inbox);
        close_multi("unread");
    }
}

/* Some sleep once more before they look at the count of running handles. */
static void test_multi_is_not_slept_in_when_all_is_over(void **state)
{
    static const struct fake_beat *const plays[] = {healthy};
    long ms = 0, real = 0;
    fd_set none;
    int max = 0;

    (void)state;
    FD_ZERO(&none);
    open_multi(600 * UNS_S);
    play(plays, 1);
    add_call(bench.app);
    for (seen.running = 1; seen.running; fake_pass_ms(10))
        engine->perform(&multi, &seen.running);
    fake_real.curl_multi_timeout(multi.multi, &real);
    assert_int_equal(engine->timeout(&multi, &ms), CURLM_OK);
    CHECK_INT("timeout", ms, real);
    engine->fdset(&multi, &none, &none, &none, &max);
    CHECK_INT("descriptors", max, -1);
    close_multi("over");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multi_lets_go_at_any_moment),
        cmocka_unit_test(test_multi_forgets_a_handle_that_is_released),
        cmocka_unit_test(test_multi_can_end_with_a_call_in_it),
        cmocka_unit_test(test_multi_forgets_an_unread_message),
        cmocka_unit_test(test_multi_is_not_slept_in_when_all_is_over),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
