/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_TRACES_H
#define UNS_TESTS_TRACES_H

/* traces - attempts by the times of their progress, in milliseconds. */

#include "cli/trace.h"

/* Ends with TRACE_END, behind which the end of the transfer stands. */
#define TRACE_END (-1)

static inline struct uns_trace trace_make(const int *ms)
{
    struct uns_trace trace = {0};

    for (; *ms != TRACE_END; ms++)
        uns_trace_note(&trace, *ms * UNS_MS);
    uns_trace_close(&trace, ms[1] * UNS_MS);
    return trace;
}

#define TRACE(...) trace_make((const int[]){__VA_ARGS__})

/* First token, generation without a silence, end. */
static inline struct uns_trace trace_smooth(int first_ms, int last_ms)
{
    struct uns_trace trace = {0};

    for (int ms = first_ms; ms < last_ms; ms += 100)
        uns_trace_note(&trace, ms * UNS_MS);
    uns_trace_note(&trace, last_ms * UNS_MS);
    uns_trace_close(&trace, last_ms * UNS_MS);
    return trace;
}

#endif
