/* SPDX-License-Identifier: MIT */
/* P6: curl_easy_reset, and another body, inside the call's own callbacks. */
#include "bench.h"

#include "check.h"
#include "engine/grip.h"
#include "fake_memory.h"

#include <stdlib.h>

#define REMEMBERS 0x075801 /* the last that Debian 12 has */
#define IGNORES   0x081600

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hel")), BODY(400, DELTA("lo")),
    BODY(500, STOP),    BODY(500, DONE),         END(600, CURLE_OK),
};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat cut[] = {
    HEAD(100, OK_HEAD),
    BODY(300, DELTA("Hel")),
    BODY(400, DELTA("lo")),
    END(500, CURLE_PARTIAL_FILE),
};

/* What the application's first and second write callback were given; one that
 * is gone is given nothing. */
static int first, second, act_at;
static void (*act)(void);

static size_t on_other(char *bytes, size_t size, size_t count, void *arg)
{
    (void)bytes;
    (void)arg;
    second++;
    return size * count;
}

static size_t act_at_nth(enum uns_piece_kind kind, const char *bytes,
                         size_t len)
{
    (void)kind;
    (void)bytes;
    if (++first == act_at)
        act();
    return len;
}

static void reset(void)
{
    uns_grip_reset(bench.app);
}

static void start_over(void)
{
    reset();
    bench_set(CURLOPT_WRITEFUNCTION, on_other);
}

static void do_nothing(void)
{
}

static void open_with(enum uns_mode mode, uns_ns hold_ns)
{
    bench_open();
    bench_sources(1);
    bench.policy.mode = mode;
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    bench.policy.hedge.hold_ns = hold_ns;
    bench.policy.hedge.stall_after_ns = 5 * UNS_S;
    bench.policy.hedge.resume = UNS_RESUME_VERIFY;
    bench.taker = act_at_nth;
    first = second = 0;
}

/* Of three header lines and the pieces of a body those before the reset are
 * the old callbacks'; what comes after goes by what is set then. */
static void test_reset_inside_a_callback_is_libcurls(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *one, *two;
        enum uns_mode mode;
        uns_ns hold_ns;
        int at;
        int first, second;
    } rows[] = {
        {"watched, header", healthy, NULL, UNS_MODE_OBSERVE, 0, 1, 1, 4},
        {"watched, body", healthy, NULL, UNS_MODE_OBSERVE, 0, 4, 4, 3},
        {"hedged, header", healthy, NULL, UNS_MODE_HEDGE, 0, 2, 2, 4},
        {"hedged, body", healthy, NULL, UNS_MODE_HEDGE, 0, 5, 5, 2},
        {"all held", healthy, NULL, UNS_MODE_HEDGE, UNS_NEVER, 4, 4, 3},
        {"a rival's", silent, healthy, UNS_MODE_HEDGE, 0, 4, 4, 3},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].mode, rows[i].hold_ns);
        fake.version = REMEMBERS;
        act = start_over;
        act_at = rows[i].at;
        BENCH_RUN(rows[i].one, rows[i].two);
        CHECK_INT(rows[i].name, bench.code, CURLE_OK);
        CHECK_INT(rows[i].name, first, rows[i].first);
        CHECK_INT(rows[i].name, second, rows[i].second);
        bench_close(rows[i].name);
    }
}

static void test_reset_inside_a_callback_is_ignored_since_8_22(void **state)
{
    static const enum uns_mode modes[] = {UNS_MODE_OBSERVE, UNS_MODE_HEDGE};

    (void)state;
    for (size_t i = 0; i < ROWS(modes); i++) {
        open_with(modes[i], 0);
        fake.version = IGNORES;
        act = reset;
        act_at = 2;
        BENCH_RUN(healthy);
        CHECK_INT("code", bench.code, CURLE_OK);
        CHECK_INT("pieces", first, 7);
        CHECK_TEXT("url", uns_app_opt(bench.app, CURLOPT_URL)->value.p,
                   APP_URL);
        bench_close("ignored");
    }
}

/* No rival could be sent as the request was: nobody is asked to resume it. */
static void test_reset_leaves_a_call_without_rivals(void **state)
{
    static const struct row {
        const char *name;
        void (*act)(void);
        unsigned requests;
    } rows[] = {
        {"reset", start_over, 1},
        {"not reset", do_nothing, 2},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(UNS_MODE_HEDGE, 0);
        fake.version = REMEMBERS;
        act = rows[i].act;
        act_at = 4;
        BENCH_RUN(cut, breaks);
        CHECK_INT(rows[i].name, fake.requests, rows[i].requests);
        bench_close(rows[i].name);
    }
}

static void shorten_limit(void)
{
    bench_set(CURLOPT_TIMEOUT_MS, 4000L);
}

static void lengthen_limit(void)
{
    bench_set(CURLOPT_TIMEOUT_MS, 9000L);
}

/* R9, P6: libcurl looks at the limit anew each time; so do the race's clocks,
 * with no transfer left to time out, and a rival's own. */
static void test_reset_takes_the_time_limit_off(void **state)
{
    static const struct fake_beat late[] = {
        HEAD(100, OK_HEAD),
        BODY(300, DELTA("Hel")),
        BODY(7000, DELTA("lo") STOP DONE),
        END(7000, CURLE_OK),
    };

    static const struct row {
        const char *name;
        const struct fake_beat *one, *two;
        void (*act)(void);
        CURLcode code;
        int64_t wall_ms;
    } rows[] = {
        {"own, as it was", late, silent, do_nothing, CURLE_OPERATION_TIMEDOUT,
         6000},
        {"own, reset", late, silent, start_over, CURLE_OK, 7000},
        {"own, longer", late, silent, lengthen_limit, CURLE_OK, 7000},
        {"own, shorter", late, silent, shorten_limit, CURLE_OPERATION_TIMEDOUT,
         4000},
        {"rival, as it was", silent, late, do_nothing, CURLE_OPERATION_TIMEDOUT,
         6000},
        {"rival, reset", silent, late, start_over, CURLE_OK, 10000},
        {"rival, longer", silent, late, lengthen_limit,
         CURLE_OPERATION_TIMEDOUT, 9000},
        {"rival, shorter", silent, late, shorten_limit,
         CURLE_OPERATION_TIMEDOUT, 4000},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(UNS_MODE_HEDGE, 0);
        bench.policy.hedge.stall_after_ns = UNS_NEVER;
        bench_set(CURLOPT_TIMEOUT_MS, 6000L);
        fake.version = REMEMBERS;
        act = rows[i].act;
        act_at = 4;
        BENCH_RUN(rows[i].one, rows[i].two);
        CHECK_INT(rows[i].name, bench.code, rows[i].code);
        CHECK_INT(rows[i].name, bench.entry->call.wall_ms, rows[i].wall_ms);
        bench_close(rows[i].name);
    }
}

static char *body;

/* The application's own memory; libcurl wants it no more. */
static void reset_and_free(void)
{
    start_over();
    free(body);
}

static void copy_another(void)
{
    uns_grip_detach(bench.app);
    bench_set(CURLOPT_COPYPOSTFIELDS, "{}");
}

static void shorten(void)
{
    uns_grip_detach(bench.app);
    bench_set(CURLOPT_POSTFIELDSIZE, 100000L);
}

/* The record tells of the request that was sent, whose body the application
 * has taken back by then. */
static void test_reset_leaves_the_record_true(void **state)
{
    static const struct row {
        const char *name;
        CURLoption option;
        enum uns_mode mode;
        void (*act)(void);
    } rows[] = {
        {"reset", CURLOPT_POSTFIELDS, UNS_MODE_HEDGE, reset_and_free},
        {"watched", CURLOPT_POSTFIELDS, UNS_MODE_OBSERVE, reset_and_free},
        {"copied", CURLOPT_COPYPOSTFIELDS, UNS_MODE_HEDGE, start_over},
        {"another", CURLOPT_COPYPOSTFIELDS, UNS_MODE_HEDGE, copy_another},
        {"longer", CURLOPT_COPYPOSTFIELDS, UNS_MODE_HEDGE, shorten},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].mode, 0);
        fake.version = REMEMBERS;
        body = strdup(APP_BODY);
        assert_non_null(body);
        bench_set(rows[i].option, body);
        act = rows[i].act;
        act_at = 4;
        BENCH_RUN(healthy);
        CHECK_INT(rows[i].name, bench.code, CURLE_OK);
        CHECK_TEXT(rows[i].name, bench.entry->call.model, "gpt-4o");
        if (rows[i].act != reset_and_free)
            free(body);
        bench_close(rows[i].name);
    }
}

/* Without memory for a copy the body is lost, and nothing else. */
static void fail_to_copy(void)
{
    fake_memory_fail(1, false);
    fake_memory_count(true);
    uns_grip_detach(bench.app);
    fake_memory_count(false);
    fake_memory_fail(0, false);
    bench_set(CURLOPT_COPYPOSTFIELDS, "{}");
}

static void test_reset_bears_no_memory(void **state)
{
    (void)state;
    open_with(UNS_MODE_HEDGE, 0);
    bench_set(CURLOPT_COPYPOSTFIELDS, APP_BODY);
    act = fail_to_copy;
    act_at = 4;
    BENCH_RUN(cut, breaks);
    CHECK_INT("requests", fake.requests, 1);
    CHECK_TEXT("model", bench.entry->call.model, "");
    bench_close("no memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reset_inside_a_callback_is_libcurls),
        cmocka_unit_test(test_reset_inside_a_callback_is_ignored_since_8_22),
        cmocka_unit_test(test_reset_leaves_a_call_without_rivals),
        cmocka_unit_test(test_reset_takes_the_time_limit_off),
        cmocka_unit_test(test_reset_leaves_the_record_true),
        cmocka_unit_test(test_reset_bears_no_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
