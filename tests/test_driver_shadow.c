/* SPDX-License-Identifier: MIT */
/* R12: a second request that is only measured.  What the application gets, and
 * when, is what it would have got without. */
#include "bench.h"

#include "check.h"
#include "engine/budget.h"

#include <stdio.h>
#include <stdlib.h>

#define HI DELTA("Hi") STOP DONE

static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD), BODY(300, DELTA("Hi")), BODY(500, STOP),
    BODY(500, DONE),    END(600, CURLE_OK),
};
static const struct fake_beat quick[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Ho")), BODY(30, STOP),
    BODY(30, DONE),    END(40, CURLE_OK),
};
static const struct fake_beat stalls[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    SILENCE,
};
static const struct fake_beat comes_back[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Hal")), BODY(4020, DELTA("lo")),
    BODY(4030, STOP),  BODY(4030, DONE),       END(4040, CURLE_OK),
};
static const struct fake_beat cut[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Hal")), END(30, CURLE_RECV_ERROR)};
static const struct fake_beat errs[] = {
    HEAD(10, OK_HEAD), BODY(20, "data: {\"error\":{\"code\":\"oops\"}}\n\n"),
    END(30, CURLE_OK)};
static const struct fake_beat refuses[] = {
    HEAD(10, "HTTP/1.1 429 Too Many Requests\r\nretry-after: 5\r\n\r\n"),
    BODY(20, "slow down"),
    END(30, CURLE_OK),
};
static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat times_out[] = {HEAD(10, OK_HEAD),
                                             BODY(20, DELTA("Hal")),
                                             END(50, CURLE_OPERATION_TIMEDOUT)};
static const struct fake_beat aborts[] = {END(10, CURLE_ABORTED_BY_CALLBACK)};
static const struct fake_beat fails_to_write[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Hal")), END(20, CURLE_WRITE_ERROR)};

struct play {
    const char *name;
    const struct fake_beat *beats;
};

static const struct play plays[] = {
    {"healthy", healthy}, {"quick", quick},
    {"stalls", stalls},   {"comes back", comes_back},
    {"cut", cut},         {"errs", errs},
    {"refuses", refuses}, {"silent", silent},
    {"breaks", breaks},   {"times out", times_out},
    {"aborts", aborts},   {"fails to write", fails_to_write},
};

/* Everything that could make a rival lead is on, and must not. */
static void open_with(enum uns_mode mode)
{
    bench_open();
    bench_sources(1);
    bench.policy.mode = mode;
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = UNS_S};
    bench.policy.hedge.stall_after_ns = UNS_S;
    bench.policy.hedge.hold_ns = UNS_NEVER;
    bench.policy.hedge.failover.status[429] = true;
    bench_set(CURLOPT_TIMEOUT, 30L);
}

/* How the application behaves. */
static size_t take_one(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    static const char last[] = "[DONE]";

    (void)kind;
    return memmem(bytes, len, last, sizeof last - 1) ? 0 : len;
}

struct heard {
    CURLcode code;
    long long ms;
    char pieces[sizeof bench.pieces], body[4096], head[4096];
    char error[CURL_ERROR_SIZE];
};

static void run(enum uns_mode mode, const struct fake_beat *primary,
                const struct fake_beat *shadow, bench_taker *taker,
                struct heard *ret_heard)
{
    open_with(mode);
    bench.taker = taker;
    BENCH_RUN(primary, shadow);
    ret_heard->code = bench.code;
    ret_heard->ms = (fake.now_ns - fake.request[0]->start_ns) / UNS_MS;
    memcpy(ret_heard->pieces, bench.pieces, sizeof bench.pieces);
    memcpy(ret_heard->body, bench.body, sizeof ret_heard->body);
    memcpy(ret_heard->head, bench.head, sizeof ret_heard->head);
    memcpy(ret_heard->error, bench.error, sizeof bench.error);
}

static void compare(const struct play *primary, const struct play *shadow,
                    bench_taker *taker)
{
    static struct heard alone, beside;
    char row[64];

    (void)snprintf(row, sizeof row, "%s beside %s", shadow->name,
                   primary->name);
    run(UNS_MODE_OBSERVE, primary->beats, NULL, taker, &alone);
    bench_close(row);
    run(UNS_MODE_SHADOW, primary->beats, shadow->beats, taker, &beside);
    CHECK_INT(row, fake.requests, 2);
    CHECK_INT(row, bench.entry->call.winner == 1, false);
    CHECK_TEXT(row, bench.entry->attempt[1].outcome, "shadow");
    bench_close(row);
    CHECK_INT(row, beside.code, alone.code);
    CHECK_INT(row, beside.ms, alone.ms);
    CHECK_TEXT(row, beside.pieces, alone.pieces);
    CHECK_TEXT(row, beside.body, alone.body);
    CHECK_TEXT(row, beside.head, alone.head);
    CHECK_TEXT(row, beside.error, alone.error);
}

/* R12, P1, P6: whatever the primary does, whatever the shadow does. */
static void test_shadow_changes_nothing_for_the_application(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(plays); i++)
        for (size_t j = 0; j < ROWS(plays); j++) {
            compare(&plays[i], &plays[j], NULL);
            compare(&plays[i], &plays[j], take_one);
        }
}

/* R12: it starts with the call. */
static void test_shadow_starts_with_the_call(void **state)
{
    (void)state;
    open_with(UNS_MODE_SHADOW);
    BENCH_RUN(healthy, quick);
    CHECK_INT("start", fake.request[1]->start_ns - fake.request[0]->start_ns,
              0);
    CHECK_INT("started", bench.entry->attempt[1].started_ms, 0);
    bench_close("start");
}

/* R12: metrics of its own; it is no hedge, and nobody's reason. */
static void test_shadow_is_recorded_apart(void **state)
{
    const struct uns_entry *entry;

    (void)state;
    open_with(UNS_MODE_SHADOW);
    BENCH_RUN(healthy, quick);
    entry = bench.entry;
    CHECK_TEXT("mode", entry->call.mode, "shadow");
    CHECK_TEXT("outcome", entry->call.outcome, "ok");
    CHECK_TEXT("reason", entry->call.hedge_reason, "");
    CHECK_INT("winner", entry->call.winner, 0);
    CHECK_INT("attempts", entry->call.attempts, 2);
    CHECK_INT("ttft", entry->call.ttft_ms, 300);
    CHECK_TEXT("primary", entry->attempt[0].outcome, "won");
    CHECK_TEXT("why", entry->attempt[1].why, "shadow");
    CHECK_TEXT("source", entry->attempt[1].source, "one");
    CHECK_INT("its ttft", entry->attempt[1].ttft_ms, 20);
    CHECK_INT("its wall", entry->attempt[1].wall_ms, 40);
    CHECK_INT("its code", entry->attempt[1].curl_code, CURLE_OK);
    bench_close("apart");
}

/* R12: cancelled with the call, and its times tell "longer than". */
static void test_shadow_is_cut_off_with_the_call(void **state)
{
    const struct uns_attempt_record *shadow;

    (void)state;
    open_with(UNS_MODE_SHADOW);
    BENCH_RUN(quick, healthy);
    shadow = &bench.entry->attempt[1];
    CHECK_TEXT("outcome", shadow->outcome, "shadow");
    CHECK_INT("ttft", shadow->ttft_ms == UNS_NULL, true);
    CHECK_INT("code", shadow->curl_code == UNS_NULL, true);
    CHECK_INT("wall", shadow->wall_ms, 40);
    CHECK_INT("call", bench.entry->call.wall_ms, 40);
    bench_close("cut off");
}

/* R11, P5: it takes a token, for which it does not wait. */
static void test_shadow_costs_a_token(void **state)
{
    (void)state;
    open_with(UNS_MODE_SHADOW);
    BENCH_RUN(healthy, quick);
    CHECK_INT("taken", bench.taken, 1);
    CHECK_INT("patience", bench.patience_ms, 0);
    assert_ptr_equal(bench.entry->pays, &bench.policy.hedge);
    bench_close("token");
}

/* Without one the call says why it had no shadow. */
static void test_shadow_needs_what_a_rival_needs(void **state)
{
    static const struct {
        const char *name, *broke;
        uint8_t max;
        const char *members, *reason;
        bool keyless;
    } rows[] = {
        {"no token", "budget_exhausted", 2, "", "budget_exhausted", false},
        {"locked", uns_budget_busy, 2, "", "budget_unreadable", false},
        {"one request", NULL, 1, "", "max_attempts", false},
        {"no key", NULL, 2, "", "no_key", true},
        {"bound", NULL, 2, ",\"previous_response_id\":\"r\"", "not_movable",
         false},
        {"stateful", NULL, 2, ",\"background\":true", "", false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char body[256];

        open_with(UNS_MODE_SHADOW);
        (void)snprintf(body, sizeof body,
                       "{\"model\":\"m\",\"stream\":true,\"messages\":[]%s}",
                       rows[i].members);
        bench_set(CURLOPT_POSTFIELDS, body);
        bench.broke = rows[i].broke;
        bench.policy.hedge.max_attempts = rows[i].max;
        if (rows[i].keyless)
            unsetenv("KEY_ONE");
        BENCH_RUN(healthy, quick);
        CHECK_INT(rows[i].name, fake.requests, 1);
        CHECK_TEXT(rows[i].name, bench.body, HI);
        CHECK_INT(rows[i].name, bench.entry->call.wall_ms, 600);
        CHECK_TEXT(rows[i].name, bench.entry->call.hedge_reason,
                   rows[i].reason);
        bench_close(rows[i].name);
    }
}

/* P3. */
static void test_shadow_has_the_sources_key_alone(void **state)
{
    static const char *const lines[] = {"Authorization: Bearer app-secret",
                                        "X-Own: app-secret"};

    (void)state;
    open_with(UNS_MODE_SHADOW);
    bench_headers(lines, ROWS(lines));
    BENCH_RUN(healthy, quick);
    CHECK_INT("requests", fake.requests, 2);
    assert_false(bench_leaked(fake.request[1], "app-secret"));
    assert_false(bench_leaked(fake.request[1], "app-url-secret"));
    assert_true(bench_leaked(fake.request[1], "sk-one"));
    bench_close("keys");
}

/* P6: the progress callback is about the application's own transfer. */
static int on_progress(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                       curl_off_t d)
{
    (void)arg, (void)a, (void)b, (void)c, (void)d;
    return 0;
}

static void test_shadow_has_no_progress_callback(void **state)
{
    (void)state;
    open_with(UNS_MODE_SHADOW);
    bench.policy.source_count = 0; /* itself: with all that was set */
    bench_set(CURLOPT_NOPROGRESS, 0L);
    bench_set(CURLOPT_XFERINFOFUNCTION, on_progress);
    BENCH_RUN(healthy, quick);
    CHECK_INT("requests", fake.requests, 2);
    CHECK_INT("set",
              fake_opt(fake.request[1], CURLOPT_XFERINFOFUNCTION)->value.p !=
                  NULL,
              false);
    bench_close("progress");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shadow_changes_nothing_for_the_application),
        cmocka_unit_test(test_shadow_starts_with_the_call),
        cmocka_unit_test(test_shadow_is_recorded_apart),
        cmocka_unit_test(test_shadow_is_cut_off_with_the_call),
        cmocka_unit_test(test_shadow_costs_a_token),
        cmocka_unit_test(test_shadow_needs_what_a_rival_needs),
        cmocka_unit_test(test_shadow_has_the_sources_key_alone),
        cmocka_unit_test(test_shadow_has_no_progress_callback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
