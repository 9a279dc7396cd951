/* SPDX-License-Identifier: MIT */
#ifndef UNS_BENCH_HEDGE_WORLD_H
#define UNS_BENCH_HEDGE_WORLD_H

/* hedge_world - the two distributions of first-token times that bhope/hedge
 * publishes figures for, and how a list of times is summed up. */

#include "tests/draw.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct world {
    const char *name;
    struct draw_kind kind; /* ms */
    bool early;            /* status and headers come at once */
};

/* clang-format off */
static const struct world worlds[] = {
    {"simulate",  {.mean = 5, .sd = 2, .slow = 0.05, .times = 10}, false},
    {"streaming", {.mean = 15, .sd = 3,
                   .slow = 0.2, .slow_mean = 200, .slow_sd = 25},  true},
};

/* clang-format on */

static inline const struct world *world_of(const char *name)
{
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++)
        if (name && strcmp(worlds[i].name, name) == 0)
            return &worlds[i];
    fprintf(stderr, "worlds: simulate, streaming\n");
    exit(2);
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* p50 p90 p95 p99 p99.9, in the unit of the times, which are sorted. */
static inline void print_times(double *times, size_t count)
{
    static const double quantiles[] = {0.5, 0.9, 0.95, 0.99, 0.999};

    qsort(times, count, sizeof *times, compare_times);
    for (size_t i = 0; i < sizeof quantiles / sizeof *quantiles; i++)
        printf(" %7.1f", times[(size_t)((double)(count - 1) * quantiles[i])]);
}

#endif
