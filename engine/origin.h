/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_ORIGIN_H
#define UNS_ENGINE_ORIGIN_H

/* origin - where a request goes: scheme, host and port.  What credentials
 * (P3), pushbacks and learned delays belong to. */

#include "call.h"

/* As in a record (attempts.origin): scheme://host[:port]. */
struct uns_origin {
    char text[sizeof((struct uns_attempt_record *)NULL)->origin];
};

/* Of a URL; cut when it is longer than a record. */
struct uns_origin uns_origin_print(const struct uns_url *url);

/* The URL that a request of the call to `source` (NULL: its own endpoint)
 * begins with; borrowed from call and source. */
struct uns_url uns_origin_url(const struct uns_call *call,
                              const struct uns_source *source);

struct uns_origin uns_origin_of(const struct uns_call *call,
                                const struct uns_source *source);

#endif
