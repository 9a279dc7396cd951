/* SPDX-License-Identifier: MIT */
/* What the recorder knows of a call at each moment of it (P4). */
#include "bench.h"

#include "check.h"
#include "core/flight.h"

#include <stdlib.h>
#include <unistd.h>

static const struct fake_beat silent[] = {SILENCE};
static const struct fake_beat healthy[] = {
    HEAD(100, OK_HEAD),    BODY(300, DELTA("Hel")), BODY(3400, DELTA("lo")),
    BODY(3500, STOP DONE), END(3700, CURLE_OK),
};
static const struct fake_beat breaks[] = {END(10, CURLE_RECV_ERROR)};

/* A view at each piece that the application gets, and the last one. */
static struct {
    struct uns_flight_view *at;
    unsigned count;
} seen;

static size_t look(enum uns_piece_kind kind, const char *bytes, size_t len)
{
    (void)bytes;
    if (kind == UNS_PIECE_BODY && seen.count < 8)
        CHECK_INT("in flight",
                  uns_flight_read(bench.slot, &seen.at[seen.count++]), true);
    return len;
}

static int begin(void **state)
{
    (void)state;
    bench_open();
    bench_sources(1);
    bench.slot = calloc(1, sizeof *bench.slot);
    bench.taker = look;
    seen.count = 0;
    seen.at = calloc(9, sizeof *seen.at);
    return bench.slot && seen.at ? 0 : -1;
}

static int end(void **state)
{
    struct uns_flight_slot *slot = bench.slot;

    (void)state;
    bench_close("track");
    free(slot);
    free(seen.at);
    return 0;
}

static const struct uns_flight_view *last(void)
{
    struct uns_flight_view *view = &seen.at[8];

    assert_true(uns_flight_read(bench.slot, view));
    return view;
}

static void test_track_knows_each_chunk_before_the_application(void **state)
{
    static const int64_t chunks[] = {1, 2, 2};

    (void)state;
    bench.policy.mode = UNS_MODE_OBSERVE;
    BENCH_RUN(healthy);
    CHECK_INT("looks", seen.count, 3);
    for (unsigned i = 0; i < seen.count; i++) {
        const struct uns_flight_view *view = &seen.at[i];

        CHECK_INT("chunks", view->live[0].meter.chunks, chunks[i]);
        CHECK_INT("status", view->live[0].http_status, 200);
        CHECK_INT("voice", view->voice, 0);
        CHECK_TEXT("model", view->facts.call.model, "gpt-4o");
        CHECK_TEXT("mode", view->facts.call.mode, "observe");
        CHECK_TEXT("endpoint", view->facts.call.endpoint,
                   "https://app.example:8443/v1/chat/completions");
        CHECK_INT("pid", view->facts.call.pid, getpid());
        CHECK_INT("streamed", view->facts.streamed, 1);
    }
}

static void test_track_leaves_the_record_for_the_store(void **state)
{
    const struct uns_flight_view *view;

    (void)state;
    BENCH_RUN(healthy);
    assert_non_null(bench.entry);
    assert_ptr_equal(bench.entry->slot, bench.slot);
    view = last();
    CHECK_INT("done", view->done, true);
    CHECK_INT("attempts", view->facts.attempts, bench.entry->attempts);
    assert_memory_equal(&view->facts.call, &bench.entry->call,
                        sizeof view->facts.call);
    assert_memory_equal(view->facts.attempt, bench.entry->attempt,
                        sizeof view->facts.attempt);
    CHECK_INT("len", view->timeline[0].len, bench.entry->timeline[0].len);
    assert_memory_equal(view->timeline[0].blob, bench.entry->timeline[0].data,
                        view->timeline[0].len);
}

/* What a killed process leaves, and what it would have left later, is one
 * call. */
static void test_track_names_the_call_once(void **state)
{
    (void)state;
    bench.policy.mode = UNS_MODE_OBSERVE;
    BENCH_RUN(healthy);
    CHECK_TEXT("uuid", seen.at[0].facts.call.uuid, bench.entry->call.uuid);
    CHECK_INT("named", seen.at[0].facts.call.uuid[0] != '\0', true);
}

static void test_track_knows_rivals_and_losers(void **state)
{
    const struct uns_flight_view *view = &seen.at[0];

    (void)state;
    bench.policy.hedge.after = (struct uns_delay){
        .how = UNS_DELAY_FIXED,
        .fixed_ns = UNS_S,
    };
    BENCH_RUN(silent, healthy);
    CHECK_INT("attempts", view->facts.attempts, 2);
    CHECK_TEXT("why", view->facts.call.hedge_reason, "first_token");
    CHECK_TEXT("source", view->facts.attempt[1].source, "one");
    CHECK_TEXT("origin", view->facts.attempt[1].origin, "https://one.example");
    CHECK_INT("sent", view->facts.attempt[1].started_ms, 1000);
    CHECK_INT("voice", view->voice, 1);
    CHECK_INT("chunks", view->live[1].meter.chunks, 1);
    CHECK_INT("loser", (last()->live[0].flags & UNS_FLIGHT_CANCELLED) != 0,
              true);
}

static void test_track_knows_a_failure(void **state)
{
    (void)state;
    BENCH_RUN(breaks);
    CHECK_INT("flags", last()->live[0].flags,
              UNS_FLIGHT_ENDED | UNS_FLIGHT_FAILED);
}

/* As long as it lives, libcurl can be asked; a record of the dead cannot. */
static void test_track_keeps_the_phases_of_the_connection(void **state)
{
    static const struct fake_info infos[] = {
        {CURLINFO_NAMELOOKUP_TIME_T, {.o = 5000}},
        {CURLINFO_CONNECT_TIME_T, {.o = 15000}},
        {CURLINFO_APPCONNECT_TIME_T, {.o = 45000}},
        {CURLINFO_PRETRANSFER_TIME_T, {.o = 45500}},
        {0, {.l = 0}},
    };
    struct uns_flight_view *view = &seen.at[0];

    (void)state;
    bench.policy.hedge.after = (struct uns_delay){
        .how = UNS_DELAY_FIXED,
        .fixed_ns = UNS_S,
    };
    fake.infos[0] = infos;
    BENCH_RUN(silent, healthy);
    CHECK_INT("dns", view->facts.attempt[0].dns_ms, 5);
    CHECK_INT("connect", view->facts.attempt[0].connect_ms, 10);
    CHECK_INT("tls", view->facts.attempt[0].tls_ms, 30);
    CHECK_INT("not known", view->facts.attempt[1].connect_ms, UNS_NULL);
    uns_flight_settle(view);
    CHECK_INT("the call's", view->facts.call.connect_ms, UNS_NULL);
    view->voice = 0;
    uns_flight_settle(view);
    CHECK_INT("the call's", view->facts.call.connect_ms, 10);
}

/* The wait's turns are its signs of life. */
static void test_track_beats_while_it_waits(void **state)
{
    (void)state;
    bench.policy.stream.ttft_timeout_ns = 5 * UNS_S;
    BENCH_RUN(silent);
    CHECK_INT("alive", last()->alive_ns - last()->facts.begin_ns >= 4 * UNS_S,
              true);
}

/* P3: neither the query nor user, password, key or a word of the body. */
static void test_track_writes_nothing_secret(void **state)
{
    static const char *const secrets[] = {
        "app-url-secret", "user:pass", "api-version",
        "messages",       "sk-one",    "Hel",
    };

    (void)state;
    bench.policy.hedge.after = (struct uns_delay){
        .how = UNS_DELAY_FIXED,
        .fixed_ns = UNS_S,
    };
    BENCH_RUN(silent, healthy);
    for (size_t i = 0; i < ROWS(secrets); i++)
        CHECK_INT(secrets[i],
                  memmem(bench.slot, sizeof *bench.slot, secrets[i],
                         strlen(secrets[i])) == NULL,
                  true);
}

static void test_track_without_a_slot_is_no_matter(void **state)
{
    (void)state;
    assert_true(uns_flight_take(bench.slot)); /* all are in use */
    bench.taker = NULL;
    BENCH_RUN(healthy);
    CHECK_INT("code", bench.code, CURLE_OK);
    assert_non_null(bench.entry);
    assert_null(bench.entry->slot);
}

/* Without memory for its record the slot is free again. */
static void test_track_gives_the_slot_back(void **state)
{
    unsigned asked = 1;

    for (unsigned n = 1; n <= asked + 1; n++) {
        bench.taker = NULL;
        fake_memory_fail(n, true);
        BENCH_RUN(healthy);
        asked = fake_memory_asked();
        CHECK_INT("kept only with a record", bench.slot->state,
                  bench.entry && bench.entry->slot ? UNS_FLIGHT_DONE
                                                   : UNS_FLIGHT_FREE);
        assert_int_equal(end(state), 0);
        assert_int_equal(begin(state), 0);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_track_knows_each_chunk_before_the_application),
        TEST(test_track_leaves_the_record_for_the_store),
        TEST(test_track_names_the_call_once),
        TEST(test_track_knows_rivals_and_losers),
        TEST(test_track_knows_a_failure),
        TEST(test_track_keeps_the_phases_of_the_connection),
        TEST(test_track_beats_while_it_waits),
        TEST(test_track_writes_nothing_secret),
        TEST(test_track_without_a_slot_is_no_matter),
        TEST(test_track_gives_the_slot_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
