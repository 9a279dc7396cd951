/* SPDX-License-Identifier: MIT */
/* draw_tick - picks from a table of distances that read well. */
#include "draw_tick.h"

#include <stdio.h>

static const int64_t steps_ms[] = {
    1,       2,       5,        10,       20,        50,         100,
    200,     500,     1000,     2000,     5000,      10000,      20000,
    30000,   60000,   120000,   300000,   600000,    1200000,    1800000,
    3600000, 7200000, 21600000, 86400000, 864000000, 2160000000, 4320000000,
};

#define STEPS (sizeof steps_ms / sizeof *steps_ms)

int64_t uns_draw_tick_step(const struct uns_draw_axis *axis, int space)
{
    int64_t least_ms = axis->total_ns / UNS_MS * space / axis->columns;

    for (size_t i = 0; i < STEPS; i++)
        if (steps_ms[i] > least_ms)
            return steps_ms[i];
    return steps_ms[STEPS - 1];
}

void uns_draw_tick_text(char text[UNS_TEXT_TIME], int64_t ms, int64_t step_ms)
{
    long long whole = ms;

    if (step_ms >= 3600000)
        snprintf(text, UNS_TEXT_TIME, "%lld h", whole / 3600000);
    else if (step_ms >= 60000)
        snprintf(text, UNS_TEXT_TIME, "%lld m", whole / 60000);
    else if (step_ms >= 1000)
        snprintf(text, UNS_TEXT_TIME, "%lld s", whole / 1000);
    else if (step_ms >= 100)
        snprintf(text, UNS_TEXT_TIME, "%lld.%lld s", whole / 1000,
                 whole / 100 % 10);
    else
        snprintf(text, UNS_TEXT_TIME, "%lld ms", whole);
}
