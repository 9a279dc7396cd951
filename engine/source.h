/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_SOURCE_H
#define UNS_ENGINE_SOURCE_H

/* source - where the next request may go.  Every request beyond attempt 0
 * passes this gate (P3, P5). */

#include "call.h"

/* The application's own endpoint again: what is asked in a route without
 * sources, and by a retry. */
extern const struct uns_source uns_source_self;

/* How many sources a policy has, and which; "self" where it names none. */
size_t uns_source_count(const struct uns_policy *policy);
const struct uns_source *uns_source_at(const struct uns_policy *policy,
                                       size_t i);

/* What keeps the request from moving to `source`, in words; NULL: nothing. */
const char *uns_source_obstacle(const struct uns_call *call,
                                const struct uns_source *source);

/* Why `source` cannot be asked now for that reason, as stored; NULL: it can. */
const char *uns_source_check(struct uns_call *call,
                             const struct uns_source *source, enum uns_why why);

/* The next usable source, in the route's order, then again from the first.
 * NULL: there is none, and *ret_none is the reason as stored. */
const struct uns_source *
uns_source_next(struct uns_call *call, enum uns_why why, const char **ret_none);

/* Is that its own endpoint?  NULL, of attempt 0, is. */
static inline bool uns_source_is_own(const struct uns_source *source)
{
    return !source || !source->base_url;
}

/* Does a request to `source` cost a token (R11)?  Not when it takes the place
 * of one at another origin that has definitely failed: no load is doubled. */
bool uns_source_costs(const struct uns_call *call,
                      const struct uns_source *source, enum uns_why why);

#endif
