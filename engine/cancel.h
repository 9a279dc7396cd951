/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_CANCEL_H
#define UNS_ENGINE_CANCEL_H

/* cancel - takes attempts out of the lane (R6).  Never inside a callback of
 * libcurl's. */

#include "call.h"

/* One that is still in: its connection is closed, unless it has ended. */
void uns_cancel(struct uns_attempt *attempt, uns_ns now_ns);

/* As if its connection had been lost just now, with that result; nothing of it
 * arrives any more. */
void uns_cancel_sever(struct uns_attempt *attempt, CURLcode code);

void uns_cancel_all(struct uns_call *call);

#endif
