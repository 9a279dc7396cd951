/* SPDX-License-Identifier: MIT */
/* What is recorded of a call whose process was killed (P4), by the same
 * definitions as of any other (P8). */
#include "flight_fixture.h"

#define MS(n) (BEGIN + (n)*UNS_MS)

static const struct uns_call_record *settle(struct flight *f)
{
    assert_true(uns_flight_read(f->slot, &f->view));
    uns_flight_settle(&f->view);
    CHECK_TEXT("outcome", f->view.facts.call.outcome, "killed");
    return &f->view.facts.call;
}

static void test_settle_killed_before_anything_came(void **state)
{
    struct flight *f = *state;
    const struct uns_call_record *call;

    uns_flight_beat(&f->pen, MS(3040));
    call = settle(f);
    CHECK_INT("wall", call->wall_ms, 3040);
    CHECK_INT("silent", call->silent_ms, 3040);
    CHECK_INT("chunks", call->chunk_count, 0);
    CHECK_INT("ttft", call->ttft_ms, UNS_NULL);
    CHECK_INT("winner", call->winner, UNS_NULL);
    CHECK_INT("status", call->http_status, UNS_NULL);
    CHECK_INT("code", call->curl_code, UNS_NULL);
    CHECK_INT("delivered", call->delivered_ms, UNS_NULL);
    CHECK_TEXT("attempt", f->view.facts.attempt[0].outcome, "killed");
    CHECK_INT("attempt's wall", f->view.facts.attempt[0].wall_ms, 3040);
}

static void test_settle_killed_in_a_stall(void **state)
{
    struct flight *f = *state;
    const struct uns_call_record *call;

    f->attempt[0].status = 200;
    flight_chunk(f, 0, MS(500));
    flight_chunk(f, 0, MS(3500)); /* a stall that ended */
    uns_flight_hear(&f->pen, 0, MS(500));
    uns_flight_beat(&f->pen, MS(6700));
    call = settle(f);
    CHECK_INT("wall", call->wall_ms, 6700);
    CHECK_INT("silent", call->silent_ms, 3200);
    CHECK_INT("chunks", call->chunk_count, 2);
    CHECK_INT("bytes", call->bytes, 20);
    CHECK_INT("ttft", call->ttft_ms, 500);
    CHECK_INT("generation", call->generation_ms, 3000);
    CHECK_INT("stalls", call->stall_count, 1);
    CHECK_INT("stall", call->stall_ms, 3000);
    CHECK_INT("tail", call->tail_ms, 3200);
    CHECK_INT("winner", call->winner, 0);
    CHECK_INT("status", call->http_status, 200);
    CHECK_INT("delivered", call->delivered_ms, 500);
    CHECK_INT("tokens", call->tokens_out, 7);
    CHECK_INT("timeline", flight_sum(&f->view, 0).stalls, 1);
}

/* The last sign of life may be the last piece. */
static void test_settle_ends_with_what_came_last(void **state)
{
    struct flight *f = *state;

    uns_flight_beat(&f->pen, MS(100));
    flight_chunk(f, 0, MS(140));
    CHECK_INT("wall", settle(f)->wall_ms, 140);
    CHECK_INT("silent", f->view.facts.call.silent_ms, 0);
}

/* P7: a pause is no silence of the network. */
static void test_settle_killed_while_paused(void **state)
{
    struct flight *f = *state;

    flight_chunk(f, 0, MS(100));
    uns_meter_pause(&f->attempt[0].meter, MS(150));
    flight_note(f, 0);
    uns_flight_beat(&f->pen, MS(9000));
    CHECK_INT("silent", settle(f)->silent_ms, UNS_NULL);
    CHECK_INT("app", f->view.facts.call.app_ms, 8850);
}

/* The application was at work until then: P7 again. */
static void test_settle_counts_silence_from_readiness(void **state)
{
    struct flight *f = *state;

    flight_chunk(f, 0, MS(100));
    uns_meter_app(&f->attempt[0].meter, MS(100), MS(1100));
    flight_note(f, 0);
    uns_flight_beat(&f->pen, MS(4100));
    CHECK_INT("silent", settle(f)->silent_ms, 3000);
}

static void test_settle_tells_what_became_of_each_attempt(void **state)
{
    static const struct {
        uint32_t flags;
        const char *outcome;
    } rows[] = {
        {UNS_FLIGHT_CONNECTED | UNS_FLIGHT_ENDED | UNS_FLIGHT_FAILED, "failed"},
        {UNS_FLIGHT_CANCELLED, "hedge_cancelled"},
        {UNS_FLIGHT_ENDED, "lost"},
        {UNS_FLIGHT_CONNECTED, "killed"},
    };

    struct flight *f = *state;

    for (unsigned a = 1; a < ROWS(rows); a++)
        flight_send(f, MS(1000));
    for (unsigned a = 0; a < ROWS(rows); a++) {
        f->attempt[a].flags = rows[a].flags;
        if (a < 3)
            uns_meter_end(&f->attempt[a].meter, MS(1500));
        flight_note(f, a);
    }
    uns_flight_hear(&f->pen, 3, MS(1700));
    flight_chunk(f, 3, MS(1700));
    uns_flight_beat(&f->pen, MS(2000));
    CHECK_INT("winner", settle(f)->winner, 3);
    CHECK_INT("ttft from the call's begin", f->view.facts.call.ttft_ms, 1700);
    CHECK_INT("attempts", f->view.facts.call.attempts, 4);
    for (unsigned a = 0; a < ROWS(rows); a++)
        CHECK_TEXT("attempt", f->view.facts.attempt[a].outcome,
                   rows[a].outcome);
    CHECK_INT("ended", f->view.facts.attempt[1].wall_ms, 500);
    CHECK_INT("killed", f->view.facts.attempt[3].wall_ms, 1000);
    CHECK_INT("its own clock", f->view.facts.attempt[3].ttft_ms, 700);
}

static void test_settle_gives_a_document_no_gaps(void **state)
{
    struct flight *f = *state;

    f->attempt[0].flags = UNS_FLIGHT_DOCUMENT;
    flight_chunk(f, 0, MS(100));
    flight_chunk(f, 0, MS(200));
    CHECK_INT("stalls", settle(f)->stall_count, UNS_NULL);
    CHECK_INT("generation", f->view.facts.call.generation_ms, UNS_NULL);
    CHECK_INT("ttft", f->view.facts.call.ttft_ms, 100);
}

/* Damage of the clocks, which have no sum. */
static void test_settle_survives_senseless_clocks(void **state)
{
    static const int64_t values[] = {INT64_MIN, -1, INT64_MAX, INT64_MAX - 1,
                                     INT64_C(1) << 61};
    struct flight *f = *state;

    for (size_t i = 0; i < ROWS(values); i++) {
        struct uns_flight_live *live =
            &f->slot->live[0].copy[f->slot->live[0].turn & 1];
        int64_t *words = (void *)&live->meter;

        for (size_t w = 0; w < sizeof live->meter / sizeof *words; w++)
            words[w] = values[i];
        f->slot->alive_ns = values[(i + 1) % ROWS(values)];
        f->slot->deliver_ns = values[(i + 2) % ROWS(values)];
        settle(f);
        assert_null(f->view.live[0].meter.timeline);
        CHECK_INT("wall", f->view.facts.call.wall_ms >= 0, true);
    }
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, flight_setup, flight_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_settle_killed_before_anything_came),
        TEST(test_settle_killed_in_a_stall),
        TEST(test_settle_ends_with_what_came_last),
        TEST(test_settle_killed_while_paused),
        TEST(test_settle_counts_silence_from_readiness),
        TEST(test_settle_tells_what_became_of_each_attempt),
        TEST(test_settle_gives_a_document_no_gaps),
        TEST(test_settle_survives_senseless_clocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
