/* SPDX-License-Identifier: MIT */
#ifndef UNS_BACKOFF_H
#define UNS_BACKOFF_H

/*
 * backoff - how long to wait before the same place is asked again, when it
 * does not say itself: doubled from try to try, and shortened by up to a half
 * by chance, so that those who failed together do not come back together.
 */

#include "units.h"

/* No wait is longer. */
#define UNS_BACKOFF_MAX (60 * UNS_S)

/* Before retry `nth`, counted from 0.  `random`: any number, all alike
 * likely. */
uns_ns uns_backoff_wait(uns_ns base_ns, unsigned nth, uint32_t random);

#endif
