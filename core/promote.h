/* SPDX-License-Identifier: MIT */
#ifndef UNS_PROMOTE_H
#define UNS_PROMOTE_H

/*
 * promote - a stream put together to the one JSON body that the same request
 * would have brought without one.
 *
 *   {"choices":[{"delta":{"content":"Ti"}}]}     {"choices":[{"message":
 *   {"choices":[{"delta":{"content":"de"}}]}  ->   {"content":"Tide"}, ...
 *
 * Values stay the text that they are: no number is printed anew, no string
 * decoded.  Any split of the body gives the same answer, and an answer is
 * whole or none at all.
 */

#include "cut.h"
#include "dialect.h"
#include "promote_tree.h"

struct uns_shape_dialect;

/* Must not be copied or moved once initialised. */
struct uns_promote {
    const struct uns_shape_dialect *dialect;
    struct uns_tree tree;
    struct uns_cut cut;
    struct uns_run rest; /* bytes of a frame that is not complete */
    struct uns_run data; /* of the event that is being read */
    bool begun, told;    /* a frame was read; it said that text was written */
    unsigned events;     /* that were put in */
};

/* Can streams of the dialect be put together? */
bool uns_promote_can(enum uns_dialect dialect);

/* Begin; `limit` bounds the bytes that are held. */
void uns_promote_init(struct uns_promote *promote, enum uns_dialect dialect,
                      const struct uns_heap *heap, size_t limit);
void uns_promote_done(struct uns_promote *promote);

/* The next bytes of the body.  The first error stays: SYNTAX: an event is no
 * JSON; UNSUPPORTED: an error event, or one that says what cannot be put
 * together; TOOBIG, NOMEM. */
enum uns_err uns_promote_feed(struct uns_promote *promote, const char *bytes,
                              size_t len);

/* The body has ended: the answer, appended to `ret_body` (the caller's, of the
 * same heap).  NOTFOUND: there was nothing in it.  Whether the stream has
 * come to its own end is not asked here: core/stream.h knows. */
UNS_MUST_USE enum uns_err uns_promote_end(struct uns_promote *promote,
                                          struct uns_run *ret_body);

#endif
