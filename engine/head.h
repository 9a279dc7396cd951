/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_HEAD_H
#define UNS_ENGINE_HEAD_H

/*
 * head - what an attempt's response headers say.  Fed with the lines that
 * libcurl gives the header callback.  Interim answers, redirects and
 * authentication rounds come as blocks of their own: the last block counts.
 */

#include "core/units.h"

#include <stdbool.h>

struct uns_head {
    int status;    /* of the newest block; 0: none yet */
    bool complete; /* its blank line has come */
    bool encoded;  /* Content-Encoding other than identity */
    bool location; /* a Location header */
    char type[96]; /* Content-Type's value, cut */

    /* How long the server wants to be left alone; 0: it does not say. */
    uns_ns retry_ns; /* retry-after-ms, else Retry-After */
    bool retry_is_ms;
    bool no_retry; /* x-should-retry: false */

    /* Requests that it will take before it refuses, as OpenAI and Anthropic
     * tell; UNS_NULL: not told. */
    int64_t left, limit;
    uns_ns reset_ns; /* until there are more; 0: not told */
};

/* One header line, with its line end. */
void uns_head_line(struct uns_head *head, const char *line, size_t len);

static inline bool uns_head_success(const struct uns_head *head)
{
    return head->status >= 200 && head->status < 300;
}

#endif
