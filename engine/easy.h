/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_EASY_H
#define UNS_ENGINE_EASY_H

/* easy - an application's curl_easy_perform: a lane of its own, and the wait
 * that the application has handed to libcurl. */

#include "shim/abi.h"

/* Perform the LLM call that is set up on `app`.  False: nothing was sent, the
 * real function shall do it. */
bool uns_easy_perform(struct uns_app *app, CURLcode *ret_code);

#endif
