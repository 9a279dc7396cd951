/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_AGAIN_H
#define UNS_ENGINE_AGAIN_H

/*
 * again - does the application itself send a request once more?  Then our
 * retries would multiply with its own (R10).
 *
 * Two signs.  Clients of a well-known generator count their tries in the
 * header x-stainless-retry-count.  And a request with the URL and the body of
 * one that has failed in this process a moment ago is its repetition: so do
 * curl --retry and loops around a perform, on the same handle or on a new one.
 * Not seen are repetitions by another process.
 *
 * Kept are hashes and moments, in a table of fixed size without a lock; what
 * finds no room there is forgotten, and then retried.
 */

#include "call.h"

/* A failure is remembered for so long. */
#define UNS_AGAIN_SPAN (120 * UNS_S)

/* Has the application sent this very request before, and in vain? */
bool uns_again_is(const struct uns_call *call, uns_ns now_ns);

/* The call has ended: remember it, if the application was told a failure that
 * it may answer by a repetition, else forget it. */
void uns_again_note(const struct uns_call *call, uns_ns now_ns);

/* Forget all. */
void uns_again_forget(void);

#endif
