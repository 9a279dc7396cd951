/* SPDX-License-Identifier: MIT */
/* Recorded attempts under other rules: it is the race that decides. */
#include "cli/simulate.h"

#include "check.h"
#include "cli/stats.h"
#include "traces.h"

#define OFF (-1)

/* Milliseconds. */
struct rules {
    int after, stall_after, hold;
};

#define ALL INT32_MAX

static uns_ns span(int ms)
{
    return ms == OFF || ms == ALL ? UNS_NEVER : ms * UNS_MS;
}

static struct uns_race_rules rules_of(const struct rules *rules,
                                      uint8_t max_attempts)
{
    return (struct uns_race_rules){
        .after_ns = span(rules->after),
        .stall_after_ns = span(rules->stall_after),
        .hold_ns = span(rules->hold),
        .ttft_timeout_ns = UNS_NEVER,
        .stall_timeout_ns = UNS_NEVER,
        .total_ns = UNS_NEVER,
        .max_attempts = max_attempts,
    };
}

#define FAST                       \
    {                              \
        500, 2500, TRACE_END, 2500 \
    }

static const struct {
    const char *name;
    struct rules rules;
    int primary[8], rival[8];
    int first, wall;
    unsigned requests, winner;
} calls[] = {
    {"no rules",
     {OFF, OFF, 0},
     {9000, 9500, TRACE_END, 9600},
     FAST,
     9000,
     9600,
     1,
     0},
    {"in time",
     {3000, OFF, 0},
     {2000, 4000, TRACE_END, 4000},
     FAST,
     2000,
     4000,
     1,
     0},
    {"a chunk at the deadline wins",
     {3000, OFF, 0},
     {3000, 4000, TRACE_END, 4000},
     FAST,
     3000,
     4000,
     1,
     0},
    {"late: the rival answers",
     {3000, OFF, 0},
     {20000, 21000, TRACE_END, 21000},
     FAST,
     3500,
     5500,
     2,
     1},
    {"late, but before the rival",
     {3000, OFF, 0},
     {3200, 5000, TRACE_END, 5000},
     FAST,
     3200,
     5000,
     2,
     0},
    {"tied", {0, OFF, 0}, {2000, 4000, TRACE_END, 4000}, FAST, 500, 2500, 2, 1},
    {"at once: attempt 0",
     {0, OFF, 0},
     {500, 4000, TRACE_END, 4000},
     FAST,
     500,
     4000,
     2,
     0},
    {"given, so a stall stays",
     {3000, 1000, 0},
     {500, 9000, TRACE_END, 9000},
     FAST,
     500,
     9000,
     1,
     0},
    {"a stall of what is held",
     {OFF, 1000, ALL},
     {500, 9000, TRACE_END, 9000},
     {400, 500, TRACE_END, 600},
     2100,
     2100,
     2,
     1},
    {"the lead comes back first",
     {OFF, 1000, ALL},
     {500, 1700, TRACE_END, 1800},
     {400, 500, TRACE_END, 600},
     1800,
     1800,
     2,
     0},
    {"held all: given at the end",
     {OFF, 1000, ALL},
     {500, 1000, TRACE_END, 1300},
     FAST,
     1300,
     1300,
     1,
     0},
    {"a window: given when it is over",
     {OFF, 1000, 2000},
     {500, 1000, 1900, 2800, TRACE_END, 3000},
     FAST,
     2500,
     3000,
     1,
     0},
    {"a stall within the window",
     {OFF, 1000, 2000},
     {500, 9000, TRACE_END, 9000},
     FAST,
     4000,
     4000,
     2,
     1},
    {"a stall behind the window",
     {OFF, 1000, 2000},
     {500, 1400, 2300, 9000, TRACE_END, 9000},
     FAST,
     2500,
     9000,
     1,
     0},
    {"no silence between the last chunk and the end",
     {OFF, 1000, ALL},
     {500, 600, TRACE_END, 9000},
     FAST,
     9000,
     9000,
     1,
     0},
    {"late, then the rival stalls",
     {1000, 1000, ALL},
     {20000, 20100, TRACE_END, 20100},
     {500, 30000, TRACE_END, 30000},
     31000,
     31000,
     2,
     1},
    {"no content at all",
     {3000, OFF, 0},
     {TRACE_END, 1000},
     FAST,
     1000,
     1000,
     1,
     0},
};

static void test_simulate_does_as_the_race_would(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(calls); i++) {
        struct uns_trace primary = trace_make(calls[i].primary);
        struct uns_trace rival = trace_make(calls[i].rival);
        struct uns_race_rules rules = rules_of(&calls[i].rules, 2);
        const struct uns_lineup lineup = {{&primary, &rival}, 2};
        struct uns_outcome outcome;

        uns_simulate(&rules, &lineup, &outcome);
        CHECK_INT(calls[i].name, outcome.first_ns / UNS_MS, calls[i].first);
        CHECK_INT(calls[i].name, outcome.wall_ns / UNS_MS, calls[i].wall);
        CHECK_INT(calls[i].name, outcome.requests, calls[i].requests);
        CHECK_INT(calls[i].name, outcome.winner, calls[i].winner);
    }
}

/* Whoever comes first is the answer: min(X, wait + Y). */
static void test_simulate_gives_the_first_of_two(void **state)
{
    struct uns_dice dice = {1};

    (void)state;
    for (int i = 0; i < 2000; i++) {
        int x = 1 + (int)uns_stats_roll(&dice, 8000);
        int y = 1 + (int)uns_stats_roll(&dice, 8000);
        int wait = 1 + (int)uns_stats_roll(&dice, 8000);
        struct uns_trace primary = trace_smooth(x, x + 1000);
        struct uns_trace rival = trace_smooth(y, y + 1000);
        struct uns_race_rules rules =
            rules_of(&(struct rules){wait, OFF, 0}, 2);
        const struct uns_lineup lineup = {{&primary, &rival}, 2};
        struct uns_outcome outcome;
        int first = x <= wait + y ? x : wait + y;

        uns_simulate(&rules, &lineup, &outcome);
        CHECK_INT("first", outcome.first_ns / UNS_MS, first);
        CHECK_INT("wall", outcome.wall_ns / UNS_MS, first + 1000);
        CHECK_INT("requests", outcome.requests, x > wait ? 2 : 1);
    }
}

static void test_simulate_has_no_more_rivals_than_the_lineup(void **state)
{
    struct uns_trace late = TRACE(20000, 20100, TRACE_END, 20100);
    struct uns_trace fast = trace_make((const int[])FAST);
    struct uns_race_rules rules = rules_of(&(struct rules){1000, OFF, 0}, 5);
    struct uns_lineup lineup = {{&late, &late, &late, &fast}, 1};
    struct uns_outcome outcome;

    (void)state;
    uns_simulate(&rules, &lineup, &outcome);
    CHECK_INT("alone", outcome.requests, 1);
    CHECK_INT("alone", outcome.first_ns, 20 * UNS_S);
    lineup.count = 4;
    uns_simulate(&rules, &lineup, &outcome);
    CHECK_INT("the third rival", outcome.requests, 4);
    CHECK_INT("the third rival", outcome.winner, 3);
    CHECK_INT("the third rival", outcome.first_ns / UNS_MS, 3500);
}

static void test_simulate_counts_what_losers_wrote(void **state)
{
    struct uns_trace stalled = TRACE(500, 700, 9700, TRACE_END, 9700);
    struct uns_trace fast = trace_make((const int[])FAST);
    struct uns_race_rules rules = rules_of(&(struct rules){OFF, 1000, ALL}, 2);
    const struct uns_lineup lineup = {{&stalled, &fast}, 2};
    struct uns_outcome outcome;

    (void)state;
    stalled.tokens = 9200;
    fast.tokens = 300;
    uns_simulate(&rules, &lineup, &outcome);
    CHECK_INT("winner", outcome.winner, 1);
    /* By the clock: the rival led 2200 ms after the start. */
    CHECK_INT("wasted", outcome.wasted, 1700);
    rules = rules_of(&(struct rules){OFF, OFF, 0}, 2);
    uns_simulate(&rules, &lineup, &outcome);
    CHECK_INT("alone", outcome.wasted, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simulate_does_as_the_race_would),
        cmocka_unit_test(test_simulate_gives_the_first_of_two),
        cmocka_unit_test(test_simulate_has_no_more_rivals_than_the_lineup),
        cmocka_unit_test(test_simulate_counts_what_losers_wrote),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
