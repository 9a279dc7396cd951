/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_EXPERIMENT_H
#define UNS_ENGINE_EXPERIMENT_H

/* experiment - which unit of the experiment a call belongs to, and so what may
 * be done with it (R12).  What a unit is told by is hashed and not kept. */

#include "call.h"

/* Draw the call, whose mode is its policy's, into an arm; in the control it is
 * only observed.  Where the mode is no other there is nothing to compare, and
 * no arm. */
void uns_experiment_draw(struct uns_call *call);

#endif
