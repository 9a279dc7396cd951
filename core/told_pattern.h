/* SPDX-License-Identifier: MIT */
#ifndef UNS_TOLD_PATTERN_H
#define UNS_TOLD_PATTERN_H

/*
 * told_pattern - the last frame that was one text.  Most of those that follow
 * repeat it but for the text, and for numbers and names that mean nothing to a
 * rival: they need neither be cut off nor read.  And what a frame lacks that
 * was cut in the middle stands in it.
 *
 *   data: {"created":1722500000,"choices":[..."content":"tide"..}]}
 *                                                        ^at ^end
 */

#include "heap.h"
#include "parts.h"
#include "stream.h"

/* All zeros: there was none. */
struct uns_told_pattern {
    struct uns_run bytes;     /* the frame, once it is settled */
    size_t at, end;           /* its text, between the quotes */
    uint64_t key;             /* the text's ... */
    unsigned block;           /* ... and its block */
    size_t serial_at, digits; /* its serial number; 0: none */

    /* ---- */
    struct uns_slice frame; /* borrowed, until it is settled; data NULL: is */
    bool repeats;           /* the stream's last event is this frame */
    uint8_t serial;         /* which of its holes has the serial number */
};

/* `frame`, of which `stream` has just heard that it is content, is the pattern
 * from now on, if it has one text and no more. */
void uns_told_pattern_keep(struct uns_told_pattern *pattern,
                           struct uns_stream *stream,
                           const struct uns_parts *parts,
                           struct uns_slice frame);

/* The stream has heard something that is not the pattern. */
void uns_told_pattern_leave(struct uns_told_pattern *pattern);

/* Do `bytes` begin with a frame that repeats the pattern?  Then the stream
 * hears it, and it is the pattern from now on.  Returns its length; 0: nothing
 * has happened, and it has to be cut off and read, which is the definition of
 * what it says. */
size_t uns_told_pattern_meet(struct uns_told_pattern *pattern,
                             struct uns_stream *stream, struct uns_slice bytes);

/* The bytes that frames were taken from will go: the last one is copied.
 * False: no memory; there is no pattern. */
bool uns_told_pattern_settle(struct uns_told_pattern *pattern,
                             const struct uns_heap *heap);

#endif
