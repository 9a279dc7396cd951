/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_GAPS_H
#define UNS_CLI_GAPS_H

/*
 * gaps - the gaps between content chunks that a timeline tells (figures.def,
 * gap_ms), and the stalls among them by any threshold.  Pure.
 */

#include "core/timeline.h"

/* Equal gaps, one after another. */
struct uns_gap {
    uns_ns length_ns;
    uint64_t count; /* 1 at least */
    bool merged;    /* the mean of gaps that the timeline no longer tells */
};

/* A walk through one timeline. */
struct uns_gaps {
    /* private */
    const uint8_t *blob; /* borrowed */
    size_t len, at;
    struct uns_moment moment;
    bool begun;  /* the first chunk was seen: nothing before it is a gap */
    bool inside; /* the gaps inside of `moment` come next */
};

struct uns_gaps uns_gaps_begin(const uint8_t *blob, size_t len);

/* False: there are no more. */
bool uns_gaps_next(struct uns_gaps *gaps, struct uns_gap *ret_gap);

struct uns_stalls {
    int64_t stall_ms, count; /* their sum, cut off once */
};

/* Gaps over the threshold.  Those that were merged are none: what was a stall
 * by the threshold in force is kept apart. */
struct uns_stalls uns_gaps_stalls(const uint8_t *blob, size_t len,
                                  uns_ns threshold_ns);

#endif
