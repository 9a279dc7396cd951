/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_LEARN_H
#define UNS_ENGINE_LEARN_H

/*
 * learn - the delays that hedge.after_s "p95" and "auto" stand for.
 *
 * A place is an origin, a model there, and whether the answer streams.  Its
 * newest first-token times are read from the store when the process first
 * calls there; after that its own calls count as they end, and those of other
 * processes are read now and then.  Safe from any thread; a forked child
 * begins anew.
 */

#include "call.h"

/* How long the call waits before it asks a second source. */
uns_ns uns_learn_after(const struct uns_call *call);

/* The call has ended: its times count. */
void uns_learn_note(const struct uns_call *call);

#endif
