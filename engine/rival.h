/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_RIVAL_H
#define UNS_ENGINE_RIVAL_H

/*
 * rival - the application's request once more, on a handle of ours.
 *
 * At the application's own origin it is rebuilt from the noted options.  At
 * another origin (P3) it starts from nothing, takes what the option table's
 * allow-list lets through, and has the source's key, never the application's.
 */

#include "call.h"

/* Build the request for `source` and put it into the call's lane.  The new
 * attempt, or NULL: nothing was sent. */
struct uns_attempt *uns_rival_launch(struct uns_call *call, enum uns_why why,
                                     const struct uns_source *source);

/* Give it what its start has left of the application's own time (R9). */
void uns_rival_limit(const struct uns_attempt *rival);

/* It has answered, and will not be sent again: let go of the key, and of what
 * is the application's (its share object and its header list may go now). */
void uns_rival_retire(struct uns_attempt *rival, const struct uns_real *real);

/* Free a rival's handle and what it owns; not in any multi any more. */
void uns_rival_free(struct uns_attempt *rival, const struct uns_real *real);

#endif
