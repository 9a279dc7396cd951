/* SPDX-License-Identifier: MIT */
#ifndef UNS_SPAN_H
#define UNS_SPAN_H

/* span - how long a server wants to be left alone, in the forms in which its
 * headers say so. */

#include "units.h"

#include <stdbool.h>

/* Longer ones are cut to this. */
#define UNS_SPAN_MAX (1000 * 24 * 3600 * UNS_S)

/* Seconds ("2", "0.5"), a duration ("6m0s", "1h2m3.5s", "20ms", "17us"), an
 * HTTP date (RFC 9110, section 5.6.7, the preferred form) or a timestamp
 * (RFC 3339).  `now_us` is the wall clock, in microseconds since the epoch; a
 * moment that lies behind is 0.  False: none of these. */
bool uns_span_read(struct uns_slice text, int64_t now_us, uns_ns *ret_ns);

/* A plain number of `unit_ns`, with or without a fraction. */
bool uns_span_number(struct uns_slice text, uns_ns unit_ns, uns_ns *ret_ns);

#endif
