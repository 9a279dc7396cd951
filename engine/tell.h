/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_TELL_H
#define UNS_ENGINE_TELL_H

/* tell - the race hears what happened, and what it wants is noted in the
 * call's todo.  Also inside libcurl's callbacks: no deed is done here but one,
 * a voice that is raised is heard at once. */

#include "call.h"

void uns_tell_event(struct uns_call *call, enum uns_race_event event,
                    unsigned a, uns_ns now_ns);
void uns_tell_timeout(struct uns_call *call, uns_ns now_ns);
void uns_tell_abort(struct uns_call *call, uns_ns now_ns);

/* Deadlines: whatever is due by now. */
void uns_tell_time(struct uns_call *call, uns_ns now_ns);

/* The application's own endpoint will not do for a retry after all. */
void uns_tell_forgo(struct uns_call *call, uns_ns now_ns);

/* The rival that it wanted is on its way, or there is none. */
void uns_tell_launched(struct uns_call *call, uns_ns now_ns);
void uns_tell_none(struct uns_call *call, uns_ns now_ns);

#endif
