/* SPDX-License-Identifier: MIT */
#ifndef UNS_CUT_H
#define UNS_CUT_H

/*
 * cut - where the frames of a stream end: the blank line behind a server-sent
 * event, the end of a line of JSON, the end of an array's element.  Says
 * nothing about what is in them.
 */

#include "units.h"

#include <stdbool.h>

enum uns_cut_kind {
    UNS_CUT_UNKNOWN, /* its first byte tells */
    UNS_CUT_EVENTS,
    UNS_CUT_LINES,
    UNS_CUT_ARRAY
};

struct uns_cut {
    enum uns_cut_kind kind;
    /* private: of the frame that has begun */
    size_t at;     /* looked at so far */
    unsigned nest; /* brackets open */
    bool text;     /* inside of a string ... */
    bool escape;   /* ... behind a backslash */
    bool filled;   /* this line is not blank */
};

/* Length of the frame that `bytes` begins with; 0: more has to come.  The
 * next call has to begin with the same bytes, and more of them; after a frame
 * with those that follow it.  An element of an array has what stands before
 * it, and the closing bracket is a frame of its own. */
size_t uns_cut_next(struct uns_cut *cut, struct uns_slice bytes);

/* Takes the next line from `rest`, and its one byte of an end: LF, CR, or the
 * half of CRLF that leaves a blank line.  Returns it without that. */
struct uns_slice uns_cut_line(struct uns_slice *rest);

/* The same bytes once more, from the beginning of the frame. */
void uns_cut_again(struct uns_cut *cut);

#endif
