/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_GRIP_H
#define UNS_ENGINE_GRIP_H

/* grip - what an application may do to its easy handle while a call runs on
 * it, whoever drives the call: pause it, and let it go. */

#include "shim/abi.h"

/* curl_easy_pause. */
CURLcode uns_grip_pause(struct uns_app *app, int bitmask);

/* Before a cleanup, a reset, or a transfer that is not ours: end what runs,
 * free what was kept; `whole`: with the connections.  Inside a callback of the
 * running call it does nothing. */
void uns_grip_release(struct uns_app *app, bool whole);

#endif
