/* SPDX-License-Identifier: MIT */
#ifndef MOCK_HTTP_H
#define MOCK_HTTP_H

/*
 * http - requests of HTTP/1.1 and HTTP/1.0: head, and body by length or in
 * chunks.  No I/O: it looks at the bytes that have come so far.
 */

#include "buf.h"

#define MOCK_HTTP_HEADERS 64

struct mock_header {
    struct mock_str name;
    struct mock_str value;
};

/* One request.  Slices point into the bytes it was parsed from, and into
 * `chunks`. */
struct mock_request {
    struct mock_str method;
    struct mock_str target;
    struct mock_str path;  /* of the target, not decoded */
    struct mock_str query; /* of the target, without '?' */
    int minor;             /* HTTP/1.minor */
    struct mock_header headers[MOCK_HTTP_HEADERS];
    size_t header_count;
    struct mock_str body;
    struct mock_buf chunks; /* owned: a body that came in chunks */
    size_t size;            /* bytes of the whole request */
};

enum mock_http {
    MOCK_HTTP_HEAD, /* the head is not complete */
    MOCK_HTTP_BODY, /* head complete, body not */
    MOCK_HTTP_DONE,
    MOCK_HTTP_BAD
};

/* Parses from the start of `bytes`; call again with more bytes on HEAD and
 * BODY (all from the start). */
enum mock_http mock_http_parse(struct mock_request *request,
                               struct mock_str bytes);

/* A header's value by its lower-case name; none: { NULL, 0 }. */
struct mock_str mock_http_header(const struct mock_request *request,
                                 const char *name);

/* Appends the decoded value of a query parameter; false when it is not
 * there. */
bool mock_http_query(const struct mock_request *request, const char *name,
                     struct mock_buf *out);

/* Whether the connection may be used again after this request. */
bool mock_http_keeps_alive(const struct mock_request *request);

/* The usual words for a status; "Status" when it has none here. */
const char *mock_http_reason(int status);

#endif
