/* SPDX-License-Identifier: MIT */
#ifndef UNS_PROMOTE_REQUEST_H
#define UNS_PROMOTE_REQUEST_H

/*
 * promote_request - the request that asks for the same answer as a stream:
 * the application's bytes, with a word put in.  Nothing is parsed and printed
 * again.
 *
 *   {"model":"m","stream":false}    {"stream_options":{"include_usage":true},
 *                            ->      "model":"m","stream":true}
 */

#include "request.h"

/* Bytes of the body that are replaced. */
struct uns_promote_edit {
    size_t at, len;
    const char *text;
};

struct uns_promote_plan {
    struct uns_slice body;           /* borrowed */
    struct uns_promote_edit edit[2]; /* in the order of their places */
    unsigned edits;                  /* 0: the URL alone says it */
};

/* Plan the body.  False: the request streams already, is no JSON object of a
 * dialect that can be put together again, or asks for what only an answer
 * brings that comes whole. */
bool uns_promote_plan(struct uns_promote_plan *plan,
                      const struct uns_request *request, struct uns_slice body);

/* Its length, and the bytes. */
size_t uns_promote_size(const struct uns_promote_plan *plan);
void uns_promote_write(const struct uns_promote_plan *plan, char *out);

/* Does the URL say whether a stream is wanted? */
bool uns_promote_by_url(const struct uns_url *url);

/* The URL that says so, ended with NUL; `text` is what `url` was split from.
 * TOOBIG: does not fit. */
UNS_MUST_USE enum uns_err uns_promote_url(struct uns_slice text,
                                          const struct uns_url *url,
                                          struct uns_room out);

#endif
