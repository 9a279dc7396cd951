/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_SOURCE_H
#define UNS_ENGINE_SOURCE_H

/* source - where the next request may go.  Every request beyond attempt 0
 * passes this gate (P3, P5). */

#include "call.h"

/* The next usable source, in the route's order, then again from the first.
 * NULL: there is none, and *ret_none is the reason as stored. */
const struct uns_source *
uns_source_next(struct uns_call *call, enum uns_why why, const char **ret_none);

/* Does a request to `source` cost a token (R11)?  Not when it takes the place
 * of one at another origin that has definitely failed: no load is doubled. */
bool uns_source_costs(const struct uns_call *call,
                      const struct uns_source *source, enum uns_why why);

#endif
