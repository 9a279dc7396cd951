/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_ROSTER_H
#define UNS_ENGINE_ROSTER_H

/* roster - the lists of a lane: the calls that run in it, those that are to be
 * stepped, those that have finished; and the handles in its multi. */

#include "call.h"

/* Something happened to the call that a step must look at. */
void uns_roster_touch(struct uns_call *call);

/* The call has its result: next() will return it. */
void uns_roster_finish(struct uns_call *call);

/* The oldest call that has finished and was not returned yet, or NULL. */
struct uns_call *uns_roster_next(struct uns_lane *lane);

/* The call is in no list any more. */
void uns_roster_forget(struct uns_lane *lane, struct uns_call *call);

/* Put an attempt's handle into the multi. */
CURLMcode uns_roster_add(struct uns_lane *lane, struct uns_attempt *attempt);

/* curl_easy_pause of an attempt; what waited for it is given meanwhile, inside
 * the application's callbacks. */
CURLcode uns_roster_pause(const struct uns_attempt *attempt, int bitmask);

#endif
