/* SPDX-License-Identifier: MIT */
#ifndef UNS_TIMELINE_H
#define UNS_TIMELINE_H

/*
 * timeline - the moments of one attempt in a bounded buffer: enough to draw
 * it, and to count its stalls again with another threshold.
 *
 * Stored as a blob: a version byte, then varint entries (see timeline.c).
 * The first `len` bytes of the buffer are a whole blob after every note.
 * When the buffer is full, neighbouring chunks without a gap between them are
 * merged; gaps are kept for as long as there is room for anything.
 */

#include "units.h"

#include <stdbool.h>

/* No blob is smaller than what one entry may need. */
#define UNS_TIMELINE_MIN 256

/* 8 KiB hold about 2000 chunks as they came; longer streams are merged. */
#define UNS_TIMELINE_BYTES 8192

enum uns_mark {
    UNS_MARK_CHUNK,      /* content chunks of one piece */
    UNS_MARK_STRUCTURAL, /* progress without payload */
    UNS_MARK_OTHER,      /* keepalive, noise: the connection lives */
    UNS_MARK_PAUSE,      /* paused by the application for span_ns: no stall */
    UNS_MARK_COUNT
};

/* One entry.  Times are relative to the attempt's start, and kept in whole
 * microseconds (gaps are rounded up, so that a gap is over a threshold of
 * whole microseconds exactly if it was). */
struct uns_moment {
    enum uns_mark mark;
    uint32_t count; /* chunks (events) that it stands for, 1 at least */
    uns_ns at_ns;   /* arrival (of the first, when merged) */
    uns_ns span_ns; /* first to last arrival, when merged */
    uns_ns gap_ns;  /* silence before it, by the meter's definition: the
                       application was ready since at_ns - gap_ns */
};

struct uns_timeline {
    /* private, but for buf, len, chunks, and the two that a copy follows */
    uint8_t *buf; /* borrowed */
    size_t cap, len;
    uint32_t thinnings; /* before last_at nothing changes but by one */
    uint64_t chunks;    /* all that were noted, merged ones too */
    uns_ns keep_ns;     /* shorter gaps may be swallowed by a merge */
    uns_ns grain_ns;    /* merged entries span no more; 0: nothing merges yet */
    int effort;         /* how often it was thinned */
    size_t last_at;     /* where the last entry begins ... */
    uns_ns last_ns;     /* ... what its time is counted from ... */
    uns_ns end_ns;      /* ... and the last arrival of it */
};

/* `buf` of at least UNS_TIMELINE_MIN bytes is borrowed for the timeline's
 * life.  Gaps of keep_ns and more survive thinning as long as possible. */
void uns_timeline_init(struct uns_timeline *timeline, uint8_t *buf, size_t cap,
                       uns_ns keep_ns);

/* Append.  Never fails: it thins.  A time before the last one's counts as the
 * last one's. */
void uns_timeline_note(struct uns_timeline *timeline,
                       const struct uns_moment *moment);

/* Read a blob.  Start with *ret_at = 0; true while an entry was read.  Times
 * are counted from the entry before, so `moment` has to be the one that the
 * last call filled.  Any bytes are safe: damage reads as the end. */
bool uns_timeline_next(const uint8_t *blob, size_t len, size_t *ret_at,
                       struct uns_moment *moment);

#endif
