/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_TAPE_H
#define UNS_ENGINE_TAPE_H

/*
 * tape - what an attempt was answered, with its timing, as a file for a bug
 * report: only where UNSTALL_CAPTURE names a directory.  Without it no attempt
 * has a tape.
 *
 *     {"unstall_capture":1,"status":200,...}     one line of JSON
 *     @214000000 57                              ns since the attempt's start,
 *     data: {"choices":[...]}                    bytes; so many of them, "\n"
 *     @3214000000 end whole                      the end; none: it was killed
 *
 * The first line names the call as the store does (calls.uuid): so it can be
 * told whose capture a file is.  The end is "whole", "lost CODE" (the
 * connection was), "left CODE" (the client went away; -1: without a result) or
 * "full" (UNS_TAPE_BYTES).  Nothing of the request is kept but its place,
 * without a query, and the model's name; of the response's headers a few that
 * hold no secret; of its body everything.
 *
 * Each piece is one open, write and close: no descriptor stays in a host that
 * may close it, and what a kill leaves can be read.  What cannot be written
 * ends the tape, and nothing else.
 */

#include "attempt.h"

/* Of one file; of files in the directory. */
#define UNS_TAPE_BYTES ((size_t)4 << 20)
#define UNS_TAPE_FILES 256

struct uns_tape; /* a->tape; NULL everywhere: there is none */

/* A tape for a new attempt, if there are to be any.  Its file is made with the
 * first thing that is to be kept. */
struct uns_tape *uns_tape_new(void);

/* Bytes that libcurl gave for the first time, at a->piece_ns. */
void uns_tape_head(const struct uns_attempt *a, struct uns_slice lines);
void uns_tape_body(const struct uns_attempt *a, struct uns_slice piece);

/* Libcurl has no more for it, or shall have none.  Again: nothing. */
void uns_tape_end(const struct uns_attempt *a, uns_ns now_ns);

/* Ends it, too. */
void uns_tape_free(struct uns_attempt *a);

#endif
