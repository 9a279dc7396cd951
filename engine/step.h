/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STEP_H
#define UNS_ENGINE_STEP_H

/* step - carries out what the race decides: launches, cancels, gives,
 * finishes.  Events may be told inside libcurl's callbacks; the deeds are done
 * between libcurl's calls. */

#include "call.h"

/* Tell the race, and note what it wants. */
void uns_step_event(struct uns_call *call, enum uns_race_event event,
                    unsigned a, uns_ns now_ns);
void uns_step_timeout(struct uns_call *call, uns_ns now_ns);
void uns_step_abort(struct uns_call *call, uns_ns now_ns);
void uns_step_fault(struct uns_call *call, uns_ns now_ns);

/* Do what is wanted.  Returns true when something was sent: libcurl should
 * work once more before anybody waits. */
bool uns_step(struct uns_call *call);

/* Take every attempt out of the lane. */
void uns_step_cancel_all(struct uns_call *call);

#endif
