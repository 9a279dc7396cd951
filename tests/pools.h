/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_POOLS_H
#define UNS_TESTS_POOLS_H

/* pools - recorded primaries that a seed makes: most are quick, some are late,
 * some stall. */

#include "cli/pool.h"
#include "traces.h"

#include <math.h>
#include <stdlib.h>

struct pool_plan {
    size_t calls;
    double late, stalled; /* shares of the calls */
    int late_ms, stall_ms;
};

static inline void pool_add(struct uns_pool *pool, struct uns_trace trace,
                            uint32_t place)
{
    const struct uns_pool_call call = {
        .trace = trace, .place = place, .tokens_in = 100};

    if (!uns_pool_add(pool, &call))
        abort();
}

/* First token after 0.5 to 1 s, or late by late_ms; then 2 s of generation,
 * in the middle of which it may stall. */
static inline struct uns_trace pool_trace(const struct pool_plan *plan,
                                          struct uns_dice *dice)
{
    int first = 500 + (int)uns_stats_roll(dice, 500);
    struct uns_trace trace = {.tokens = 50};

    if (uns_stats_uniform(dice) < plan->late)
        first += plan->late_ms;
    for (int ms = 0; ms <= 1000; ms += 100)
        uns_trace_note(&trace, (first + ms) * UNS_MS);
    if (uns_stats_uniform(dice) < plan->stalled)
        first += plan->stall_ms;
    for (int ms = 1100; ms <= 2000; ms += 100)
        uns_trace_note(&trace, (first + ms) * UNS_MS);
    uns_trace_close(&trace, (first + 2000) * UNS_MS);
    return trace;
}

static inline struct uns_pool pool_make(const struct pool_plan *plan,
                                        uint64_t seed)
{
    struct uns_pool pool = {0};
    struct uns_dice dice = {seed};

    for (size_t i = 0; i < plan->calls; i++)
        pool_add(&pool, pool_trace(plan, &dice), 0);
    if (!uns_pool_complete(&pool, 20, 1))
        abort();
    return pool;
}

#endif
