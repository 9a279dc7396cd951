/* SPDX-License-Identifier: MIT */
#ifndef UNS_WALK_H
#define UNS_WALK_H

/*
 * walk - all values of a JSON text in the order in which they are written,
 * each with its path and its place: for those who need to know where in the
 * text a value stands (the value of `model` in a request, the line of a
 * setting).  The whole text has to be there; nothing is copied, decoded or
 * allocated.  Strict (RFC 8259), but for the comments if they are wanted.
 *
 *   {"a": {"b": [1, true]}}   yields   depth 0  OBJECT
 *                                      depth 1  OBJECT  a
 *                                      depth 2  ARRAY   a.b
 *                                      depth 3  NUMBER  a.b.*  "1"
 *                                      depth 3  TRUE    a.b.*
 */

#include "units.h"

#include <stdbool.h>

/* Deeper texts are malformed to us. */
#define UNS_WALK_DEPTH 256

/* Levels whose keys are remembered: deeper values match no path. */
#define UNS_WALK_KEYS 8

enum uns_walk_kind {
    UNS_WALK_OBJECT,
    UNS_WALK_ARRAY,
    UNS_WALK_STRING,
    UNS_WALK_NUMBER,
    UNS_WALK_TRUE,
    UNS_WALK_FALSE,
    UNS_WALK_NULL
};

/* One value; borrows from the text. */
struct uns_walk_value {
    enum uns_walk_kind kind;
    unsigned depth;        /* 0: the document itself */
    struct uns_slice key;  /* raw; data NULL: it is no member of an object */
    struct uns_slice text; /* raw: a string's between its quotes, a number's
                              digits; the bracket of what holds others */
};

struct uns_walk {
    /* private, but for `at` and `ok` */
    struct uns_slice text;
    size_t at; /* how far it has read: when malformed, about where */
    bool ok;   /* after the last value: the text was well formed */
    bool comments, started, fresh;
    unsigned depth;
    struct uns_slice key[UNS_WALK_KEYS];
    uint8_t is_array[UNS_WALK_DEPTH / 8];
};

/* `comments`: allow those of C and C++ wherever space may stand. */
void uns_walk_init(struct uns_walk *walk, const char *text, size_t len,
                   bool comments);

/* The next value.  False: there is none, and walk->ok tells why. */
bool uns_walk_next(struct uns_walk *walk, struct uns_walk_value *ret_value);

/* Is the value that was got last at `path`?  Keys joined by dots; '*' stands
 * for any key or any place in an array. */
bool uns_walk_is_at(const struct uns_walk *walk,
                    const struct uns_walk_value *value, const char *path);

/* Behind the bracket that closes the one at `at` of a JSON text; its end, if
 * none does. */
size_t uns_walk_behind(struct uns_slice text, size_t at);

/* The raw text of a JSON string, decoded to `out` and ended with NUL.  False:
 * it does not fit into `size` bytes, or has a NUL or half a surrogate pair in
 * it. */
bool uns_walk_decode(struct uns_slice raw, char *out, size_t size);

#endif
