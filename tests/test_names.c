/* SPDX-License-Identifier: MIT */
/* P3: addresses that the application was told of are not a rival's. */
#include "multi_bench.h"

#include "engine/keep.h"
#include "engine/names.h"

static const struct fake_beat late[] = {
    HEAD(9000, OK_HEAD),
    BODY(9000, DELTA("Hi")),
    BODY(9000, DONE),
    END(9000, CURLE_OK),
};

static const struct fake_beat *const plays[] = {late, silent, silent};

static const void *names_of(unsigned request)
{
    return fake_opt(fake.request[request], CURLOPT_SHARE)->value.p;
}

/* Two rivals elsewhere share what they have looked up. */
static void test_names_are_the_rivals_own(void **state)
{
    static const struct {
        const char *name;
        unsigned sources, shares;
    } rows[] = {{"elsewhere", 2, 1}, {"at home", 0, 0}};

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_multi(UNS_S);
        bench_sources(rows[i].sources);
        bench.policy.hedge.max_attempts = 3;
        play(plays, 3);
        add_call(bench.app);
        engine->perform(&multi, &seen.running);
        for (int n = 0; n < 2; n++) {
            fake.now_ns += UNS_S;
            engine->perform(&multi, &seen.running);
        }
        CHECK_INT(rows[i].name, fake.requests, 3);
        CHECK_INT(rows[i].name, fake.shares, rows[i].shares);
        CHECK_INT(rows[i].name, names_of(0) == NULL, true);
        CHECK_INT(rows[i].name, names_of(1) != NULL, rows[i].shares);
        CHECK_INT(rows[i].name, names_of(2) == names_of(1), true);
        close_multi(rows[i].name);
    }
}

/* A winner is kept for what the application asks later; its names are not. */
static void test_names_end_with_the_lane(void **state)
{
    static const struct fake_beat *const won[] = {silent, healthy, silent,
                                                  healthy};

    (void)state;
    open_multi(UNS_S);
    for (int n = 0; n < 2; n++)
        bench_run(won, 4);
    CHECK_TEXT("won", bench.body, HI HI);
    CHECK_INT("one for both", fake.shares, 1);
    CHECK_INT("still there", fake.shares_closed, 0);
    assert_null(names_of(1));
    assert_null(names_of(3));
    close_multi("lane");
}

/* Without names of its own it would be sent where the application's lead. */
static void test_names_missing_means_nobody_is_asked(void **state)
{
    static const struct {
        const char *name;
        bool init, setopt;
        unsigned closed;
    } rows[] = {{"none", true, false, 0}, {"useless", false, true, 1}};

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_multi(UNS_S);
        fake.fail_share_init = rows[i].init;
        fake.fail_share_setopt = rows[i].setopt;
        bench_run(plays, 1);
        CHECK_INT(rows[i].name, fake.requests, 1);
        CHECK_INT(rows[i].name, fake.shares_closed, rows[i].closed);
        CHECK_INT(rows[i].name, bench.given_back, bench.taken);
        CHECK_TEXT(rows[i].name, bench.entry->call.hedge_reason,
                   "launch_failed");
        close_multi(rows[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_the_rivals_own),
        cmocka_unit_test(test_names_end_with_the_lane),
        cmocka_unit_test(test_names_missing_means_nobody_is_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
