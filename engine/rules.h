/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_RULES_H
#define UNS_ENGINE_RULES_H

/* rules - the rules of a call's race: the policy, as far as it can be followed
 * for this request, and the application's own timeout. */

#include "call.h"

/* Make them, and start the race's clocks: attempt 0 is about to be sent. */
void uns_rules_start(struct uns_call *call, uns_ns now_ns);

/* The application may have set another timeout meanwhile, in a callback: race
 * and rivals go by what libcurl would go by now (R9). */
void uns_rules_renew(struct uns_call *call);

#endif
