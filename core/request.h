/* SPDX-License-Identifier: MIT */
#ifndef UNS_REQUEST_H
#define UNS_REQUEST_H

/*
 * request - what an LLM request's body says, and the one change that is made
 * to it for another source: the bytes stay the application's, only the value
 * of `model` is replaced in place.  Never parsed and printed again.
 */

#include "detect.h"
#include "err.h"

/* Facts of one request.  `model` borrows from the body (raw, between the
 * quotes, escapes left in) or from the URL's path; empty: none given. */
struct uns_request {
    enum uns_dialect dialect;
    bool streams;       /* a stream was asked for (body, URL or default);
                           DashScope: a header may ask for it instead */
    bool json;          /* the body is one JSON object */
    bool asks;          /* it has what a request of its dialect asks with;
                           else it is no LLM call, whatever its URL */
    bool several;       /* n > 1 */
    bool deterministic; /* temperature 0 or a seed */
    bool stateful;      /* server-side effects: observe only (docs/race.md:
                           background, conversation, hosted mcp, computer,
                           shell tools) */
    bool bound; /* self only: not one JSON object, or it refers to things at its
                   origin (previous_response_id, file ids, cachedContent,
                   container, data_sources, mcp_servers) */
    bool secret; /* a secret in the body (api_key, authorization of a
                    hosted tool, ...): self only */
    bool question, sign, proof; /* private; `asks` is made of them */
    struct uns_slice model;     /* value between the quotes */
    size_t model_at; /* its offset in the body; SIZE_MAX: not there */
};

/* Read the facts.  `body` may be NULL (len 0). */
void uns_request_read(struct uns_request *request, enum uns_dialect dialect,
                      const struct uns_url *url, const char *body, size_t len);

/* The model's name for people and for the store, ended with NUL: a JSON
 * string decoded, or as it stands where it cannot be, cut at `size` bytes. */
void uns_request_model(const struct uns_request *request, char *out,
                       size_t size);

/* Length of the body once `model` (plain text, JSON-escaped here) stands
 * where the request's own model stands. */
size_t uns_request_size(const struct uns_request *request, size_t len,
                        const char *model);

/* Write that body to `out` (uns_request_size bytes).  model NULL: a copy. */
void uns_request_write(const struct uns_request *request, const char *body,
                       size_t len, const char *model, char *out);

/* The URL of the same request at `base_url` (P3: the application's query goes
 * along without its secrets, its userinfo never).  `{model}` in base_url is
 * replaced; a query there goes first.  Writes a NUL-terminated string.
 * TOOBIG: does not fit.  UNSUPPORTED: the dialect has no suffix, or the model
 * was in the application's path and there is no place for it. */
UNS_MUST_USE enum uns_err
uns_request_url(const struct uns_request *request, const struct uns_url *url,
                const char *base_url, const char *model, struct uns_room out);

#endif
