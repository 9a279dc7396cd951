/* SPDX-License-Identifier: MIT */
#ifndef UNS_PARTS_H
#define UNS_PARTS_H

/*
 * parts - where in one frame of a stream those values stand that matter when
 * one stream is to go on where another one stopped: its text, what names the
 * stream, what is said once.  Places are offsets into the frame, so that it
 * can be passed on with nothing but these replaced.
 *
 *   data: {"id":"chatcmpl-7","choices":[{"delta":{"content":"tide"}}]}
 *               ^ SWAP                                      ^ TEXT
 */

#include "dialect.h"
#include "walk.h"

#include <stdbool.h>

enum uns_part_verb {
    UNS_PART_TEXT,   /* a string that is appended to what it said before */
    UNS_PART_RAW,    /* any value that comes whole */
    UNS_PART_SWAP,   /* the first stream's value stands for all others */
    UNS_PART_ONCE,   /* left out when it was said before */
    UNS_PART_SAME,   /* the same, and it must not have been another */
    UNS_PART_SERIAL, /* a number that counts the frames */
    UNS_PART_BLOCK,  /* the number of the block that the frame is about */
    UNS_PART_PASS,   /* proves progress, and means nothing to us */
    UNS_PART_OPAQUE, /* cannot be compared, or cut */
    /* not told: these say what the others are about */
    UNS_PART_ITEM,  /* another element of a list begins */
    UNS_PART_SCOPE, /* its number there */
    UNS_PART_AFTER  /* true: the TEXT beside it is reasoning */
};

struct uns_part {
    enum uns_part_verb verb;
    uint64_t key;   /* two parts that say the same thing have the same */
    bool answer;    /* TEXT: of the answer itself, nothing beside it */
    size_t key_at;  /* where its member begins; SIZE_MAX: it is none */
    size_t at, len; /* the value as it is written, quotes and all */
};

enum {
    UNS_PARTS = 48
};

struct uns_parts {
    struct uns_part part[UNS_PARTS];
    unsigned count;
    bool data;      /* it has some; else it is a comment, or blank */
    bool json;      /* and that is one JSON object on one line */
    bool opaque;    /* it says what cannot be told here */
    size_t at, len; /* of the data */
    uint64_t mark;  /* its type and its place, in dialects that name them;
                       0: none */
    bool opens;     /* such a frame begins a block */
    unsigned block; /* that it is about */
};

/* Can streams of the dialect be compared at all? */
bool uns_parts_known(enum uns_dialect dialect);

/* Read one frame; values that are null, or empty strings, are not told.
 * `shift` is added to the block's number. */
void uns_parts_read(struct uns_parts *parts, enum uns_dialect dialect,
                    struct uns_slice frame, unsigned shift);

/* May the value that was got last of a frame's data be another one of its kind
 * without changing which parts there are, and what they are about?  One that
 * names the stream may, since the first stands for all, unless it is empty. */
bool uns_parts_may_vary(enum uns_dialect dialect, const struct uns_walk *walk,
                        const struct uns_walk_value *value);

/* The text of a frame that has just one; NULL: it has none, or more. */
const struct uns_part *uns_parts_only_text(const struct uns_parts *parts);

/* Its mark counts: it is more than a piece of text. */
bool uns_parts_are_marked(const struct uns_parts *parts);

/* The raw text of a string's part, between its quotes. */
static inline struct uns_slice uns_part_text(const struct uns_part *part,
                                             const char *frame)
{
    return (struct uns_slice){frame + part->at + 1, part->len - 2};
}

#endif
