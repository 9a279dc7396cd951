/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_GRID_H
#define UNS_CLI_GRID_H

/*
 * grid - settings tried on recorded calls, what each would have saved and
 * cost, and which of them to take: the knee, which is the cheapest that saves
 * nine tenths of what any does within the budget.  Pure.
 *
 *   saved  |                 .------*  the most within the budget
 *     0.9 -|- - - - - *--'
 *          |       .'   knee
 *          |     .'                  |
 *          +----------------------------- extra requests
 *                                  budget
 */

#include "pool.h"

/* What is tried.  UNS_NEVER: off; hold_ns UNS_NEVER: all. */
struct uns_setting {
    uns_ns after_ns, stall_after_ns, hold_ns;
};

struct uns_price {
    double requests;    /* extra ones, a call */
    double tokens;      /* extra ones, a call, read and written */
    double first_ms[3]; /* p50, p95, p99 of the first token given */
    double wall_ms;     /* mean */
    double wall_p95_ms;
    double saved_ms; /* of the mean wall, without any setting */
};

struct uns_grid_entry {
    struct uns_setting setting;
    struct uns_price price;
};

#define UNS_GRID_MOST 600

struct uns_grid {
    struct uns_grid_entry entry[UNS_GRID_MOST]; /* [0]: no rivals at all */
    size_t count;
};

/* A setting that saves less than this share of the calls' time is not worth
 * the extra requests. */
#define UNS_GRID_WORTH 0.01

/* Try all on the pool, which is complete and not empty.  NULL: no memory. */
struct uns_grid *uns_grid_new(const struct uns_pool *pool, uint64_t seed);
void uns_grid_free(struct uns_grid *grid);

/* What may be recommended. */
struct uns_grid_limits {
    double budget;  /* extra requests a call */
    uns_ns hold_ns; /* no more is kept back; UNS_NEVER: any */
};

struct uns_grid_choice {
    size_t knee, most; /* entries; 0: nothing is worth it */
};

struct uns_grid_choice uns_grid_choose(const struct uns_grid *grid,
                                       const struct uns_grid_limits *limits);

/* Nobody within the limits saves as much for as little. */
bool uns_grid_is_frontier(const struct uns_grid *grid, size_t i,
                          const struct uns_grid_limits *limits);

#endif
