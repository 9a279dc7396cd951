/* SPDX-License-Identifier: MIT */
#ifndef UNS_TOLD_H
#define UNS_TOLD_H

/*
 * told - what an application has been told by a stream, so that another stream
 * can be compared with it and go on where it stopped: its texts, the values
 * that name the stream, what it has said once, and the frame that was cut off
 * in the middle.  Fed with the very bytes that the application got.
 *
 *   | frame | frame | frame | fra
 *                           ^ the tail: the last frame of text, with nothing
 *                             more in it, can stand for the rest
 */

#include "cut.h"
#include "told_pattern.h"

enum {
    UNS_TOLD_STRANDS = 16, /* texts: of the answer, of each tool's call ... */
    UNS_TOLD_WORDS = 64,   /* values that are remembered */
    UNS_TOLD_MARKS = 128   /* types and places of frames */
};

/* A text that came in many pieces; UTF-8, unescaped. */
struct uns_strand {
    uint64_t key;
    struct uns_run text;
    bool answer; /* the answer itself */
};

struct uns_word {
    uint64_t key;
    size_t at, len; /* among the words' bytes */
    bool same;      /* no other answer has another one */
};

struct uns_tally {
    uint64_t key;
    unsigned count;
};

/* Must not be copied or moved once initialised. */
struct uns_told {
    /* For reading. */
    const char *off; /* why it cannot be continued; NULL: nothing is known */
    bool error;      /* an error was heard: nothing counts from there on */
    uint64_t serial; /* of the last frame that had one */
    unsigned block;  /* that the answer was in last */
    bool proven;     /* tools, signatures: more than text was told */
    bool answering;  /* the last text was the answer's */
    bool match;      /* ready, if the next frame begins like the tail */
    unsigned strands;
    struct uns_strand strand[UNS_TOLD_STRANDS];
    struct uns_run tail; /* of a frame that is not complete */
    struct uns_cut cut;

    /* ---- */
    const struct uns_heap *heap;
    enum uns_dialect dialect;
    size_t limit, used;
    struct uns_stream stream;
    unsigned words, marks;
    struct uns_word word[UNS_TOLD_WORDS];
    struct uns_tally mark[UNS_TOLD_MARKS];
    struct uns_run bytes; /* the words' */
    struct uns_told_pattern pattern;
    bool known;              /* nothing was heard since it was ready */
    struct uns_strand *lent; /* has the tail's text, too ... */
    size_t lent_len;         /* ... behind this */
    size_t past;             /* of the pattern, in the tail behind it */
};

/* Begin.  `heap` is borrowed; no more than about `limit` bytes are kept. */
void uns_told_init(struct uns_told *told, enum uns_dialect dialect,
                   const struct uns_heap *heap, size_t limit);
void uns_told_done(struct uns_told *told);

/* The next bytes that the application is given.  Returns how many of them lie
 * before an error; they should go no further. */
size_t uns_told_hear(struct uns_told *told, const char *bytes, size_t len);

/* Another stream goes on from here: what is heard now is its. */
void uns_told_rejoin(struct uns_told *told);

/* Why it cannot be continued from where it is now; NULL: it can. */
const char *uns_told_ready(struct uns_told *told);

/* What completes the tail is appended to `out`, `text` (UTF-8) first if the
 * tail ends in a text; nothing if there is no tail.  False: no memory. */
bool uns_told_mend(const struct uns_told *told, struct uns_slice text,
                   struct uns_run *out);

/* Does the tail end in the middle of a text? */
static inline bool uns_told_in_text(const struct uns_told *told)
{
    return told->lent != NULL && told->past == 0;
}

/* What was said under a key; NULL, data NULL: nothing. */
struct uns_strand *uns_told_strand(struct uns_told *told, uint64_t key);
struct uns_slice uns_told_word(const struct uns_told *told, uint64_t key);

/* The answer's text; NULL: there is none. */
struct uns_strand *uns_told_answer(struct uns_told *told);

/* A frame that counts as progress, and does not say how. */
bool uns_told_is_opaque(const struct uns_parts *parts, unsigned news);

/* Nothing but what stands between frames. */
bool uns_told_is_blank(struct uns_slice bytes);

/* --- between told*.c ------------------------------------------------------ */

/* It cannot be continued any more; the first reason stands. */
void uns_told_give_up(struct uns_told *told, const char *why);

/* Bytes are kept, as long as there is room for them. */
void uns_told_append(struct uns_told *told, struct uns_run *run,
                     struct uns_slice bytes);

/* A text goes on with this one, which is raw. */
void uns_told_say(struct uns_told *told, struct uns_strand *strand,
                  struct uns_slice raw);

/* What a frame's parts say is remembered. */
void uns_told_note(struct uns_told *told, const struct uns_parts *parts,
                   struct uns_slice frame);

/* The number that the first eighteen digits are. */
uint64_t uns_told_number(struct uns_slice digits);

/* Forget what was found out about the tail: it is not what it was. */
void uns_told_take_back(struct uns_told *told);

#endif
