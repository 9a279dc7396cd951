/* SPDX-License-Identifier: MIT */
/* R11, P5: which requests cost a token, and what becomes of a call that gets
 * none.  The budget is the bench's; test_budget.c has the real one. */
#include "bench.h"

#include "check.h"

#include <limits.h>

#define HI DELTA("Hi") STOP DONE

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {HEAD(10, OK_HEAD), BODY(20, HI),
                                           END(40, CURLE_OK)};
static const struct fake_beat late[] = {HEAD(9000, OK_HEAD), BODY(9000, HI),
                                        END(9000, CURLE_OK)};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat refuses[] = {HEAD(10, "HTTP/1.1 503 No\r\n\r\n"),
                                           END(20, CURLE_OK)};
static const struct fake_beat stalls[] = {HEAD(10, OK_HEAD),
                                          BODY(20, DELTA("Hal")), SILENCE};
static const struct fake_beat comes_back[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Hal")),
    BODY(9020, DELTA("lo") STOP DONE), END(9040, CURLE_OK)};

enum kind {
    FIRST_TOKEN,
    TIED,
    STALL
};

static void open_with(enum kind kind, unsigned sources)
{
    bench_open();
    bench_sources(sources);
    bench.policy.hedge.max_attempts = 3;
    bench.policy.hedge.failover.status[503] = true;
    bench.policy.hedge.after = (struct uns_delay){
        .how = UNS_DELAY_FIXED, .fixed_ns = kind == TIED ? 0 : UNS_S};
    if (kind == STALL) {
        bench.policy.hedge.stall_after_ns = 2 * UNS_S;
        bench.policy.hedge.hold_ns = UNS_NEVER;
    }
    bench_set(CURLOPT_TIMEOUT, 60L);
}

struct row {
    const char *name;
    enum kind kind;
    unsigned sources; /* 0: the application's own endpoint again */
    const struct fake_beat *plays[3];
    unsigned requests, taken;
    const char *reason;
};

static const struct row costs[] = {
    {"nothing is due", FIRST_TOKEN, 1, {healthy}, 1, 0, ""},
    {"first token", FIRST_TOKEN, 1, {silent, healthy}, 2, 1, "first_token"},
    {"and another",
     FIRST_TOKEN,
     2,
     {silent, silent, healthy},
     3,
     2,
     "first_token"},
    {"at home", FIRST_TOKEN, 0, {silent, healthy}, 2, 1, "first_token"},
    {"tied", TIED, 1, {silent, healthy}, 2, 1, "tied"},
    {"stall", STALL, 1, {stalls, healthy}, 2, 1, "stall"},
    {"failure, elsewhere", FIRST_TOKEN, 1, {breaks, healthy}, 2, 0, "failure"},
    {"status, elsewhere", FIRST_TOKEN, 1, {refuses, healthy}, 2, 0, "failure"},
    {"failure, at home", FIRST_TOKEN, 0, {breaks, healthy}, 2, 1, "failure"},
    {"rival fails, elsewhere",
     FIRST_TOKEN,
     2,
     {silent, refuses, healthy},
     3,
     1,
     "first_token"},
    {"rival fails, again",
     FIRST_TOKEN,
     1,
     {silent, breaks, healthy},
     3,
     2,
     "first_token"},
    {"both fail, elsewhere",
     FIRST_TOKEN,
     2,
     {breaks, breaks, healthy},
     3,
     0,
     "failure"},
};

static void run(const struct row *row)
{
    bench_run(row->plays, row->plays[2] ? 3 : row->plays[1] ? 2 : 1);
}

/* A token for each request that may double the load, none for one that takes
 * the place of a failed one at another origin. */
static void test_budget_is_asked_for_what_costs(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(costs); i++) {
        const struct row *row = &costs[i];

        open_with(row->kind, row->sources);
        run(row);
        CHECK_INT(row->name, fake.requests, row->requests);
        CHECK_INT(row->name, bench.taken, row->taken);
        CHECK_INT(row->name, bench.given_back, 0);
        CHECK_TEXT(row->name, bench.entry->call.hedge_reason, row->reason);
        CHECK_TEXT(row->name, bench.entry->call.outcome, "ok");
        bench_close(row->name);
    }
}

/* A rival that is stopped while it connects has asked nobody. */
static void test_budget_gets_back_what_was_stopped_unsent(void **state)
{
    static const struct fake_beat begins[] = {HEAD(10, OK_HEAD), BODY(1500, HI),
                                              END(1510, CURLE_OK)};

    static const struct {
        const char *name;
        unsigned unsent, given_back;
    } rows[] = {
        {"still connecting", 1, 1},
        {"sent", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(FIRST_TOKEN, 1);
        fake.unsent = rows[i].unsent;
        BENCH_RUN(begins, silent);
        CHECK_INT(rows[i].name, fake.requests, 2);
        CHECK_INT(rows[i].name, bench.taken, 1);
        CHECK_INT(rows[i].name, bench.given_back, rows[i].given_back);
        CHECK_TEXT(rows[i].name, bench.entry->call.outcome, "ok");
        bench_close(rows[i].name);
    }
}

/* Without a token the call goes on alone, and says why. */
static void test_budget_when_empty_leaves_the_call_alone(void **state)
{
    static const struct row rows[] = {
        {"first token", FIRST_TOKEN, 1, {late}, 1, 0, "budget_exhausted"},
        {"unreadable", FIRST_TOKEN, 1, {late}, 1, 0, "budget_unreadable"},
        {"tied", TIED, 1, {late}, 1, 0, "budget_exhausted"},
        {"stall", STALL, 1, {comes_back}, 1, 0, "budget_exhausted"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].kind, rows[i].sources);
        bench.broke = rows[i].reason;
        run(&rows[i]);
        CHECK_INT(rows[i].name, fake.requests, 1);
        CHECK_TEXT(rows[i].name, bench.entry->call.hedge_reason,
                   rows[i].reason);
        CHECK_TEXT(rows[i].name, bench.entry->call.outcome, "ok");
        CHECK_INT(rows[i].name, bench.given_back, 0);
        bench_close(rows[i].name);
    }
}

/* A failure still moves: to another origin, not back to the same. */
static void test_budget_when_empty_lets_failures_move(void **state)
{
    (void)state;
    open_with(FIRST_TOKEN, 1);
    bench.broke = "budget_unreadable";
    BENCH_RUN(breaks, healthy);
    CHECK_TEXT("elsewhere", bench.entry->call.outcome, "ok");
    CHECK_TEXT("elsewhere", bench.entry->call.hedge_reason, "failure");
    bench_close("elsewhere");
    open_with(FIRST_TOKEN, 0);
    bench.broke = "budget_exhausted";
    BENCH_RUN(breaks, healthy);
    CHECK_INT("at home", bench.code, CURLE_RECV_ERROR);
    CHECK_TEXT("at home", bench.entry->call.hedge_reason, "budget_exhausted");
    bench_close("at home");
}

/* A token for nothing comes back. */
static void test_budget_gets_back_what_was_not_sent(void **state)
{
    (void)state;
    for (int n = 0; n < 2; n++) {
        open_with(FIRST_TOKEN, 1);
        if (n == 0)
            fake.fail_add = 2;
        else
            fake.fail_init = 2;
        BENCH_RUN(late, healthy);
        CHECK_INT("taken", bench.taken, 1);
        CHECK_INT("given back", bench.given_back, 1);
        CHECK_TEXT("why", bench.entry->call.hedge_reason, "launch_failed");
        bench_close("not sent");
    }
}

/* A rival that waits for the store's lock until nobody wants it any more (P5):
 * the record says that one was wanted.  The answer is held up once. */
static void test_budget_locked_until_the_first_token(void **state)
{
    static const struct fake_beat slow[] = {HEAD(1500, OK_HEAD), BODY(1500, HI),
                                            END(1500, CURLE_OK)};

    (void)state;
    open_with(FIRST_TOKEN, 1);
    bench.locked = UINT_MAX;
    BENCH_RUN(slow);
    CHECK_INT("locked", fake.requests, 1);
    CHECK_TEXT("locked", bench.entry->call.hedge_reason, "budget_unreadable");
    CHECK_TEXT("locked", bench.entry->call.outcome, "ok");
    assert_true(bench.asked > 5);
    CHECK_INT("patience", bench.patience_ms, 0);
    bench_close("locked");
}

/* The lock is gone before the patience is: the rival is sent, late. */
static void test_budget_locked_for_a_moment(void **state)
{
    (void)state;
    open_with(FIRST_TOKEN, 1);
    bench.locked = 3;
    BENCH_RUN(silent, healthy);
    CHECK_INT("sent", fake.requests, 2);
    CHECK_INT("asked", bench.asked, 4);
    CHECK_TEXT("sent", bench.entry->call.hedge_reason, "first_token");
    bench_close("sent");
}

/* A call that was hedged once says so, whatever else it was refused. */
static void test_budget_reason_is_that_of_the_first_rival(void **state)
{
    (void)state;
    open_with(FIRST_TOKEN, 2);
    bench.policy.hedge.max_attempts = 2;
    BENCH_RUN(late, silent);
    CHECK_TEXT("why", bench.entry->call.hedge_reason, "first_token");
    bench_close("first");
}

/* Once refused, a call does not ask again at every chance. */
static void test_budget_is_not_asked_again_and_again(void **state)
{
    (void)state;
    open_with(FIRST_TOKEN, 1);
    bench.broke = "budget_exhausted";
    bench.asked = 0;
    BENCH_RUN(late);
    CHECK_INT("asked", bench.asked, 1);
    CHECK_INT("patience", bench.patience_ms, 50);
    bench_close("asked");
}

/* Finished calls that may hedge pay into the bucket; others do not. */
static void test_budget_is_paid_by_calls_that_may_hedge(void **state)
{
    (void)state;
    open_with(FIRST_TOKEN, 1);
    BENCH_RUN(healthy);
    assert_ptr_equal(bench.entry->pays, &bench.policy.hedge);
    bench_close("hedge");
    open_with(FIRST_TOKEN, 1);
    bench.policy.mode = UNS_MODE_OBSERVE;
    BENCH_RUN(healthy);
    assert_null(bench.entry->pays);
    bench_close("observe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budget_is_asked_for_what_costs),
        cmocka_unit_test(test_budget_gets_back_what_was_stopped_unsent),
        cmocka_unit_test(test_budget_when_empty_leaves_the_call_alone),
        cmocka_unit_test(test_budget_when_empty_lets_failures_move),
        cmocka_unit_test(test_budget_gets_back_what_was_not_sent),
        cmocka_unit_test(test_budget_reason_is_that_of_the_first_rival),
        cmocka_unit_test(test_budget_locked_until_the_first_token),
        cmocka_unit_test(test_budget_locked_for_a_moment),
        cmocka_unit_test(test_budget_is_not_asked_again_and_again),
        cmocka_unit_test(test_budget_is_paid_by_calls_that_may_hedge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
