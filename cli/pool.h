/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_POOL_H
#define UNS_CLI_POOL_H

/*
 * pool - the recorded primaries of some places, and what would have become of
 * those that were cut.
 *
 * A primary that was stopped because a rival had answered says "longer than".
 * It is given the rest of another one of its place, drawn from all that were
 * silent for longer, those that were cut themselves among them; which are then
 * given a rest in turn.  Drawn often, that is the product-limit estimate of
 * Kaplan and Meier (Efron, 1967: each cut one leaves its share to those on its
 * right).  Pure.
 */

#include "stats.h"
#include "trace.h"

struct uns_pool_call {
    struct uns_trace trace;
    uint32_t place;   /* an origin and model; calls there are alike */
    double tokens_in; /* of its request */
    size_t from, to;  /* the calls of its place, by uns_pool_complete() */
};

/* All zero: empty. */
struct uns_pool {
    struct uns_pool_call *call;
    size_t count, cap;
    size_t cut;       /* calls that were, until they were completed */
    size_t unbounded; /* ... and for which no longer one was known */
};

/* False: no memory. */
bool uns_pool_add(struct uns_pool *pool, const struct uns_pool_call *call);

/* Once all are there: make places of fewer calls than `least` one place,
 * order the calls by place and complete the cut ones.  False: no memory. */
bool uns_pool_complete(struct uns_pool *pool, size_t least, uint64_t seed);

/* Another call of the place of call `i`, as likely as any; itself if it has
 * no other. */
const struct uns_trace *uns_pool_rival(const struct uns_pool *pool, size_t i,
                                       struct uns_dice *dice);

void uns_pool_clear(struct uns_pool *pool);

#endif
