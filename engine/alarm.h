/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_ALARM_H
#define UNS_ENGINE_ALARM_H

/* alarm - a descriptor that gets readable at a moment, to the nanosecond.
 * poll() counts in milliseconds, and select() of an application knows nothing
 * of our deadlines at all. */

#include "core/units.h"

#define UNS_ALARM_NONE (-1)

/* Set it, and open it if need be: *fd is UNS_ALARM_NONE at first, and may have
 * been closed by the host.  Returns the descriptor, which stays ours, or
 * UNS_ALARM_NONE: `due_ns` is UNS_NEVER, or there is none to be had. */
int uns_alarm_set(int *fd, uns_ns due_ns);

/* Close it if it is open. */
void uns_alarm_close(int *fd);

#endif
