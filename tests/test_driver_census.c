/* SPDX-License-Identifier: MIT */
/* P6: which handles are in the application's multi, and how many. */
#include "multi_bench.h"

#include <stdio.h>
#include <stdlib.h>

struct counts {
    int current, running, done, added;
};

static curl_off_t count_of(CURLMinfo_offt info)
{
    curl_off_t count = -1;

    assert_int_equal(engine->get_offt(&multi, info, &count), CURLM_OK);
    return count;
}

static void check_counts(const char *row, struct counts want)
{
    CHECK_INT(row, count_of(CURLMINFO_XFERS_CURRENT), want.current);
    CHECK_INT(row, count_of(CURLMINFO_XFERS_RUNNING), want.running);
    CHECK_INT(row, count_of(CURLMINFO_XFERS_PENDING), 0);
    CHECK_INT(row, count_of(CURLMINFO_XFERS_DONE), want.done);
    CHECK_INT(row, count_of(CURLMINFO_XFERS_ADDED), want.added);
}

/* The list has each of them once, in any order, and nobody else. */
static void check_list(const char *row, CURL *const *want, size_t count)
{
    CURL **list = engine->get_handles(&multi);
    size_t found = 0, listed = 0;

    assert_non_null(list);
    for (; list[listed]; listed++)
        for (size_t i = 0; i < count; i++)
            found += list[listed] == want[i];
    CHECK_INT(row, listed, count);
    CHECK_INT(row, found, count);
    free(list);
}

static void check_own(const char *row, struct counts want)
{
    CURL *own = bench.app->easy;

    check_list(row, &own, (size_t)want.current);
    check_counts(row, want);
}

/* The primary is cancelled, or has failed by itself, which leaves it in: a
 * rival is never seen, and the handle is until it is removed. */
static void test_census_shows_the_handle_whoever_answers(void **state)
{
    static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};

    static const struct row {
        const char *name;
        const struct fake_beat *plays[2];
        unsigned requests;
    } rows[] = {
        {"itself", {healthy, NULL}, 1},
        {"a rival, of a silent one", {silent, healthy}, 2},
        {"a rival, of a failed one", {breaks, healthy}, 2},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_multi(2 * UNS_S);
        bench.policy.hedge.failover.status[500] = true;
        play(rows[i].plays, rows[i].requests);
        add_call(bench.app);
        check_own(rows[i].name, (struct counts){1, 1, 0, 1});
        while (fake.requests < rows[i].requests)
            turn();
        check_own(rows[i].name, (struct counts){1, 1, 0, 1});
        loop_of_poll();
        check_own(rows[i].name, (struct counts){1, 0, 1, 1});
        engine->remove(&multi, bench.app, bench.app->easy);
        check_own(rows[i].name, (struct counts){0, 0, 0, 1});
        close_multi(rows[i].name);
    }
}

/* What else the application has in its multi is none of ours. */
static void test_census_leaves_others_alone(void **state)
{
    static const struct fake_beat *const plays[] = {healthy, silent, healthy};
    CURL *both[2];

    (void)state;
    open_multi(2 * UNS_S);
    play(plays, 3);
    both[0] = bench.app->easy;
    both[1] = fake_real.curl_easy_init();
    fake_real.curl_easy_setopt(both[1], CURLOPT_URL, "http://plain.example/");
    fake_real.curl_multi_add_handle(multi.multi, both[1]);
    add_call(bench.app);
    while (fake.requests < 3)
        turn();
    check_list("a rival", both, 2);
    check_counts("a rival", (struct counts){2, 1, 1, 2});
    while (seen.messages < 2)
        turn();
    check_list("both", both, 2);
    check_counts("both", (struct counts){2, 0, 2, 2});
    engine->remove(&multi, bench.app, both[0]);
    check_list("the other", both + 1, 1);
    check_counts("the other", (struct counts){1, 0, 1, 2});
    engine->remove(&multi, NULL, both[1]);
    fake_real.curl_easy_cleanup(both[1]);
    close_multi("others");
}

/* The application's own handle never reaches libcurl. */
static void test_census_counts_a_planned_call(void **state)
{
    (void)state;
    open_multi(2 * UNS_S);
    bench.plan = "/dev/null";
    add_call(bench.app);
    check_own("planned", (struct counts){1, 0, 1, 1});
    loop_of_poll();
    check_own("described", (struct counts){1, 0, 1, 1});
    bench.plan = NULL;
    close_multi("planned");
}

static char *no_room(const char *format, ...)
{
    (void)format;
    return NULL;
}

/* No list rather than half of one. */
static void test_census_without_memory(void **state)
{
    static const struct fake_beat *const plays[] = {silent, healthy};
    struct uns_real poor = fake_real;
    curl_off_t count = -1;

    (void)state;
    poor.curl_maprintf = no_room;
    open_multi(2 * UNS_S);
    multi.real = &poor;
    play(plays, 2);
    add_call(bench.app);
    loop_of_poll();
    assert_null(engine->get_handles(&multi));
    CHECK_INT("current",
              engine->get_offt(&multi, CURLMINFO_XFERS_CURRENT, &count),
              CURLM_OUT_OF_MEMORY);
    CHECK_INT("done", engine->get_offt(&multi, CURLMINFO_XFERS_DONE, &count),
              CURLM_OUT_OF_MEMORY);
    CHECK_INT("unknown", engine->get_offt(&multi, CURLMINFO_NONE, &count),
              CURLM_UNKNOWN_OPTION);
    CHECK_INT("untouched", count, -1);
    close_multi("no memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_census_shows_the_handle_whoever_answers),
        cmocka_unit_test(test_census_leaves_others_alone),
        cmocka_unit_test(test_census_counts_a_planned_call),
        cmocka_unit_test(test_census_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
