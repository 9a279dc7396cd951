/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STEP_H
#define UNS_ENGINE_STEP_H

/* step - carries out what the race decides: launches, cancels, gives,
 * finishes.  Between libcurl's calls, never inside its callbacks. */

#include "call.h"

/* Do what is wanted.  Returns true when something was sent: libcurl should
 * work once more before anybody waits. */
bool uns_step(struct uns_call *call);

#endif
