/* SPDX-License-Identifier: MIT */
/* The faults of UNSTALL_INJECT on the driver: what the application sees is what
 * a server that behaves so would give it.  Statuses need a real libcurl:
 * integration/inject.bats. */
#include "bench.h"

#include "check.h"
#include "core/ascii.h"
#include "engine/grip.h"
#include "engine/info.h"

#define WORD(w) DELTA(w)

static const struct fake_beat at_once[] = {
    HEAD(10, OK_HEAD), BODY(10, WORD("a") WORD("b") WORD("c") STOP DONE),
    END(10, CURLE_OK)};
static const struct fake_beat healthy[] = {
    HEAD(10, OK_HEAD), BODY(20, WORD("x") STOP DONE), END(30, CURLE_OK)};
static const struct fake_beat refuses[] = {HEAD(10, "HTTP/1.1 401 No\r\n\r\n"),
                                           BODY(10, "who?"), END(10, CURLE_OK)};

static void open_with(const char *faults)
{
    struct uns_slice word;

    bench_open();
    bench_sources(1);
    bench.injected = faults;
    assert_null(uns_inject_read(uns_slice_of(faults), &bench.inject, &word));
}

static int64_t took_ms(void)
{
    return bench.entry->call.wall_ms;
}

static void test_gate_plays_faults(void **state)
{
    static const struct {
        const char *faults;
        const struct fake_beat *play;
        const char *body;
        int code;
        int64_t took_ms, ttft_ms, stall_ms;
        const char *outcome;
    } rows[] = {
        /* clang-format off */
        {"late=2", at_once, WORD("a") WORD("b") WORD("c") STOP DONE, 0,
         2000, 2000, 0, "ok"},
        {"stall@2=5", at_once, WORD("a") WORD("b") WORD("c") STOP DONE, 0,
         5010, 10, 5000, "ok"},
        {"stall@0=5", at_once, WORD("a") WORD("b") WORD("c") STOP DONE, 0,
         5010, 5010, 0, "ok"},
        {"stall@3=5", at_once, WORD("a") WORD("b") WORD("c") STOP DONE, 0,
         5010, 10, 0, "ok"},
        {"drip=3", at_once, WORD("a") WORD("b") WORD("c") STOP DONE, 0,
         9010, 10, 6000, "ok"},
        {"cut@2", at_once, WORD("a") WORD("b"), CURLE_PARTIAL_FILE,
         10, 10, 0, "truncated"},
        {"cut@0", at_once, "", CURLE_PARTIAL_FILE, 10, UNS_NULL, UNS_NULL,
         "failed"},
        {"late=1,cut@1", at_once, WORD("a"), CURLE_PARTIAL_FILE,
         1000, 1000, UNS_NULL, "truncated"},
        {"cut@9", at_once, WORD("a") WORD("b") WORD("c") STOP DONE, 0,
         10, 10, 0, "ok"},
        {"cut@0,late=1", refuses, "who?", 0, 1000, UNS_NULL, UNS_NULL,
         "refused"},
        /* clang-format on */
    };

    (void)state;
    for (int hedge = 0; hedge < 2; hedge++)
        for (size_t i = 0; i < ROWS(rows); i++) {
            open_with(rows[i].faults);
            bench.policy.mode = hedge ? UNS_MODE_HEDGE : UNS_MODE_OBSERVE;
            BENCH_RUN(rows[i].play);
            CHECK_TEXT(rows[i].faults, bench.body, rows[i].body);
            CHECK_INT(rows[i].faults, bench.code, rows[i].code);
            CHECK_INT(rows[i].faults, took_ms(), rows[i].took_ms);
            CHECK_INT(rows[i].faults, bench.entry->call.ttft_ms,
                      rows[i].ttft_ms);
            CHECK_INT(rows[i].faults, bench.entry->call.stall_ms,
                      rows[i].stall_ms);
            CHECK_TEXT(rows[i].faults, bench.entry->call.outcome,
                       rows[i].outcome);
            CHECK_TEXT(rows[i].faults, bench.entry->call.injected,
                       rows[i].faults);
            if (rows[i].code)
                CHECK_TEXT(rows[i].faults, bench.error,
                           "transfer closed with outstanding read data "
                           "remaining");
            bench_close(rows[i].faults);
        }
}

/* libcurl has all of it after ten milliseconds. */
static void test_gate_tells_what_came_through(void **state)
{
    static const struct {
        const char *faults;
        int64_t size, total_ms;
    } rows[] = {
        {"late=2", 777, 2000},
        {"stall@2=5", 777, 5010},
        {"cut@2", sizeof(WORD("a") WORD("b")) - 1, 10},
        {"late=1,cut@1", sizeof(WORD("a")) - 1, 1000},
    };
    static const struct fake_info infos[] = {
        {CURLINFO_SIZE_DOWNLOAD_T, .value.o = 777},
        {CURLINFO_TOTAL_TIME_T, .value.o = 10000},
        {0},
    };
    curl_off_t size, total, speed;
    double seconds;

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].faults);
        fake.infos[0] = infos;
        BENCH_RUN(at_once);
        uns_info_get(bench.app, CURLINFO_SIZE_DOWNLOAD_T, &size);
        uns_info_get(bench.app, CURLINFO_TOTAL_TIME_T, &total);
        uns_info_get(bench.app, CURLINFO_TOTAL_TIME, &seconds);
        uns_info_get(bench.app, CURLINFO_SPEED_DOWNLOAD_T, &speed);
        CHECK_INT(rows[i].faults, size, rows[i].size);
        CHECK_INT(rows[i].faults, total / 1000, rows[i].total_ms);
        CHECK_INT(rows[i].faults, (int64_t)(seconds * 1000 + 0.5),
                  rows[i].total_ms);
        CHECK_INT(rows[i].faults, speed,
                  rows[i].size * 1000 / rows[i].total_ms);
        bench_close(rows[i].faults);
    }
}

/* Without the variable there is nothing of it. */
static void test_gate_is_not_there_by_itself(void **state)
{
    (void)state;
    bench_open();
    BENCH_RUN(at_once);
    CHECK_INT("at once", took_ms(), 10);
    CHECK_TEXT("not noted", bench.entry->call.injected, "");
    bench_close("none");
}

/* R2, R3: the race cannot tell them from a server's, and rivals are spared. */
static void test_gate_makes_the_race_act(void **state)
{
    static const struct {
        const char *faults;
        uns_ns after_ns;
        int64_t took_ms;
        const char *reason, *first;
    } rows[] = {
        {"late=20", 3 * UNS_S, 3020, "first_token", "hedge_cancelled"},
        {"stall@0=20", 3 * UNS_S, 3020, "first_token", "hedge_cancelled"},
        {"cut@0", 3 * UNS_S, 30, "failure", "failed"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        open_with(rows[i].faults);
        bench.policy.hedge.after = (struct uns_delay){
            .how = UNS_DELAY_FIXED, .fixed_ns = rows[i].after_ns};
        bench.policy.hedge.failover.status[503] = true;
        BENCH_RUN(at_once, healthy);
        CHECK_TEXT(rows[i].faults, bench.body, WORD("x") STOP DONE);
        CHECK_INT(rows[i].faults, took_ms() >= rows[i].took_ms, true);
        CHECK_INT(rows[i].faults, took_ms() <= rows[i].took_ms + 20, true);
        CHECK_TEXT(rows[i].faults, bench.entry->call.hedge_reason,
                   rows[i].reason);
        CHECK_TEXT(rows[i].faults, bench.entry->attempt[0].outcome,
                   rows[i].first);
        bench_close(rows[i].faults);
    }
}

/* P6: the application's own time limit strikes in the middle of it. */
static void test_gate_ends_by_the_applications_timeout(void **state)
{
    (void)state;
    open_with("stall@1=20");
    bench_set(CURLOPT_TIMEOUT, 4L);
    BENCH_RUN(at_once);
    CHECK_INT("code", bench.code, CURLE_OPERATION_TIMEDOUT);
    CHECK_TEXT("what came till then", bench.body, WORD("a"));
    CHECK_INT("when", took_ms() >= 4000 && took_ms() < 4200, true);
    bench_close("timeout");
}

static unsigned pieces;

static size_t short_write(enum uns_piece_kind kind, const char *bytes,
                          size_t len)
{
    (void)bytes;
    return kind == UNS_PIECE_BODY && ++pieces == 2 ? 0 : len;
}

/* P6: a write that is short ends the call, as ever. */
static void test_gate_ends_by_a_short_write(void **state)
{
    (void)state;
    pieces = 0;
    open_with("drip=1");
    bench.taker = short_write;
    BENCH_RUN(at_once);
    CHECK_INT("code", bench.code, CURLE_WRITE_ERROR);
    CHECK_TEXT("one piece", bench.body, WORD("a"));
    CHECK_TEXT("outcome", bench.entry->call.outcome, "aborted");
    bench_close("short");
}

static size_t pause_once(enum uns_piece_kind kind, const char *bytes,
                         size_t len)
{
    (void)bytes;
    return kind == UNS_PIECE_BODY && ++pieces == 2 ? CURL_WRITEFUNC_PAUSE : len;
}

static int unpause(void *arg, curl_off_t a, curl_off_t b, curl_off_t c,
                   curl_off_t d)
{
    (void)arg;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    fake_pass_ms(700);
    assert_int_equal(uns_grip_pause(bench.app, CURLPAUSE_CONT), CURLE_OK);
    return 0;
}

/* P6, P1: the piece that it paused on comes once more, and nothing twice. */
static void test_gate_waits_while_the_application_pauses(void **state)
{
    (void)state;
    pieces = 0;
    open_with("stall@1=2");
    bench.taker = pause_once;
    bench_set(CURLOPT_XFERINFOFUNCTION, unpause);
    bench_set(CURLOPT_NOPROGRESS, 0L);
    BENCH_RUN(at_once);
    CHECK_INT("code", bench.code, CURLE_OK);
    CHECK_TEXT("whole", bench.body, WORD("a") WORD("b") WORD("c") STOP DONE);
    CHECK_INT("chunks", bench.entry->call.chunk_count, 3);
    CHECK_TEXT("outcome", bench.entry->call.outcome, "ok");
    bench_close("pause");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gate_plays_faults),
        cmocka_unit_test(test_gate_tells_what_came_through),
        cmocka_unit_test(test_gate_is_not_there_by_itself),
        cmocka_unit_test(test_gate_makes_the_race_act),
        cmocka_unit_test(test_gate_ends_by_the_applications_timeout),
        cmocka_unit_test(test_gate_ends_by_a_short_write),
        cmocka_unit_test(test_gate_waits_while_the_application_pauses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
