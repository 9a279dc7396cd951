/* SPDX-License-Identifier: MIT */
/* P4, P8: what is recorded of a call. */
#include "bench.h"

#include "check.h"

#include "core/timeline.h"

#include <stdio.h>
#include <unistd.h>

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD),
    BODY(200, ROLE),
    BODY(300, DELTA("Hel")),
    BODY(3400, DELTA("lo")),
    BODY(3500, STOP),
    BODY(3600, "data: {\"model\":\"gpt-4o-2\",\"choices\":[],\"usage\":"
               "{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\n"),
    BODY(3600, DONE),
    END(3700, CURLE_OK),
};
static const struct fake_beat role_only[] = {
    HEAD(100, OK_HEAD),
    BODY(200, ROLE),
    SILENCE,
};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};
static const struct fake_beat stalls[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    SILENCE,
};
static const struct fake_beat cut[] = {
    HEAD(10, OK_HEAD),
    BODY(20, DELTA("Hal")),
    END(30, CURLE_OK),
};
static const struct fake_beat answers_500[] = {
    HEAD(10, "HTTP/1.1 500 Internal Server Error\r\n\r\n"),
    BODY(20, "no"),
    END(30, CURLE_OK),
};
static const struct fake_beat answers_401[] = {
    HEAD(10, "HTTP/1.1 401 Unauthorized\r\n\r\n"),
    BODY(20, "no"),
    END(30, CURLE_OK),
};
static const struct fake_beat fails_inside[] = {
    HEAD(10, OK_HEAD),
    BODY(20, "data: {\"error\":{\"type\":\"overloaded_error\"}}\n\n"),
    END(30, CURLE_OK),
};

static void open_with(enum uns_mode mode)
{
    bench_open();
    bench_sources(1);
    bench.policy.mode = mode;
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_FIXED, .fixed_ns = 3 * UNS_S};
    bench.policy.hedge.failover.status[500] = true;
    bench_set(CURLOPT_TIMEOUT, 30L);
}

static const struct uns_call_record *record(void)
{
    assert_int_equal(bench.entries, 1);
    return &bench.entry->call;
}

static void test_ledger_records_a_call_that_is_only_watched(void **state)
{
    const struct uns_call_record *r;

    (void)state;
    open_with(UNS_MODE_OBSERVE);
    BENCH_RUN(healthy);
    r = record();
    CHECK_TEXT("endpoint", r->endpoint,
               "https://app.example:8443/v1/chat/completions");
    CHECK_TEXT("dialect", r->dialect, "chat");
    CHECK_TEXT("model", r->model, "gpt-4o");
    CHECK_TEXT("served", r->model_served, "gpt-4o-2");
    CHECK_TEXT("mode", r->mode, "observe");
    CHECK_TEXT("outcome", r->outcome, "ok");
    CHECK_TEXT("reason", r->hedge_reason, "");
    CHECK_TEXT("program", r->program, "test_ledger");
    CHECK_INT("pid", r->pid, getpid());
    CHECK_INT("started", r->started_at / 1000000, 1700001000);
    CHECK_INT("streaming", r->streaming, 1);
    CHECK_INT("status", r->http_status, 200);
    CHECK_INT("code", r->curl_code, 0);
    CHECK_INT("winner", r->winner, 0);
    CHECK_INT("attempts", r->attempts, 1);
    CHECK_INT("tokens in", r->tokens_in, 7);
    CHECK_INT("tokens out", r->tokens_out, 2);
    CHECK_INT("wall", r->wall_ms, 3700);
    CHECK_INT("delivered", r->delivered_ms, 100);
    CHECK_INT("ttft", r->ttft_ms, 300);
    CHECK_INT("generation", r->generation_ms, 3100);
    CHECK_INT("stall", r->stall_ms, 3100);
    CHECK_INT("stalls", r->stall_count, 1);
    CHECK_INT("active", r->active_generation_ms, 0);
    CHECK_INT("net", r->net_ms, 600);
    CHECK_INT("tail", r->tail_ms, 300);
    CHECK_INT("chunks", r->chunk_count, 2);
    CHECK_INT("bytes", r->bytes, (long long)strlen(bench.body));
    CHECK_INT("first byte", r->first_byte_ms, 200);
    bench_close("observe");
}

/* The winner's times count from the call, the attempt's from its start. */
static void test_ledger_counts_from_the_right_moment(void **state)
{
    const struct uns_attempt_record *a;

    (void)state;
    open_with(UNS_MODE_HEDGE);
    BENCH_RUN(silent, healthy);
    CHECK_INT("ttft", record()->ttft_ms, 3300);
    CHECK_INT("delivered", record()->delivered_ms, 3300);
    CHECK_INT("wall", record()->wall_ms, 6700);
    CHECK_INT("winner", record()->winner, 1);
    CHECK_TEXT("reason", record()->hedge_reason, "first_token");
    a = &bench.entry->attempt[1];
    CHECK_INT("seq", a->seq, 1);
    CHECK_INT("started", a->started_ms, 3000);
    CHECK_INT("ttft", a->ttft_ms, 300);
    CHECK_TEXT("source", a->source, "one");
    CHECK_TEXT("origin", a->origin, "https://one.example");
    CHECK_TEXT("why", a->why, "first_token");
    CHECK_TEXT("outcome", a->outcome, "won");
    a = &bench.entry->attempt[0];
    CHECK_TEXT("source", a->source, "primary");
    CHECK_TEXT("origin", a->origin, "https://app.example:8443");
    CHECK_TEXT("why", a->why, "");
    CHECK_TEXT("outcome", a->outcome, "hedge_cancelled");
    CHECK_INT("status", a->http_status, UNS_NULL);
    CHECK_INT("code", a->curl_code, UNS_NULL);
    CHECK_INT("wall", a->wall_ms, 3300);
    bench_close("hedge");
}

static size_t take_nothing(enum uns_piece_kind kind, const char *bytes,
                           size_t len)
{
    (void)bytes;
    return kind == UNS_PIECE_HEADER ? len : 0;
}

/* Every word, and whose answer it was: NULL when it was nobody's. */
static void test_ledger_has_a_word_for_every_end(void **state)
{
    /* clang-format off */
    static const struct row {
        const char *name;
        enum uns_mode mode;
        const struct fake_beat *first, *second;
        bench_taker *taker;
        const char *outcome;
        int64_t winner, status;
        const char *outcomes[2];
    } rows[] = {
        {"ok",               UNS_MODE_HEDGE,   healthy,      silent,      NULL,
         "ok",        0,        200,      {"won", ""}},
        {"ok, rival's",      UNS_MODE_HEDGE,   breaks,       healthy,     NULL,
         "ok",        1,        200,      {"failed", "won"}},
        {"refused",          UNS_MODE_HEDGE,   answers_401,  silent,      NULL,
         "refused",   0,        401,      {"won", ""}},
        {"refused, watched", UNS_MODE_OBSERVE, answers_401,  silent,      NULL,
         "refused",   0,        401,      {"won", ""}},
        {"failed",           UNS_MODE_HEDGE,   breaks,       answers_401, NULL,
         "failed",    UNS_NULL, UNS_NULL, {"failed", "failed"}},
        {"failed, status",   UNS_MODE_HEDGE,   answers_500,  breaks,      NULL,
         "failed",    0,        500,      {"failed", "failed"}},
        {"failed, watched",  UNS_MODE_OBSERVE, answers_500,  silent,      NULL,
         "failed",    0,        500,      {"failed", ""}},
        {"failed inside",    UNS_MODE_OBSERVE, fails_inside, silent,      NULL,
         "failed",    0,        200,      {"failed", ""}},
        {"broken, watched",  UNS_MODE_OBSERVE, breaks,       silent,      NULL,
         "failed",    UNS_NULL, UNS_NULL, {"failed", ""}},
        {"truncated",        UNS_MODE_HEDGE,   cut,          silent,      NULL,
         "truncated", 0,        200,      {"won", ""}},
        {"timeout",          UNS_MODE_HEDGE,   silent,       silent,      NULL,
         "timeout",   UNS_NULL, UNS_NULL, {"failed", "failed"}},
        {"timeout, kept",    UNS_MODE_HEDGE,   role_only,    silent,      NULL,
         "timeout",   0,        200,      {"won", "failed"}},
        {"timeout, watched", UNS_MODE_OBSERVE, role_only,    silent,      NULL,
         "timeout",   0,        200,      {"won", ""}},
        {"timeout, stalled", UNS_MODE_HEDGE,   stalls,       silent,      NULL,
         "truncated", 0,        200,      {"won", ""}},
        {"aborted",          UNS_MODE_HEDGE,   healthy,      silent,      take_nothing,
         "aborted",   0,        200,      {"won", ""}},
        {"aborted, watched", UNS_MODE_OBSERVE, healthy,      silent,      take_nothing,
         "aborted",   0,        200,      {"won", ""}},
    };

    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].mode);
        bench.taker = rows[i].taker;
        BENCH_RUN(rows[i].first, rows[i].second);
        CHECK_TEXT(rows[i].name, record()->outcome, rows[i].outcome);
        CHECK_INT(rows[i].name, record()->winner, rows[i].winner);
        CHECK_INT(rows[i].name, record()->http_status, rows[i].status);
        CHECK_INT(rows[i].name, bench.entry->attempts,
                  rows[i].outcomes[1][0] ? 2 : 1);
        for (unsigned a = 0; a < 2; a++)
            CHECK_TEXT(rows[i].name, bench.entry->attempt[a].outcome,
                       rows[i].outcomes[a]);
        bench_close(rows[i].name);
    }
}

/* What cannot be told is NULL, never 0. */
static void test_ledger_leaves_null_what_is_not_known(void **state)
{
    const struct uns_call_record *r;

    (void)state;
    open_with(UNS_MODE_HEDGE);
    BENCH_RUN(silent, breaks);
    r = record();
    CHECK_INT("status", r->http_status, UNS_NULL);
    CHECK_INT("ttft", r->ttft_ms, UNS_NULL);
    CHECK_INT("delivered", r->delivered_ms, UNS_NULL);
    CHECK_INT("generation", r->generation_ms, UNS_NULL);
    CHECK_INT("stall", r->stall_ms, UNS_NULL);
    CHECK_INT("stalls", r->stall_count, UNS_NULL);
    CHECK_INT("gap", r->max_gap_ms, UNS_NULL);
    CHECK_INT("tail", r->tail_ms, UNS_NULL);
    CHECK_INT("tokens", r->tokens_in, UNS_NULL);
    CHECK_INT("dns", r->dns_ms, UNS_NULL);
    CHECK_INT("tls", r->tls_ms, UNS_NULL);
    CHECK_INT("net", r->net_ms, r->wall_ms);
    CHECK_INT("code", bench.entry->attempt[1].curl_code, CURLE_RECV_ERROR);
    bench_close("null");
}

/* Not a stream: one chunk, no gaps. */
static void test_ledger_records_a_document(void **state)
{
    static const struct fake_beat document[] = {
        HEAD(100, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"),
        BODY(400, "{\"choices\":[{\"index\":0,\"message\":{\"role\":"
                  "\"assistant\",\"content\":\"Hi\"},"),
        BODY(500, "\"finish_reason\":\"stop\"}]}"),
        END(600, CURLE_OK),
    };

    (void)state;
    open_with(UNS_MODE_HEDGE);
    bench_set(CURLOPT_POSTFIELDS, "{\"model\":\"m\",\"messages\":[]}");
    BENCH_RUN(document, silent);
    CHECK_TEXT("outcome", record()->outcome, "ok");
    CHECK_INT("streaming", record()->streaming, 0);
    CHECK_INT("chunks", record()->chunk_count, 1);
    CHECK_INT("generation", record()->generation_ms, UNS_NULL);
    CHECK_INT("stall", record()->stall_ms, UNS_NULL);
    bench_close("document");
}

static void test_ledger_has_the_phases_of_the_connection(void **state)
{
    static const struct fake_info infos[] = {
        {CURLINFO_NAMELOOKUP_TIME_T, {.o = 5000}},
        {CURLINFO_CONNECT_TIME_T, {.o = 15000}},
        {CURLINFO_APPCONNECT_TIME_T, {.o = 45000}},
        {0, {.l = 0}},
    };

    (void)state;
    open_with(UNS_MODE_HEDGE);
    fake.infos[1] = infos;
    BENCH_RUN(silent, healthy);
    CHECK_INT("dns", record()->dns_ms, 5);
    CHECK_INT("connect", record()->connect_ms, 10);
    CHECK_INT("tls", record()->tls_ms, 30);
    CHECK_INT("none", bench.entry->attempt[0].dns_ms, UNS_NULL);
    CHECK_INT("attempt's", bench.entry->attempt[1].tls_ms, 30);
    bench_close("phases");
}

static unsigned chunks_of(unsigned a)
{
    struct uns_moment moment = {0};
    unsigned chunks = 0;
    size_t at = 0;

    while (uns_timeline_next(bench.entry->timeline[a].data,
                             bench.entry->timeline[a].len, &at, &moment))
        chunks += moment.mark == UNS_MARK_CHUNK ? moment.count : 0;
    return chunks;
}

static void test_ledger_keeps_timelines(void **state)
{
    (void)state;
    open_with(UNS_MODE_HEDGE);
    BENCH_RUN(silent, healthy);
    CHECK_INT("loser", chunks_of(0), 0);
    CHECK_INT("winner", chunks_of(1), 2);
    CHECK_INT("threshold", bench.entry->stall_threshold_ns, 2 * UNS_S);
    bench_close("timeline");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ledger_records_a_call_that_is_only_watched),
        cmocka_unit_test(test_ledger_counts_from_the_right_moment),
        cmocka_unit_test(test_ledger_has_a_word_for_every_end),
        cmocka_unit_test(test_ledger_leaves_null_what_is_not_known),
        cmocka_unit_test(test_ledger_records_a_document),
        cmocka_unit_test(test_ledger_has_the_phases_of_the_connection),
        cmocka_unit_test(test_ledger_keeps_timelines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
