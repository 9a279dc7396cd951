/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_PUSHBACK_H
#define UNS_ENGINE_PUSHBACK_H

/*
 * pushback - origins of this process that want no more requests for now.
 *
 * A failure with Retry-After (or retry-after-ms) closes its origin to every
 * extra request, whoever sends it, until then.  Few requests left before the
 * origin would refuse close it to hedges, but not to a request that moves
 * there because another origin has failed.  A quota that is used up does not
 * heal by waiting: the origin stays closed until it answers again.  Without
 * a lock, in a table of fixed size: an origin that finds no room there is
 * asked.
 */

#include "call.h"

/* Told for longer than this, an origin is out of the call for good. */
#define UNS_PUSHBACK_PATIENCE (120 * UNS_S)

/* The final headers of an attempt are known: note what they say. */
void uns_pushback_note(const struct uns_attempt *a, uns_ns now_ns);

/* A piece of its body: does a 429 name insufficient_quota?  True: just now. */
bool uns_pushback_read(struct uns_attempt *a, const char *bytes, size_t len);

/* Is the source's origin closed to a request of the call for that reason? */
bool uns_pushback_blocks(const struct uns_call *call,
                         const struct uns_source *source, enum uns_why why,
                         uns_ns now_ns);

/* Every origin is open again. */
void uns_pushback_forget(void);

#endif
