/* SPDX-License-Identifier: MIT */
/* R3, R7, R8, R9: how calls end, with which code and which words. */
#include "bench.h"

#include "check.h"

#include <stdio.h>

#define OVERLOADED "HTTP/1.1 529 Overloaded\r\n\r\n"
#define REFUSED    "HTTP/1.1 400 Bad Request\r\n\r\n"

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hi")), BODY(500, STOP),
    BODY(500, DONE),    END(600, CURLE_OK),
};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat cannot_connect[] = {
    END(10, CURLE_COULDNT_CONNECT),
};
static const struct fake_beat overloaded[] = {
    HEAD(10, OVERLOADED),
    BODY(20, "busy"),
    END(30, CURLE_OK),
};
static const struct fake_beat refuses[] = {
    HEAD(10, REFUSED),
    BODY(20, "bad request"),
    END(30, CURLE_OK),
};
static const struct fake_beat too_long[] = {
    HEAD(10, REFUSED),
    BODY(20, "{\"error\":{\"code\":\"context_length"),
    BODY(30, "_exceeded\"}}"),
    END(40, CURLE_OK),
};
static const struct fake_beat cut[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    END(30, CURLE_PARTIAL_FILE),
};
static const struct fake_beat cut_cleanly[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    END(30, CURLE_OK),
};
static const struct fake_beat cut_later[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    BODY(30, DELTA("lo!")),
    END(40, CURLE_RECV_ERROR),
};
static const struct fake_beat begins[] = {
    HEAD(10, OK_HEAD),
    BODY(20, ROLE),
    SILENCE,
};
static const struct fake_beat stalls[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    SILENCE,
};
static const struct fake_beat fails_inside[] = {
    HEAD(10, OK_HEAD),
    BODY(
        20,
        "data: {\"error\":{\"message\":\"no\",\"type\":\"server_error\"}}\n\n"),
    END(30, CURLE_OK),
};

static void open_with(uns_ns hold_ns)
{
    bench_open();
    bench_sources(1);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    bench.policy.hedge.hold_ns = hold_ns;
    bench.policy.hedge.failover.status[529] = true;
}

struct ending {
    const char *name;
    const struct fake_beat *first, *second;
    uns_ns hold_ns;
    CURLcode code;
    const char *body;
    unsigned requests;
    const char *outcome;
    int status;
    const char *reason;
    int truncated;
};

static void check_ending(const struct ending *row)
{
    BENCH_RUN(row->first, row->second);
    CHECK_INT(row->name, bench.code, row->code);
    CHECK_TEXT(row->name, bench.body, row->body);
    CHECK_INT(row->name, fake.requests, row->requests);
    CHECK_TEXT(row->name, bench.entry->call.outcome, row->outcome);
    CHECK_INT(row->name, bench.entry->call.http_status,
              row->status ? row->status : UNS_NULL);
    CHECK_INT(row->name, bench.entry->call.curl_code, row->code);
    CHECK_TEXT(row->name, bench.entry->call.hedge_reason, row->reason);
    CHECK_INT(row->name, bench.entry->call.truncated, row->truncated);
    CHECK_INT(row->name, bench.error[0] != '\0', row->code != CURLE_OK);
}

#define ALL UNS_NEVER
#define HI  DELTA("Hi") STOP DONE

/* R3, R7: a failed request starts the next one at once; what comes of both. */
static void test_driver_ends_failures(void **state)
{
    static const struct ending rows[] = {
        {"lost, then well", breaks, healthy, 0, CURLE_OK, HI, 2, "ok", 200,
         "failure", 0},
        {"status, then well", overloaded, healthy, 0, CURLE_OK, HI, 2, "ok",
         200, "failure", 0},
        {"error event, then well", fails_inside, healthy, 0, CURLE_OK, HI, 2,
         "ok", 200, "failure", 0},
        {"held cut, then well", cut, healthy, ALL, CURLE_OK, HI, 2, "ok", 200,
         "failure", 0},
        {"refused", refuses, healthy, 0, CURLE_OK, "bad request", 1, "refused",
         400, "", 0},
        {"both lost", breaks, cannot_connect, 0, CURLE_RECV_ERROR, "", 2,
         "failed", 0, "failure", 0},
        {"both statuses", overloaded, refuses, 0, CURLE_OK, "busy", 2, "failed",
         529, "failure", 0},
        {"status, then lost", overloaded, breaks, 0, CURLE_OK, "busy", 2,
         "failed", 529, "failure", 0},
        {"lost, then status", breaks, overloaded, 0, CURLE_RECV_ERROR, "", 2,
         "failed", 0, "failure", 0},
        {"lost, then refused", breaks, refuses, 0, CURLE_RECV_ERROR, "", 2,
         "failed", 0, "failure", 0},
        {"given cut", cut, healthy, 0, CURLE_PARTIAL_FILE, DELTA("Hal"), 1,
         "truncated", 200, "", 1},
        {"given cut, cleanly", cut_cleanly, healthy, 0, CURLE_OK, DELTA("Hal"),
         1, "truncated", 200, "", 1},
        {"both cut", cut, cut_later, ALL, CURLE_PARTIAL_FILE, DELTA("Hal"), 2,
         "truncated", 200, "failure", 1},
        {"silent, then cut", silent, cut_later, 0, CURLE_RECV_ERROR,
         DELTA("Hal") DELTA("lo!"), 2, "truncated", 200, "first_token", 1},
        {"silent, then refused", silent, refuses, 0, CURLE_OPERATION_TIMEDOUT,
         "", 2, "timeout", 0, "first_token", 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].hold_ns);
        bench_set(CURLOPT_TIMEOUT, 60L);
        check_ending(&rows[i]);
        bench_close(rows[i].name);
    }
}

/* R3: a refusal whose body names a listed code is a failure. */
static void test_driver_searches_a_refusal_for_codes(void **state)
{
    static const struct ending rows[] = {
        {"named", too_long, healthy, 0, CURLE_OK, HI, 2, "ok", 200, "failure",
         0},
        {"not named", refuses, healthy, 0, CURLE_OK, "bad request", 1,
         "refused", 400, "", 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(0);
        bench.policy.hedge.failover.code[0] = "context_length_exceeded";
        check_ending(&rows[i]);
        bench_close(rows[i].name);
    }
}

/* R7: held, stalled and cancelled, and the rival fails: what there is, and
 * that it is not all. */
static void test_driver_falls_back_on_the_fullest(void **state)
{
    static const struct ending row = {
        "fullest",
        stalls,
        cut_later,
        ALL,
        CURLE_RECV_ERROR,
        DELTA("Hal") DELTA("lo!"),
        2,
        "truncated",
        200,
        "stall",
        1,
    };

    (void)state;
    open_with(ALL);
    bench.policy.hedge.stall_after_ns = 2 * UNS_S;
    bench.policy.stream.stall_timeout_ns = 4 * UNS_S;
    bench_set(CURLOPT_TIMEOUT, 60L);
    check_ending(&row);
    bench_close(row.name);
}

/* R7: 18 for an answer whose transfer we have cut ourselves: the rival that
 * took over says less, and breaks off. */
static void test_driver_says_when_it_cut_the_answer(void **state)
{
    static const struct fake_beat longer[] = {
        HEAD(10, OK_HEAD),
        BODY(20, DELTA("Hallo, Welt")),
        SILENCE,
    };

    (void)state;
    open_with(ALL);
    bench.policy.hedge.stall_after_ns = 2 * UNS_S;
    BENCH_RUN(longer, cut);
    CHECK_TEXT("body", bench.body, DELTA("Hallo, Welt"));
    CHECK_INT("code", bench.code, CURLE_PARTIAL_FILE);
    CHECK_TEXT("words", bench.error,
               "every source failed; the fullest answer is cut short");
    CHECK_TEXT("outcome", bench.entry->call.outcome, "truncated");
    CHECK_INT("winner", bench.entry->call.winner, 0);
    bench_close("cut");
}

/* R8: option, source, model, seconds, chunks. */
static void test_driver_watchdogs_say_what_they_saw(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first;
        const char *text, *body, *outcome;
        int wall_ms;
    } rows[] = {
        {"ttft", silent,
         "unstall: stream.ttft_timeout_s: no content for 2.5 s from source "
         "primary, model gpt-4o, after 0 chunks",
         "", "timeout", 2500},
        {"stall", stalls,
         "unstall: stream.stall_timeout_s: no content for 4 s from source "
         "primary, model gpt-4o, after 1 chunks",
         DELTA("Hal"), "truncated", 4020},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        bench_open();
        bench.policy.mode = UNS_MODE_OBSERVE;
        bench.policy.stream.ttft_timeout_ns = 2500 * UNS_MS;
        bench.policy.stream.stall_timeout_ns = 4 * UNS_S;
        BENCH_RUN(rows[i].first);
        CHECK_INT(rows[i].name, bench.code, CURLE_OPERATION_TIMEDOUT);
        CHECK_TEXT(rows[i].name, bench.error, rows[i].text);
        CHECK_TEXT(rows[i].name, bench.body, rows[i].body);
        CHECK_TEXT(rows[i].name, bench.entry->call.outcome, rows[i].outcome);
        CHECK_INT(rows[i].name, bench.entry->call.wall_ms, rows[i].wall_ms);
        CHECK_INT(rows[i].name, fake.requests, 1);
        bench_close(rows[i].name);
    }
}

/* R8 names the source that was waited for last. */
static void test_driver_watchdog_names_a_rival(void **state)
{
    (void)state;
    open_with(0);
    bench.policy.stream.ttft_timeout_ns = 5 * UNS_S;
    BENCH_RUN(silent, silent);
    CHECK_INT("code", bench.code, CURLE_OPERATION_TIMEDOUT);
    CHECK_TEXT("words", bench.error,
               "unstall: stream.ttft_timeout_s: no content for 5 s from source "
               "one, model gpt-4o, after 0 chunks");
    CHECK_INT("wall", bench.entry->call.wall_ms, 8000);
    bench_close("rival");
}

/* R9: the application's total timeout bounds everything. */
static void test_driver_keeps_the_total_timeout(void **state)
{
    static const struct row {
        const char *name;
        const struct fake_beat *first, *second;
        uns_ns hold_ns;
        const char *body, *outcome;
    } rows[] = {
        {"both silent", silent, silent, 0, "", "timeout"},
        {"no content", begins, silent, 0, ROLE, "timeout"},
        {"no content, held", begins, silent, ALL, ROLE, "timeout"},
        {"a rival's is not", silent, begins, 0, "", "timeout"},
        {"given, stalls", stalls, silent, 0, DELTA("Hal"), "truncated"},
        {"held, stalls", stalls, silent, ALL, DELTA("Hal"), "truncated"},
        {"rival stalls", silent, stalls, 0, DELTA("Hal"), "truncated"},
        {"rival held", silent, stalls, ALL, DELTA("Hal"), "truncated"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].hold_ns);
        bench_set(CURLOPT_TIMEOUT_MS, 10000L);
        BENCH_RUN(rows[i].first, rows[i].second);
        CHECK_INT(rows[i].name, bench.code, CURLE_OPERATION_TIMEDOUT);
        CHECK_TEXT(rows[i].name, bench.body, rows[i].body);
        CHECK_TEXT(rows[i].name, bench.entry->call.outcome, rows[i].outcome);
        CHECK_INT(rows[i].name, bench.entry->call.wall_ms, 10000);
        CHECK_INT(rows[i].name, bench.error[0] != '\0', true);
        bench_close(rows[i].name);
    }
}

/* R6: when control returns every loser is out, and was taken out the moment
 * the winner was known; a late one never comes back. */
static void test_driver_takes_losers_out_at_once(void **state)
{
    static const struct fake_beat wakes[] = {
        HEAD(3310, OK_HEAD),
        BODY(3320, DELTA("late")),
        SILENCE,
    };

    (void)state;
    open_with(0);
    BENCH_RUN(wakes, healthy);
    CHECK_TEXT("body", bench.body, HI);
    CHECK_INT("removed", fake.request[0]->removed_ns,
              fake.request[1]->start_ns + 300 * UNS_MS);
    CHECK_TEXT("loser", bench.entry->attempt[0].outcome, "hedge_cancelled");
    CHECK_TEXT("winner", bench.entry->attempt[1].outcome, "won");
    bench_close("losers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver_ends_failures),
        cmocka_unit_test(test_driver_searches_a_refusal_for_codes),
        cmocka_unit_test(test_driver_falls_back_on_the_fullest),
        cmocka_unit_test(test_driver_says_when_it_cut_the_answer),
        cmocka_unit_test(test_driver_watchdogs_say_what_they_saw),
        cmocka_unit_test(test_driver_watchdog_names_a_rival),
        cmocka_unit_test(test_driver_keeps_the_total_timeout),
        cmocka_unit_test(test_driver_takes_losers_out_at_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
