/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_ERRTEXT_H
#define UNS_ENGINE_ERRTEXT_H

/* errtext - the application's error buffer (CURLOPT_ERRORBUFFER): libcurl
 * writes into it for attempt 0, whoever answers. */

#include "call.h"

/* Attempt 0 has ended: take what libcurl wrote into the application's error
 * buffer.  It is the call's text only if the call ends with that attempt. */
void uns_errtext_take(struct uns_attempt *primary);

/* After the call has left its lane: make the application's error buffer say
 * what it would have said, had the answering attempt been its own. */
void uns_errtext_give(const struct uns_call *call);

#endif
