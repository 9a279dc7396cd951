/* SPDX-License-Identifier: MIT */
/* From a timeline to what the race hears of it. */
#include "traces.h"

#include "check.h"
#include "core/timeline.h"

#include <stdio.h>

#define NONE UNS_NULL

/* The points in milliseconds, and the end. */
static const char *text_of(const struct uns_trace *trace, char out[400])
{
    int len = 0;

    for (size_t i = 0; i < trace->points; i++)
        len +=
            sprintf(out + len, "%lld ", (long long)(trace->at_ns[i] / UNS_MS));
    sprintf(out + len, "| %lld", (long long)(trace->end_ns / UNS_MS));
    return out;
}

static const struct {
    const char *name;
    int ms[12];
    const char *points;
} progress[] = {
    {"nothing", {TRACE_END, 500}, "| 500"},
    {"one chunk", {300, TRACE_END, 500}, "300 | 500"},
    {"a run is two points",
     {300, 350, 400, 450, TRACE_END, 500},
     "300 450 | 500"},
    {"a silence has both its ends",
     {300, 350, 2000, 2050, TRACE_END, 2100},
     "300 350 2000 2050 | 2100"},
    {"silences one after another",
     {300, 1300, 2300, TRACE_END, 2300},
     "300 1300 2300 | 2300"},
    {"a run between silences",
     {0, 1000, 1100, 1200, 3000, TRACE_END, 3000},
     "0 1000 1200 3000 | 3000"},
    {"a short silence is none", {100, 299, TRACE_END, 300}, "100 299 | 300"},
    {"one as long as the grain is one",
     {100, 300, 350, TRACE_END, 400},
     "100 300 350 | 400"},
    {"an end before the last chunk",
     {100, 900, TRACE_END, 400},
     "100 900 | 900"},
};

static void test_trace_keeps_both_ends_of_a_silence(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(progress); i++) {
        struct uns_trace trace = trace_make(progress[i].ms);
        char text[400];

        CHECK_TEXT(progress[i].name, text_of(&trace, text), progress[i].points);
    }
}

static void test_trace_takes_silences_it_has_no_room_for_as_none(void **state)
{
    struct uns_trace trace = {0};

    (void)state;
    for (int i = 0; i < 500; i++)
        uns_trace_note(&trace, i * UNS_S);
    uns_trace_close(&trace, 500 * UNS_S);
    CHECK_INT("points", trace.points, UNS_TRACE_POINTS);
    CHECK_INT("first", trace.at_ns[0], 0);
    CHECK_INT("last", trace.at_ns[UNS_TRACE_POINTS - 1], 499 * UNS_S);
}

struct noted {
    enum uns_mark mark;
    int at_ms, span_ms;
};

static const struct {
    const char *name;
    struct noted list[6];
    size_t count;
    const char *points;
} timelines[] = {
    {"chunks",
     {{UNS_MARK_CHUNK, 500, 0}, {UNS_MARK_CHUNK, 600, 0}},
     2,
     "500 600 | 5000"},
    {"structure is progress",
     {{UNS_MARK_STRUCTURAL, 500, 0}, {UNS_MARK_CHUNK, 900, 0}},
     2,
     "500 900 | 5000"},
    {"pings are none",
     {{UNS_MARK_OTHER, 100, 0},
      {UNS_MARK_CHUNK, 500, 0},
      {UNS_MARK_OTHER, 900, 0},
      {UNS_MARK_CHUNK, 2000, 0}},
     4,
     "500 2000 | 5000"},
    {"what was merged has a span",
     {{UNS_MARK_CHUNK, 500, 300}, {UNS_MARK_CHUNK, 2000, 0}},
     2,
     "500 800 2000 | 5000"},
    {"after a pause the clocks go on",
     {{UNS_MARK_CHUNK, 500, 0},
      {UNS_MARK_PAUSE, 600, 2000},
      {UNS_MARK_CHUNK, 2650, 0}},
     3,
     "500 2600 2650 | 5000"},
};

static void test_trace_reads_a_timeline(void **state)
{
    struct uns_attempt_record attempt;

    (void)state;
    uns_attempt_record_clear(&attempt);
    attempt.wall_ms = 5000;
    for (size_t i = 0; i < ROWS(timelines); i++) {
        uint8_t buf[UNS_TIMELINE_MIN];
        struct uns_timeline timeline;
        struct uns_trace trace;
        char text[400];

        uns_timeline_init(&timeline, buf, sizeof buf, UNS_S);
        for (size_t k = 0; k < timelines[i].count; k++) {
            const struct noted *noted = &timelines[i].list[k];
            const struct uns_moment moment = {noted->mark, 1,
                                              noted->at_ms * UNS_MS,
                                              noted->span_ms * UNS_MS, 0};

            uns_timeline_note(&timeline, &moment);
        }
        uns_trace_read(&attempt,
                       (struct uns_slice){(const char *)buf, timeline.len},
                       &trace);
        CHECK_TEXT(timelines[i].name, text_of(&trace, text),
                   timelines[i].points);
    }
}

static const struct {
    const char *name;
    int64_t ttft_us, generation_ms, wall_ms;
    const char *points;
} records[] = {
    {"a stream", 700000, 3000, 4000, "700 3700 | 4000"},
    {"one document", 700000, NONE, 700, "700 | 700"},
    {"no content", NONE, NONE, 900, "| 900"},
    {"one chunk", 700000, 0, 900, "700 | 900"},
    {"nothing is known", NONE, NONE, NONE, "| 0"},
};

static void test_trace_does_without_a_timeline(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(records); i++) {
        struct uns_attempt_record attempt;
        struct uns_trace trace;
        char text[400];

        uns_attempt_record_clear(&attempt);
        attempt.ttft_us = records[i].ttft_us;
        attempt.generation_ms = records[i].generation_ms;
        attempt.wall_ms = records[i].wall_ms;
        uns_trace_read(&attempt, (struct uns_slice){NULL, 0}, &trace);
        CHECK_TEXT(records[i].name, text_of(&trace, text), records[i].points);
    }
}

static void test_trace_counts_chunks_where_no_tokens_were_told(void **state)
{
    struct uns_attempt_record attempt;
    struct uns_trace trace;

    (void)state;
    uns_attempt_record_clear(&attempt);
    uns_trace_read(&attempt, (struct uns_slice){NULL, 0}, &trace);
    CHECK_INT("none", trace.tokens, 0);
    attempt.chunk_count = 40;
    uns_trace_read(&attempt, (struct uns_slice){NULL, 0}, &trace);
    CHECK_INT("chunks", trace.tokens, 40);
    attempt.tokens_out = 55;
    uns_trace_read(&attempt, (struct uns_slice){NULL, 0}, &trace);
    CHECK_INT("told", trace.tokens, 55);
}

static void test_trace_tells_how_much_was_written(void **state)
{
    static const struct {
        const char *name;
        int ms, percent;
    } rows[] = {{"before the first", 499, 0},
                {"with the first", 500, 0},
                {"half way", 1500, 50},
                {"all", 2500, 100},
                {"long after", 9000, 100}};
    struct uns_trace trace = TRACE(500, 2500, TRACE_END, 3000);
    struct uns_trace empty = TRACE(TRACE_END, 3000);

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].name,
                  100 * uns_trace_written(&trace, rows[i].ms * UNS_MS),
                  rows[i].percent);
    CHECK_INT("nothing ever", uns_trace_written(&empty, UNS_S), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trace_keeps_both_ends_of_a_silence),
        cmocka_unit_test(test_trace_takes_silences_it_has_no_room_for_as_none),
        cmocka_unit_test(test_trace_reads_a_timeline),
        cmocka_unit_test(test_trace_does_without_a_timeline),
        cmocka_unit_test(test_trace_counts_chunks_where_no_tokens_were_told),
        cmocka_unit_test(test_trace_tells_how_much_was_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
