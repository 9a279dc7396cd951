/* SPDX-License-Identifier: MIT */
/* R1 to R6: who is asked when, and who is heard. */
#include "bench.h"

#include "check.h"
#include "engine/lane.h"

#include <fcntl.h>

#define HI DELTA("Hi") STOP DONE

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hi")), BODY(500, STOP),
    BODY(500, DONE),    END(600, CURLE_OK),
};
static const struct fake_beat quick[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Hi")), BODY(30, STOP),
    BODY(30, DONE),    END(40, CURLE_OK),
};
static const struct fake_beat stalls[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    SILENCE,
};
/* Silent for four seconds after its first word. */
static const struct fake_beat comes_back[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Hal")), BODY(4020, DELTA("lo")),
    BODY(4030, STOP),  BODY(4030, DONE),       END(4040, CURLE_OK),
};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat refuses[] = {
    HEAD(10, "HTTP/1.1 429 Too Many Requests\r\n\r\n"),
    BODY(20, "slow down"),
    END(30, CURLE_OK),
};
static const struct fake_beat redirects[] = {
    HEAD(10, "HTTP/1.1 307 Temporary Redirect\r\nlocation: /x\r\n\r\n"),
    END(30, CURLE_OK),
};
static const struct fake_beat packed[] = {
    HEAD(10, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
             "content-encoding: br\r\n\r\n"),
    BODY(20, "\x1b\x01"),
    BODY(9000, "\x02"),
    END(9000, CURLE_OK),
};

static void open_with(uns_ns after_ns)
{
    bench_open();
    bench_sources(2);
    bench.policy.hedge.after = (struct uns_delay){
        .how = after_ns == UNS_NEVER ? UNS_DELAY_OFF : UNS_DELAY_FIXED,
        .fixed_ns = after_ns,
    };
    bench.policy.hedge.failover.status[500] = true;
    bench_set(CURLOPT_TIMEOUT, 60L);
}

static long long asked_at(unsigned n)
{
    return (long long)((fake.request[n]->start_ns - fake.request[0]->start_ns) /
                       UNS_MS);
}

/* R1, R2. */
static void test_driver_asks_one_when_all_is_well(void **state)
{
    (void)state;
    open_with(3 * UNS_S);
    BENCH_RUN(healthy);
    CHECK_INT("code", bench.code, CURLE_OK);
    CHECK_TEXT("body", bench.body, HI);
    CHECK_INT("requests", fake.requests, 1);
    CHECK_INT("wall", bench.entry->call.wall_ms, 600);
    CHECK_TEXT("reason", bench.entry->call.hedge_reason, "");
    bench_close("well");
}

/* Nobody waits longer than is needed, nor goes round without a cause. */
static void test_driver_wakes_up_for_a_reason(void **state)
{
    (void)state;
    open_with(3 * UNS_S);
    BENCH_RUN(silent, healthy);
    CHECK_INT("wall", bench.entry->call.wall_ms, 3600);
    CHECK_INT("turns", fake.performs < 14, true);
    bench_close("turns");
}

/* Milliseconds are too coarse for a deadline: a descriptor wakes in time.  It
 * is there for the last second before one, and closed with the call. */
static void test_driver_wakes_up_in_time(void **state)
{
    (void)state;
    open_with(300 * UNS_MS);
    BENCH_RUN(silent, healthy);
    CHECK_INT("alarms", fake.alarms > 0, true);
    CHECK_INT("closed", fcntl(fake.alarm_fd, F_GETFD), -1);
    bench_close("a deadline");
    open_with(UNS_NEVER);
    bench_set(CURLOPT_TIMEOUT, 0L);
    BENCH_RUN(healthy);
    CHECK_INT("none", fake.alarms, 0);
    bench_close("no deadline");
}

struct launch {
    const char *name;
    const struct fake_beat *plays[3];
    uns_ns after_ns, stall_after_ns, hold_ns;
    uint8_t max;
    int second_ms, third_ms; /* 0: none */
    const char *reason, *why[2];
    int winner;
    const char *body;
};

#define S   UNS_S
#define OFF UNS_NEVER
#define ALL UNS_NEVER

static void check_launch(const struct launch *row)
{
    unsigned requests = row->third_ms > 0 ? 3 : row->second_ms >= 0 ? 2 : 1;

    open_with(row->after_ns);
    bench.policy.hedge.stall_after_ns = row->stall_after_ns;
    bench.policy.hedge.hold_ns = row->hold_ns;
    bench.policy.hedge.max_attempts = row->max;
    BENCH_RUN(row->plays[0], row->plays[1], row->plays[2]);
    CHECK_INT(row->name, fake.requests, requests);
    if (requests > 1)
        CHECK_INT(row->name, asked_at(1), row->second_ms);
    if (requests > 2)
        CHECK_INT(row->name, asked_at(2), row->third_ms);
    CHECK_TEXT(row->name, bench.entry->call.hedge_reason, row->reason);
    for (unsigned a = 1; a < requests; a++)
        CHECK_TEXT(row->name, bench.entry->attempt[a].why, row->why[a - 1]);
    CHECK_INT(row->name, bench.entry->call.winner, row->winner);
    CHECK_TEXT(row->name, bench.body, row->body);
    bench_close(row->name);
}

/* R1 to R5, P5: when, why, how many, and whose answer it becomes. */
static void test_driver_asks_when_the_rules_say(void **state)
{
    /* clang-format off */
    static const struct launch rows[] = {
        {"tied", {silent, healthy},
         0, OFF, 0, 2, 0, 0,
         "tied", {"tied"}, 1, HI},
        {"tied, primary first", {quick, healthy},
         0, OFF, 0, 2, 0, 0,
         "tied", {"tied"}, 0, HI},
        {"no first token", {silent, healthy},
         3 * S, OFF, 0, 2, 3000, 0,
         "first_token", {"first_token"}, 1, HI},
        {"none twice", {silent, silent, healthy},
         3 * S, OFF, 0, 3, 3000, 6000,
         "first_token", {"first_token", "first_token"}, 2, HI},
        {"lost at once", {breaks, healthy},
         3 * S, OFF, 0, 2, 10, 0,
         "failure", {"failure"}, 1, HI},
        {"rival lost", {silent, breaks, healthy},
         3 * S, OFF, 0, 3, 3000, 3010,
         "first_token", {"first_token", "failure"}, 2, HI},
        {"rival refused", {silent, refuses, healthy},
         3 * S, OFF, 0, 3, 3000, 3010,
         "first_token", {"first_token", "failure"}, 2, HI},
        {"rival redirected", {silent, redirects, healthy},
         3 * S, OFF, 0, 3, 3000, 3010,
         "first_token", {"first_token", "failure"}, 2, HI},
        {"held, stalled", {stalls, healthy},
         OFF, 2 * S, ALL, 2, 2020, 0,
         "stall", {"stall"}, 1, HI},
        {"held, stalled twice", {stalls, silent, healthy},
         OFF, 2 * S, ALL, 3, 2020, 4020,
         "stall", {"stall", "stall"}, 2, HI},
        {"held, lead comes back", {comes_back, silent},
         OFF, 2 * S, ALL, 2, 2020, 0,
         "stall", {"stall"}, 0, DELTA("Hal") DELTA("lo") STOP DONE},
        {"window over", {comes_back, silent},
         OFF, 3 * S, S, 2, -1, 0,
         "", {""}, 0, DELTA("Hal") DELTA("lo") STOP DONE},
        {"committed, stalled", {comes_back, healthy},
         OFF, 2 * S, 0, 2, -1, 0,
         "", {""}, 0, DELTA("Hal") DELTA("lo") STOP DONE},
        {"spent", {silent, comes_back},
         3 * S, S, ALL, 2, 3000, 0,
         "first_token", {"first_token"}, 1, DELTA("Hal") DELTA("lo") STOP DONE},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        check_launch(&rows[i]);
}

/* R5: what is held goes out, in order, when there is no more room. */
static void test_driver_gives_at_the_limit(void **state)
{
    (void)state;
    for (int rival = 0; rival < 2; rival++) {
        open_with(3 * S);
        bench.policy.hedge.hold_ns = ALL;
        bench.policy.hedge.hold_limit_bytes = strlen(OK_HEAD DELTA("Hal")) + 10;
        BENCH_RUN(rival ? silent : comes_back, comes_back);
        CHECK_TEXT("body", bench.body, DELTA("Hal") DELTA("lo") STOP DONE);
        CHECK_TEXT("head", bench.head, OK_HEAD);
        CHECK_INT("winner", bench.entry->call.winner, rival);
        CHECK_INT("delivered", bench.entry->call.delivered_ms,
                  rival ? 7020 : 4020);
        bench_close("limit");
    }
}

/* R5: a body that only the application can read is committed; nobody waits
 * for content in it. */
static void test_driver_gives_what_it_cannot_read(void **state)
{
    static const struct row {
        const char *name;
        CURLoption id;
        long value;
        unsigned requests;
    } rows[] = {
        {"not asked for", CURLOPT_MAXREDIRS, 1, 1},
        {"not decoded", CURLOPT_HTTP_CONTENT_DECODING, 0, 1},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(3 * S);
        if (rows[i].id == CURLOPT_HTTP_CONTENT_DECODING)
            bench_set(CURLOPT_ACCEPT_ENCODING, "");
        bench_set(rows[i].id, rows[i].value);
        BENCH_RUN(packed, healthy);
        CHECK_INT(rows[i].name, fake.requests, rows[i].requests);
        CHECK_TEXT(rows[i].name, bench.body, "\x1b\x01\x02");
        CHECK_TEXT(rows[i].name, bench.entry->call.outcome, "ok");
        bench_close(rows[i].name);
    }
}

/* R3: a redirect that libcurl follows, and a round of authentication, are no
 * answer yet. */
static void test_driver_waits_for_the_last_block(void **state)
{
    static const struct fake_beat rounds[] = {
        HEAD(10, "HTTP/1.1 100 Continue\r\n\r\n"),
        HEAD(20, "HTTP/1.1 307 Temporary Redirect\r\nlocation: /x\r\n\r\n"),
        HEAD(30, "HTTP/1.1 401 Unauthorized\r\n\r\n"),
        HEAD(40, OK_HEAD),
        BODY(50, DELTA("Hi")),
        BODY(60, STOP),
        BODY(60, DONE),
        END(70, CURLE_OK),
    };

    (void)state;
    open_with(3 * S);
    bench.policy.hedge.failover.status[307] = true;
    bench.policy.hedge.failover.status[401] = true;
    bench_set(CURLOPT_FOLLOWLOCATION, 1L);
    bench_set(CURLOPT_HTTPAUTH, CURLAUTH_ANY);
    BENCH_RUN(rounds, healthy);
    CHECK_INT("requests", fake.requests, 1);
    CHECK_TEXT("body", bench.body, HI);
    CHECK_INT("status", bench.entry->call.http_status, 200);
    assert_non_null(strstr(bench.head, "307"));
    bench_close("rounds");
}

/* Which calls race at all; the others are watched, or left alone. */
static void test_driver_races_what_can_be_raced(void **state)
{
    static const struct row {
        const char *name;
        enum uns_mode mode;
        uns_ns after_ns;
        const char *body;
        bool ours, raced;
    } rows[] = {
        {"hedge", UNS_MODE_HEDGE, 3 * S, APP_BODY, true, true},
        {"off", UNS_MODE_OFF, 3 * S, APP_BODY, false, false},
        {"observe", UNS_MODE_OBSERVE, 3 * S, APP_BODY, true, false},
        {"several", UNS_MODE_HEDGE, 3 * S,
         "{\"model\":\"m\",\"messages\":[],\"n\":2}", true, false},
        {"stateful", UNS_MODE_HEDGE, 3 * S,
         "{\"model\":\"m\",\"messages\":[],\"background\":true}", true, false},
        {"no LLM's body", UNS_MODE_HEDGE, 3 * S, "{\"hello\":\"world\"}", false,
         false},
        {"nothing set", UNS_MODE_HEDGE, OFF, APP_BODY, true, false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].after_ns);
        memset(&bench.policy.hedge.failover, 0,
               sizeof bench.policy.hedge.failover);
        bench.policy.mode = rows[i].mode;
        bench_set(CURLOPT_POSTFIELDS, rows[i].body);
        BENCH_RUN(healthy, healthy);
        CHECK_INT(rows[i].name, bench.ours, rows[i].ours);
        CHECK_INT(rows[i].name, fake.multis > 0, rows[i].raced);
        CHECK_TEXT(rows[i].name, bench.body, HI);
        CHECK_INT(rows[i].name, bench.entries, rows[i].ours);
        bench_close(rows[i].name);
    }
}

static void test_driver_takes_what_it_is_told_to(void **state)
{
    (void)state;
    open_with(OFF);
    bench_set(CURLOPT_POSTFIELDS, "hello");
    bench.app->forced = true;
    BENCH_RUN(healthy);
    CHECK_INT("forced", bench.ours, true);
    bench_close("forced");
}

/* Connections are kept from call to call: one multi for a handle's life. */
static void test_driver_keeps_its_lane(void **state)
{
    (void)state;
    open_with(3 * S);
    BENCH_RUN(healthy);
    BENCH_RUN(healthy, healthy);
    CHECK_INT("calls", bench.entries, 2);
    CHECK_INT("multis", fake.multis, 1);
    CHECK_TEXT("body", bench.body, HI HI);
    bench_close("lane");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver_asks_one_when_all_is_well),
        cmocka_unit_test(test_driver_wakes_up_for_a_reason),
        cmocka_unit_test(test_driver_wakes_up_in_time),
        cmocka_unit_test(test_driver_asks_when_the_rules_say),
        cmocka_unit_test(test_driver_gives_at_the_limit),
        cmocka_unit_test(test_driver_gives_what_it_cannot_read),
        cmocka_unit_test(test_driver_waits_for_the_last_block),
        cmocka_unit_test(test_driver_races_what_can_be_raced),
        cmocka_unit_test(test_driver_takes_what_it_is_told_to),
        cmocka_unit_test(test_driver_keeps_its_lane),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
