/* SPDX-License-Identifier: MIT */
/* The metrics' definitions, each on a stream small enough to check by hand
 * (P7: silence only while the application was ready; P8: one definition). */
#include "check.h"
#include "core/meter.h"
#include "core/timeline.h"

#include <stdio.h>
#include <stdlib.h>

#define MS UNS_MS

/* A stream in words: `c10` a content chunk at 10 ms (`C10` three of them in
 * one piece), `e` an event without content, `s` a structural one, `b` bytes
 * without a whole event, `p` pause, `u` unpause, `x` the end; `a10-15` the
 * application's callback. */
static void play(struct uns_meter *meter, const char *script)
{
    char copy[256], *rest = copy, *word;

    snprintf(copy, sizeof copy, "%s", script);
    while ((word = strtok_r(rest, " ", &rest))) {
        char *end;
        uns_ns at = (uns_ns)(strtod(word + 1, &end) * (double)MS);
        if (strchr("cCesb", word[0]))
            uns_meter_piece(meter, 10,
                            word[0] == 'c'   ? 1
                            : word[0] == 'C' ? 3
                                             : 0,
                            word[0] != 'b', word[0] == 's', at);
        else if (word[0] == 'a')
            uns_meter_app(meter, at, (uns_ns)(strtod(end + 1, NULL) * MS));
        else if (word[0] == 'p')
            uns_meter_pause(meter, at);
        else if (word[0] == 'u')
            uns_meter_unpause(meter, at);
        else
            uns_meter_end(meter, at);
    }
}

/* Started at 0, threshold 100 ms. */
static struct uns_attempt_record measured(const char *script)
{
    struct uns_meter meter;
    struct uns_attempt_record record;

    uns_meter_init(&meter, 100 * MS, NULL, 0);
    play(&meter, script);
    uns_attempt_record_clear(&record);
    uns_meter_attempt(&meter, true, true, &record);
    return record;
}

static void test_meter_measures_gaps_and_stalls(void **state)
{
    /* clang-format off */
    static const struct {
        const char *name, *script;
        int64_t count, stall_ms, max_gap_ms;
    } rows[] = {
        {"no gap over the threshold", "c10 c60 c160 x170", 0, 0, 100},
        {"just over", "c10 c110.000001 x200", 1, 100, 100},
        {"two stalls", "c10 c210 c220 c520 x600", 2, 500, 300},
        {"the wait for the first chunk is none", "c900 c910 x920", 0, 0, 10},
        {"the tail is none", "c10 c20 x900", 0, 0, 10},
        {"chunks of one piece have no gap", "C10 x20", 0, 0, 0},
        {"P7: the callback's time is none", "c10 a10-300 c310 x400", 0, 0, 10},
        {"P7: silence after the callback counts", "c10 a10-50 c300 x400", 1,
         250, 250},
        {"P7: a late application with bytes waiting", "c10 a10-500 c500 x600",
         0, 0, 0},
        {"P7: a pause is none", "c10 p20 u500 c510 x600", 0, 0, 10},
        {"P7: it counts from the last unpause",
         "c10 p20 u30 p40 u50 c300 x400", 1, 250, 250},
        {"P7: arrival while paused", "c10 p20 c500 u600 c605 x700", 0, 0, 5},
        {"P7: the callback for a keepalive counts as the application's",
         "c10 e50 a50-250 c300 x400", 0, 0, 90},
        {"P7: another transfer's callback, before and after a chunk",
         "c10 a20-300 c300 a20-320 c330 x400", 0, 0, 10},
        {"a keepalive ends no gap", "c10 e60 e110 c200 x300", 1, 190, 190},
        {"a structural event ends no gap", "c10 s60 s110 c200 x300", 1, 190,
         190},
        {"half an event ends no gap", "c10 b60 b110 c200 x300", 1, 190, 190},
        {"held, then given late: still silence", "c10 a205-206 c300 x400", 1,
         289, 289},
        {"an arrival that moved back before the last", "c50 c40 x60", 0, 0, 0},
    };

    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_attempt_record r = measured(rows[i].script);
        CHECK_INT(rows[i].name, r.stall_count, rows[i].count);
        CHECK_INT(rows[i].name, r.stall_ms, rows[i].stall_ms);
        CHECK_INT(rows[i].name, r.max_gap_ms, rows[i].max_gap_ms);
    }
}

static void test_meter_measures_spans(void **state)
{
    struct uns_attempt_record r =
        measured("b4 e7.9 c10.9999 a11-12 c20 a20-23 c320.9 p321 u325 x400.5");

    (void)state;
    CHECK_INT("floor", r.ttft_ms, 10);
    CHECK_INT("us", r.ttft_us, 10999);
    CHECK_INT("generation is wall clock", r.generation_ms, 309);
    CHECK_INT("stall", r.stall_ms, 297);
    CHECK_INT("of the stored integers", r.active_generation_ms, 309 - 297);
    CHECK_INT("wall", r.wall_ms, 400);
    CHECK_INT("net", r.net_ms, 400 - 297);
    CHECK_INT("tail", r.tail_ms, 79);
    CHECK_INT("app: callbacks and pauses", r.app_ms, 1 + 3 + 4);
    CHECK_INT("chunks", r.chunk_count, 3);
    CHECK_INT("bytes", r.bytes, 50);
    CHECK_INT("first byte", r.first_byte_ms, 4);
    CHECK_INT("first event", r.first_event_ms, 7);
    r = measured("c10 a20-300 a10-310 p320 a310-330 u340 a330-350 x400");
    CHECK_INT("app: told twice, counted once", r.app_ms, 290 + 20 + 10);
}

/* 297.9 + 297.9 ms: cut off once, from the sum. */
static void test_meter_cuts_off_the_sum_only(void **state)
{
    struct uns_attempt_record r = measured("c10 c307.9 c605.8 x700");

    (void)state;
    CHECK_INT("sum", r.stall_ms, 595);
}

static void test_meter_tells_null_from_zero(void **state)
{
    /* clang-format off */
    static const struct {
        const char *name, *script;
        bool streamed, countable;
        int64_t generation_ms, stall_ms, max_gap_ms, net_ms, ttft_ms, tail_ms;
    } rows[] = {
        {"a stream", "c10 c20 x30", true, true, 10, 0, 10, 30, 10, 10},
        {"not streaming", "c10 x30", false, true, UNS_NULL, UNS_NULL, UNS_NULL,
         30, 10, 20},
        {"not streaming, told as several", "c10 c20 x30", false, true,
         UNS_NULL, UNS_NULL, UNS_NULL, 30, 10, 10},
        {"n > 1", "c10 c20 x30", true, false, 10, UNS_NULL, UNS_NULL, 30, 10,
         10},
        {"one chunk", "c10 x30", true, true, 0, UNS_NULL, UNS_NULL, 30, 10,
         20},
        {"no chunk", "e10 x30", true, true, UNS_NULL, UNS_NULL, UNS_NULL, 30,
         UNS_NULL, UNS_NULL},
        {"no end", "c10 c20", true, true, 10, 0, 10, UNS_NULL, 10, UNS_NULL},
        {"nothing at all", "x30", true, true, UNS_NULL, UNS_NULL, UNS_NULL, 30,
         UNS_NULL, UNS_NULL},
    };

    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_meter meter;
        struct uns_attempt_record r;
        bool gaps = rows[i].stall_ms != UNS_NULL;

        uns_meter_init(&meter, 100 * MS, NULL, 0);
        play(&meter, rows[i].script);
        uns_attempt_record_clear(&r);
        uns_meter_attempt(&meter, rows[i].streamed, rows[i].countable, &r);
        CHECK_INT(rows[i].name, r.generation_ms, rows[i].generation_ms);
        CHECK_INT(rows[i].name, r.stall_ms, rows[i].stall_ms);
        CHECK_INT(rows[i].name, r.stall_count, gaps ? 0 : UNS_NULL);
        CHECK_INT(rows[i].name, r.active_generation_ms,
                  gaps ? rows[i].generation_ms : UNS_NULL);
        CHECK_INT(rows[i].name, r.max_gap_ms, rows[i].max_gap_ms);
        CHECK_INT(rows[i].name, r.net_ms, rows[i].net_ms);
        CHECK_INT(rows[i].name, r.ttft_ms, rows[i].ttft_ms);
        CHECK_INT(rows[i].name, r.tail_ms, rows[i].tail_ms);
    }
}

static void test_meter_counts_nothing_that_never_came(void **state)
{
    struct uns_attempt_record r = measured("x30");

    (void)state;
    CHECK_INT("chunks", r.chunk_count, 0);
    CHECK_INT("bytes", r.bytes, 0);
    CHECK_INT("app", r.app_ms, 0);
    CHECK_INT("first byte", r.first_byte_ms, UNS_NULL);
    CHECK_INT("first event", r.first_event_ms, UNS_NULL);
    CHECK_INT("us", r.ttft_us, UNS_NULL);
}

/* A rival that started 500 ms into the call. */
static void test_meter_counts_a_call_from_its_begin(void **state)
{
    struct uns_meter meter;
    struct uns_call_record call;
    struct uns_attempt_record attempt;

    (void)state;
    uns_meter_init(&meter, 100 * MS, NULL, 500 * MS);
    play(&meter, "e505 c510 c810 x900");
    uns_call_record_clear(&call);
    call.wall_ms = 910;
    call.delivered_ms = 42;
    uns_meter_call(&meter, true, true, 0, &call);
    uns_attempt_record_clear(&attempt);
    uns_meter_attempt(&meter, true, true, &attempt);
    CHECK_INT("call", call.ttft_ms, 510);
    CHECK_INT("attempt", attempt.ttft_ms, 10);
    CHECK_INT("call", call.first_event_ms, 505);
    CHECK_INT("attempt", attempt.first_event_ms, 5);
    CHECK_INT("call's wall is the driver's", call.wall_ms, 910);
    CHECK_INT("attempt's is its own", attempt.wall_ms, 400);
    CHECK_INT("net", call.net_ms, 610);
    CHECK_INT("net", attempt.net_ms, 100);
    CHECK_INT("the driver's", call.delivered_ms, 42);
    CHECK_INT("the driver's", call.dns_ms, UNS_NULL);
}

static void test_meter_net_is_never_negative(void **state)
{
    struct uns_meter meter;
    struct uns_call_record call;

    (void)state;
    uns_meter_init(&meter, 100 * MS, NULL, 0);
    play(&meter, "c10 c500 x510");
    uns_call_record_clear(&call);
    call.wall_ms = 200;
    uns_meter_call(&meter, true, true, 0, &call);
    CHECK_INT("net", call.net_ms, 0);
    call.wall_ms = UNS_NULL;
    uns_meter_call(&meter, true, true, 0, &call);
    CHECK_INT("no wall", call.net_ms, UNS_NULL);
}

static void test_meter_ends_once_and_with_it_a_pause(void **state)
{
    struct uns_attempt_record r = measured("c10 p20 p25 x60 u70 x90");

    (void)state;
    CHECK_INT("first end", r.wall_ms, 60);
    CHECK_INT("paused until then", r.app_ms, 40);
}

static void test_meter_draws_what_it_measures(void **state)
{
    static const struct {
        enum uns_mark mark;
        int64_t at_ms, gap_ms, span_ms, count;
    } want[] = {
        {UNS_MARK_OTHER, 5, 0, 0, 1},       {UNS_MARK_CHUNK, 10, 0, 0, 3},
        {UNS_MARK_STRUCTURAL, 20, 0, 0, 1}, {UNS_MARK_CHUNK, 310, 299, 0, 1},
        {UNS_MARK_PAUSE, 320, 0, 80, 1},    {UNS_MARK_CHUNK, 410, 10, 0, 1},
    };

    uint8_t buf[UNS_TIMELINE_MIN];
    struct uns_timeline timeline;
    struct uns_moment moment;
    struct uns_meter meter;
    size_t at = 0, i = 0;

    (void)state;
    uns_timeline_init(&timeline, buf, sizeof buf, 100 * MS);
    uns_meter_init(&meter, 100 * MS, &timeline, 0);
    play(&meter, "b4 e5 C10 a10-11 s20 c310 p320 u400 c410 x500");
    for (; uns_timeline_next(buf, timeline.len, &at, &moment); i++) {
        CHECK_INT("mark", moment.mark, want[i].mark);
        CHECK_INT("at", moment.at_ns / MS, want[i].at_ms);
        CHECK_INT("gap", moment.gap_ns / MS, want[i].gap_ms);
        CHECK_INT("span", moment.span_ns / MS, want[i].span_ms);
        CHECK_INT("count", moment.count, want[i].count);
    }
    CHECK_INT("entries", i, ROWS(want));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_meter_measures_gaps_and_stalls),
        cmocka_unit_test(test_meter_measures_spans),
        cmocka_unit_test(test_meter_cuts_off_the_sum_only),
        cmocka_unit_test(test_meter_tells_null_from_zero),
        cmocka_unit_test(test_meter_counts_nothing_that_never_came),
        cmocka_unit_test(test_meter_counts_a_call_from_its_begin),
        cmocka_unit_test(test_meter_net_is_never_negative),
        cmocka_unit_test(test_meter_ends_once_and_with_it_a_pause),
        cmocka_unit_test(test_meter_draws_what_it_measures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
