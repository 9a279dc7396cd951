/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_FINISH_H
#define UNS_ENGINE_FINISH_H

/* finish - turns the race's verdict into the result that the application
 * gets: a CURLcode and the text in its error buffer. */

#include "call.h"

/* If the race has ended and everything was given: call->finished and
 * call->code, all attempts out of the lane.  Else nothing. */
void uns_finish_try(struct uns_call *call);

/* Attempt 0 has ended: take what libcurl wrote into the application's error
 * buffer.  It is the call's text only if the call ends with that attempt. */
void uns_finish_take_error(struct uns_attempt *primary);

/* After the call has left its lane: make the application's error buffer say
 * what it would have said, had the answering attempt been its own. */
void uns_finish_error(const struct uns_call *call);

#endif
