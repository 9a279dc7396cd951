/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_PROGRESS_H
#define UNS_ENGINE_PROGRESS_H

/*
 * progress - the application's progress callback watches its call, whichever
 * attempt is at work (P6).  While attempt 0 runs libcurl calls it by itself;
 * afterwards a rival's transfer does, and when no transfer is left (all is
 * here, and the application has paused) the wait does.
 */

#include "call.h"

/* Let a rival's handle call the application's progress callback, if it has
 * one. */
void uns_progress_set(struct uns_attempt *rival);

/* libcurl tells about once a second that it works on a call that is only
 * watched, by curl_easy_perform on this thread: a sign of life (track.h).  Our
 * callback stands in front of the application's, or of libcurl's own meter.
 * The handle is restored by uns_swap_out.  Returns who listened until then, for
 * afterwards. */
struct uns_call *uns_progress_listen(struct uns_call *call);
void uns_progress_listen_again(struct uns_call *outer);

/* The application has reset the handle meanwhile. */
void uns_progress_back_in(struct uns_call *call);

/* Call it now, from outside libcurl.  True: it wants to abort. */
bool uns_progress_call(struct uns_call *call);

/* A piece of a call that is listened to has arrived.  libcurl says its
 * progress once a second at least: what is longer was spent in a callback of
 * the application's, or stopped, and no silence (P7). */
void uns_progress_excuse(struct uns_attempt *a);

#endif
