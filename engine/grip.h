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

/* curl_easy_reset inside a callback of the running call.  From 8.22 on libcurl
 * ignores it; before, what is left of the call goes by libcurl's defaults, and
 * has no rivals any more. */
void uns_grip_reset(struct uns_app *app);

/* The application sets another body inside a callback: the running call keeps
 * a copy of the one that was sent. */
void uns_grip_detach(struct uns_app *app);

#endif
