/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_RETRY_H
#define UNS_ENGINE_RETRY_H

/* retry - may the application's own endpoint be asked again after it has
 * answered with an error status (R10), and when?  Whether that is soon enough,
 * and whether attempts are left, is the race's to say. */

#include "call.h"

/* Why it never is for this request, in words; NULL: it may be. */
const char *uns_retry_obstacle(const struct uns_call *call, uns_ns now_ns);

/* The attempt's final headers are known, and its status is listed in
 * failover_on.  True: not before *ret_wait_ns are over. */
bool uns_retry_may(const struct uns_attempt *a, uns_ns *ret_wait_ns);

#endif
