/* SPDX-License-Identifier: MIT */
#ifndef UNS_TIMELINE_H
#define UNS_TIMELINE_H

/*
 * timeline - the moments of one attempt in a bounded buffer: enough to draw
 * it, and to count its stalls again with another threshold.
 *
 * Stored as a blob: a version byte, then varint entries (see timeline.c).
 * When the buffer is full, neighbouring chunks without a gap between them are
 * merged; gaps are kept for as long as there is room for anything.
 */

#include "err.h"
#include "units.h"

#include <stdbool.h>

struct uns_timeline {
    uint8_t *buf; /* borrowed */
    size_t cap, len;
    uns_ns keep_ns;  /* gaps at least this long survive thinning */
    uns_ns last_ns;  /* time of the last entry, relative to the start */
    uint64_t chunks; /* all that were noted, merged ones too */
};

enum uns_mark {
    UNS_MARK_CHUNK,      /* content chunks of one piece */
    UNS_MARK_STRUCTURAL, /* progress without payload */
    UNS_MARK_OTHER,      /* keepalive, noise: the connection lives */
    UNS_MARK_PAUSE,      /* application paused, or was late: no stall */
    UNS_MARK_COUNT
};

/* One entry as read back. Times are relative to the attempt's start. */
struct uns_moment {
    enum uns_mark mark;
    uns_ns at_ns;    /* arrival (of the first, when merged) */
    uns_ns ready_ns; /* the application was ready again */
    uns_ns gap_ns;   /* silence before it, by the meter's definition */
    uint32_t count;  /* chunks that it stands for */
    uns_ns span_ns;  /* first to last arrival, when merged */
};

/* `buf` of at least 256 bytes is borrowed for the timeline's life. */
void uns_timeline_init(struct uns_timeline *timeline, uint8_t *buf, size_t cap,
                       uns_ns keep_ns);

/* Append.  Never fails: it thins. */
void uns_timeline_note(struct uns_timeline *timeline,
                       const struct uns_moment *moment);

/* Read a blob.  Start with *ret_at = 0; true while an entry was read.  Any
 * bytes are safe: damage reads as the end. */
bool uns_timeline_next(const uint8_t *blob, size_t len, size_t *ret_at,
                       struct uns_moment *moment);

#endif
