/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_TAPE_READ_H
#define UNS_CLI_TAPE_READ_H

/* tape_read - reads what `unstall run --capture` wrote (engine/tape.h).  The
 * file comes from somebody else: whatever is in it, nothing is read beyond
 * its end, and numbers are what they say they are.  Pure. */

#include "core/units.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum uns_tape_how {
    UNS_TAPE_OPEN,  /* no end: its process was killed */
    UNS_TAPE_WHOLE, /* the answer ended well */
    UNS_TAPE_LOST,  /* the connection ended */
    UNS_TAPE_LEFT,  /* the client went away */
    UNS_TAPE_FULL   /* the rest was not kept */
};

struct uns_tape_piece {
    uns_ns at_ns;
    struct uns_slice bytes; /* of the text that was read */
};

struct uns_tape_text {
    cJSON *header; /* the first line */
    int status;    /* 0: none came */
    uns_ns head_ns;
    struct uns_tape_piece *piece;
    size_t pieces;
    enum uns_tape_how how;
    uns_ns end_ns;
};

/* Does a file begin like one? */
bool uns_tape_read_is(struct uns_slice text);

/* Read it; `text` must live as long.  Times never run back.  A file that ends
 * in the middle of a piece has those before it.  NULL, or what is wrong. */
const char *uns_tape_read(struct uns_slice text,
                          struct uns_tape_text *ret_tape);
void uns_tape_read_done(struct uns_tape_text *tape);

/* A text of its header; NULL: it has none of that name. */
const char *uns_tape_read_word(const struct uns_tape_text *tape,
                               const char *name);

/* A response header of it; NULL likewise. */
const char *uns_tape_read_header(const struct uns_tape_text *tape,
                                 const char *name);

#endif
