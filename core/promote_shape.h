/* SPDX-License-Identifier: MIT */
#ifndef UNS_PROMOTE_SHAPE_H
#define UNS_PROMOTE_SHAPE_H

/*
 * promote_shape - how each member of a stream's events becomes a member of the
 * answer, as data.  A shape is one kind of object in an event; members that it
 * does not list are kept as they are, and the last one of a name that says
 * anything stands.  Private to promote*.c.
 */

#include "dialect.h"
#include "units.h"

#include <stdbool.h>

enum uns_shape_verb {
    UNS_SHAPE_SET,     /* the last value that is neither null nor "" */
    UNS_SHAPE_JOIN,    /* strings, put together; a list of them: PARTS */
    UNS_SHAPE_MERGE,   /* an object, member by member */
    UNS_SHAPE_LIFT,    /* its members belong to the object around it */
    UNS_SHAPE_ENTRIES, /* objects of a list, merged by their `index` */
    UNS_SHAPE_APPEND,  /* elements of a list that come one by one */
    UNS_SHAPE_PUSH,    /* one element of such a list */
    UNS_SHAPE_PARTS,   /* texts of a list: neighbours of one kind are joined */
    UNS_SHAPE_PIECES,  /* JSON that comes in pieces, inside of strings */
    UNS_SHAPE_FULLER,  /* SET, unless it is an empty list */
    UNS_SHAPE_UNCHUNK, /* SET, without ".chunk" at its end */
    UNS_SHAPE_DROP,    /* of the stream alone */
    UNS_SHAPE_FAIL     /* anything but null or false: this cannot be rebuilt */
};

struct uns_shape_row {
    const char *key;
    enum uns_shape_verb verb;
    const struct uns_shape *inner; /* of the objects there; NULL: all SET */
    const char *as;                /* its name in the answer; NULL: the same */
    const char *otherwise; /* what stands there if it never came; NULL: none */
};

struct uns_shape {
    const struct uns_shape_row *rows;
    size_t count;
    bool closed; /* members that are not listed are left out */
};

/* What an event of a type is effect; in dialects that name types. */
enum uns_shape_effect {
    UNS_EVENT_ANSWER,
    UNS_EVENT_AFRESH, /* the answer begins, or begins again */
    UNS_EVENT_BLOCK,  /* the element `list`[`number`] of the answer */
    UNS_EVENT_TELLS,  /* nothing, but the answer must not be empty now */
    UNS_EVENT_ERROR
};

struct uns_shape_event {
    const char *type; /* "*end": all that end so */
    enum uns_shape_effect effect;
    const struct uns_shape *shape;
};

struct uns_shape_dialect {
    const struct uns_shape *answer;       /* NULL: cannot be rebuilt */
    const struct uns_shape_event *events; /* NULL: an event has no type, and
                                             is of the answer's shape */
    size_t count;
    const char *list, *number; /* where BLOCK is */
};

/* The tables of a dialect. */
const struct uns_shape_dialect *uns_shape_of(enum uns_dialect dialect);

/* The row of a member; NULL: it is not listed. */
const struct uns_shape_row *uns_shape_row(const struct uns_shape *shape,
                                          struct uns_slice key);

/* What to do with an event of that type; NULL: it says nothing. */
const struct uns_shape_event *
uns_shape_event(const struct uns_shape_dialect *dialect, struct uns_slice type);

#endif
