/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_FINISH_H
#define UNS_ENGINE_FINISH_H

/* finish - turns the race's verdict into the result that the application
 * gets: a CURLcode and the text in its error buffer. */

#include "call.h"

/* If the race has ended and everything was given: call->finished and
 * call->code, all attempts out of the lane.  Else nothing. */
void uns_finish_try(struct uns_call *call);

#endif
