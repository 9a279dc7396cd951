/* SPDX-License-Identifier: MIT */
/* What is known of a call while it runs (P3, P4). */
#include "bench.h"

#include "check.h"
#include "engine/facts.h"
#include "engine/keep.h"

#include <unistd.h>

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hi")), BODY(500, STOP),
    BODY(500, DONE),    END(600, CURLE_OK),
};

/* The facts as they are when the application is given a piece. */
static struct {
    struct uns_call_record call;
    struct uns_attempt_record attempt[2];
    unsigned count;
} seen;

static size_t look(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    const struct uns_call *call = uns_keep_of(bench.app)->call;

    (void)kind;
    (void)bytes;
    uns_call_record_clear(&seen.call);
    uns_facts_call(call, &seen.call);
    for (unsigned i = 0; i < call->attempts; i++) {
        uns_attempt_record_clear(&seen.attempt[i]);
        uns_facts_attempt(call->attempt[i], &seen.attempt[i]);
    }
    seen.count = call->attempts;
    return len;
}

static void open_looking(enum uns_mode mode)
{
    bench_open();
    bench_sources(1);
    bench.policy.mode = mode;
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    bench.taker = look;
    seen.count = 0;
}

static void test_facts_of_a_call_are_whole_while_it_runs(void **state)
{
    (void)state;
    open_looking(UNS_MODE_HEDGE);
    BENCH_RUN(silent, healthy);
    CHECK_TEXT("endpoint", seen.call.endpoint,
               "https://app.example:8443/v1/chat/completions");
    CHECK_TEXT("dialect", seen.call.dialect, "chat");
    CHECK_TEXT("model", seen.call.model, "gpt-4o");
    CHECK_TEXT("mode", seen.call.mode, "hedge");
    CHECK_TEXT("reason", seen.call.hedge_reason, "first_token");
    CHECK_TEXT("program", seen.call.program, "test_facts");
    CHECK_TEXT("uuid", seen.call.uuid, bench.entry->call.uuid);
    CHECK_INT("pid", seen.call.pid, getpid());
    CHECK_INT("started", seen.call.started_at, bench.entry->call.started_at);
    CHECK_INT("streaming", seen.call.streaming, 1);
    CHECK_TEXT("outcome", seen.call.outcome, "");
    CHECK_INT("wall", seen.call.wall_ms, UNS_NULL);
    bench_close("call");
}

static void test_facts_of_attempts_say_where_when_and_why(void **state)
{
    (void)state;
    open_looking(UNS_MODE_HEDGE);
    BENCH_RUN(silent, healthy);
    CHECK_INT("attempts", seen.count, 2);
    CHECK_TEXT("source", seen.attempt[0].source, "primary");
    CHECK_TEXT("origin", seen.attempt[0].origin, "https://app.example:8443");
    CHECK_TEXT("why", seen.attempt[0].why, "");
    CHECK_INT("started", seen.attempt[0].started_ms, 0);
    CHECK_TEXT("source", seen.attempt[1].source, "one");
    CHECK_TEXT("origin", seen.attempt[1].origin, "https://one.example");
    CHECK_TEXT("why", seen.attempt[1].why, "first_token");
    CHECK_INT("started", seen.attempt[1].started_ms, 3000);
    CHECK_TEXT("outcome", seen.attempt[1].outcome, "");
    bench_close("attempts");
}

/* P3: the application's URL has a password and a key in it. */
static void test_facts_hold_no_secret(void **state)
{
    static const char *const secrets[] = {"pass", "app-url-secret", "key="};

    (void)state;
    open_looking(UNS_MODE_OBSERVE);
    BENCH_RUN(healthy);
    assert_int_equal(seen.count, 1);
    for (size_t i = 0; i < ROWS(secrets); i++) {
        size_t len = strlen(secrets[i]);

        CHECK_INT(secrets[i],
                  memmem(&seen.call, sizeof seen.call, secrets[i], len) != NULL,
                  false);
        CHECK_INT(secrets[i],
                  memmem(seen.attempt, sizeof *seen.attempt, secrets[i], len) !=
                      NULL,
                  false);
    }
    bench_close("secrets");
}

/* A phase of 0 us did not take place: that is NULL, not 0. */
static void test_facts_leave_out_phases_that_did_not_take_place(void **state)
{
    static const struct {
        const char *name;
        int64_t dns_us, connect_us, tls_us;
        int64_t dns_ms, connect_ms, tls_ms;
    } rows[] = {
        {"all", 5000, 15000, 45000, 5, 10, 30},
        {"an address, in the clear", 0, 15000, 0, UNS_NULL, 15, UNS_NULL},
        {"no TLS", 5000, 15000, 0, 5, 10, UNS_NULL},
        {"a connection kept", 0, 0, 0, UNS_NULL, UNS_NULL, UNS_NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct fake_info infos[] = {
            {CURLINFO_NAMELOOKUP_TIME_T, {.o = rows[i].dns_us}},
            {CURLINFO_CONNECT_TIME_T, {.o = rows[i].connect_us}},
            {CURLINFO_APPCONNECT_TIME_T, {.o = rows[i].tls_us}},
            {0, {.l = 0}},
        };

        open_looking(UNS_MODE_OBSERVE);
        fake.infos[0] = infos;
        BENCH_RUN(healthy);
        CHECK_INT(rows[i].name, bench.entry->call.dns_ms, rows[i].dns_ms);
        CHECK_INT(rows[i].name, bench.entry->call.connect_ms,
                  rows[i].connect_ms);
        CHECK_INT(rows[i].name, bench.entry->call.tls_ms, rows[i].tls_ms);
        bench_close(rows[i].name);
    }
}

/* Two calls in the same microsecond have two names. */
static void test_facts_name_each_call(void **state)
{
    char first[sizeof bench.entry->call.uuid];

    (void)state;
    open_looking(UNS_MODE_HEDGE);
    BENCH_RUN(breaks, breaks);
    memcpy(first, bench.entry->call.uuid, sizeof first);
    BENCH_RUN(breaks, breaks);
    assert_string_not_equal(first, bench.entry->call.uuid);
    bench_close("names");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_facts_of_a_call_are_whole_while_it_runs),
        cmocka_unit_test(test_facts_of_attempts_say_where_when_and_why),
        cmocka_unit_test(test_facts_hold_no_secret),
        cmocka_unit_test(test_facts_leave_out_phases_that_did_not_take_place),
        cmocka_unit_test(test_facts_name_each_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
