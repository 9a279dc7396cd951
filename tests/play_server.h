/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_PLAY_SERVER_H
#define UNS_TESTS_PLAY_SERVER_H

/* play_server - the same answer as two servers stream it, in each dialect. */

#include "core/dialect.h"

#include <stdbool.h>

#define PLAY_TOKENS   60
#define PLAY_DIALECTS 9

enum play_part {
    PLAY_OPEN, /* before the text */
    PLAY_TEXT,
    PLAY_CLOSE /* finish and end */
};

/* $N the server's name, $T a token, $S the frame's number; ' is ". */
struct play_dialect {
    const char *name;
    enum uns_dialect dialect;
    const char *part[3];
    bool ends; /* it has an end marker, or a finish that is one */
};

extern const struct play_dialect play_dialects[PLAY_DIALECTS];

/* What two servers may do differently. */
struct play_server {
    const char *name;
    unsigned merge;  /* tokens in a frame */
    bool ascii;      /* escapes all that is not */
    const char *odd; /* instead of token `odd_at`; NULL: the same answer */
    unsigned odd_at;
};

/* The answer itself: tokens [from, to). */
void play_answer(char *out, unsigned from, unsigned to);

/* A text as it stands in JSON; `ascii`: with escapes for all that is not. */
void play_escape(char *to, const char *from, bool ascii);

/* Appends a part, filled in. */
void play_frame(char *out, const char *text, const char *name,
                const char *token, unsigned *serial);

/* Tokens [from, to) as that server streams them, without finish and end.
 * Returns the next frame's number. */
unsigned play_begun(char *out, const struct play_dialect *d,
                    const struct play_server *s, unsigned from, unsigned to);

/* The same with finish and end. */
void play_stream(char *out, const struct play_dialect *d,
                 const struct play_server *s, unsigned from, unsigned to);

#endif
