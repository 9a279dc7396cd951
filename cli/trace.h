/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_TRACE_H
#define UNS_CLI_TRACE_H

/*
 * trace - what the race would hear of a recorded attempt: its progress, but
 * only at both ends of each longer silence, since the race acts upon nothing
 * else.  Pure.
 *
 *   wait           silence       silence
 *   |-------|xxxxxx|-----|xxxxxxx|-----|xxxx|--| end
 *           at[0]  at[1] at[2]   at[3] at[4] at[5]
 */

#include "core/record.h"

/* Shorter silences are none: no setting that is tried acts so soon. */
#define UNS_TRACE_GRAIN (200 * UNS_MS)

/* Points that are kept; what silences come later are taken for none. */
#define UNS_TRACE_POINTS 48

struct uns_trace {
    uns_ns end_ns; /* of the transfer */
    size_t points;
    uns_ns at_ns[UNS_TRACE_POINTS]; /* rising, from its start */
    double tokens;                  /* that it wrote, up to the last point */
    bool cut; /* it was stopped at the end: more would have come */
};

/* Progress at `at_ns`, not before the last one's. */
void uns_trace_note(struct uns_trace *trace, uns_ns at_ns);

/* A trace in which only the last point is new stays as short as it was: this
 * adds it for good, and the end. */
void uns_trace_close(struct uns_trace *trace, uns_ns end_ns);

/* Read an attempt.  Without a timeline (of no bytes) silences are not known.
 * `cut` is left to the caller. */
void uns_trace_read(const struct uns_attempt_record *attempt,
                    struct uns_slice timeline, struct uns_trace *ret_trace);

/* Points after which a silence begins, and their number: 0, 2, ... for the
 * waits between at_ns[i] and at_ns[i + 1] of at least the grain. */
bool uns_trace_is_silence(const struct uns_trace *trace, size_t i);

/* The share of its tokens that it had written `ns` after its start. */
double uns_trace_written(const struct uns_trace *trace, uns_ns ns);

#endif
