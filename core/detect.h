/* SPDX-License-Identifier: MIT */
#ifndef UNS_DETECT_H
#define UNS_DETECT_H

/*
 * detect - is this URL an LLM endpoint?  By path on any host, and by host
 * where a path alone says too little.  Linked into the preload too: small,
 * no allocation, no state.
 */

#include "dialect.h"

#include <stdbool.h>

/* A URL in pieces; all borrow from the string that was split. */
struct uns_url {
    struct uns_slice scheme;   /* "https"; a URL without one is http */
    struct uns_slice userinfo; /* "user:password", often empty */
    struct uns_slice host;     /* without brackets or port */
    struct uns_slice path;     /* with its leading slash; may be empty */
    struct uns_slice query;    /* without '?' */
    uint16_t port;             /* the scheme's default when not given */
};

/* Split `url` as libcurl would.  False when it is no http(s) URL, or one that
 * libcurl refuses. */
bool uns_url_split(const char *url, size_t len, struct uns_url *ret_url);

/* Same scheme, host (case aside) and port: a credential may travel. */
bool uns_url_same_origin(const struct uns_url *a, const struct uns_url *b);

/* Does `url` match `pattern`, in which '*' stands for any run of bytes?
 * Compared is scheme://host[:port]/path, without query and userinfo; scheme
 * and host without case, a default port given or not.  A pattern without
 * "://" leaves the scheme open. */
bool uns_url_matches(struct uns_slice pattern, const struct uns_url *url);

/* Is there any http(s) URL that `pattern` matches?  False: none, surely. */
bool uns_url_can_match(struct uns_slice pattern);

/* Which dialect is spoken at `url`; UNS_DIALECT_NONE: no LLM endpoint.
 * `extra` is UNSTALL_MATCH (NULL: none): space-separated `dialect=pattern`
 * and `!pattern` items (uns_url_matches); the first that matches decides,
 * before the table. */
enum uns_dialect uns_detect(const struct uns_url *url, const char *extra);

/* Dialects whose streaming is chosen by the URL: true when `url` streams. */
bool uns_detect_url_streams(const struct uns_url *url,
                            enum uns_dialect dialect);

/* The part of the path, in lower case, by which the table recognises `url`;
 * NULL: it does not. */
const char *uns_detect_mark(const struct uns_url *url);

/* Who runs that host ("openai"); NULL: not in the table of hosts. */
const char *uns_detect_provider(const struct uns_url *url);

#endif
