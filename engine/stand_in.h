/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STAND_IN_H
#define UNS_ENGINE_STAND_IN_H

/*
 * stand_in - an error status that no server has given.  Attempt 0 gets a handle
 * of ours in place of the application's, which connects to a local socket of
 * ours and is answered there.  So libcurl reads it as it reads any, and
 * everything that can be asked of the handle is right but the URL's scheme.
 * Nothing leaves the process: no look-up, no proxy, no TLS.
 */

#include "call.h"

struct uns_stand_in;

/* Put one in place of the attempt's handle.  NULL: it cannot be had, and the
 * attempt is as before. */
struct uns_stand_in *uns_stand_in_new(struct uns_attempt *primary, int status);

/* Answer, once libcurl has connected.  True: it was answered. */
bool uns_stand_in_serve(struct uns_stand_in *stand_in);

/* After the handle was cleaned up.  Takes NULL. */
void uns_stand_in_free(struct uns_stand_in *stand_in);

#endif
