/* SPDX-License-Identifier: MIT */
#ifndef UNS_STREAM_H
#define UNS_STREAM_H

/*
 * stream - what a response body says, while it arrives.
 *
 *   bytes -> framing (SSE, NDJSON, JSON array, one document)
 *         -> scanner (paths of the dialect's table)
 *         -> class of each event -> news bits, counters
 *
 * Sans-I/O, allocates nothing, keeps no reference to the bytes.  Any split of
 * the input gives the same events.
 */

#include "dialect.h"

#include <stdbool.h>

/* What one piece of input contained; bits combine.  When several are set they
 * happened in this order: content before an error, an error before the end. */
enum uns_news {
    UNS_NEWS_EVENT = 1 << 0,      /* any event at all, noise included */
    UNS_NEWS_CONTENT = 1 << 1,    /* s->content has grown */
    UNS_NEWS_STRUCTURAL = 1 << 2, /* s->structural has grown */
    UNS_NEWS_FINISH = 1 << 3,     /* a finish reason, with no error before */
    UNS_NEWS_ERROR = 1 << 4,      /* s->error is set */
    UNS_NEWS_END = 1 << 5,        /* the dialect's end marker */
    UNS_NEWS_TRUNCATED = 1 << 6   /* only from _end(): no finish, no marker */
};

/* How a body is cut into events; chosen by the response's content type. */
enum uns_framing {
    UNS_FRAMING_UNKNOWN, /* decided by the first bytes */
    UNS_FRAMING_SSE,
    UNS_FRAMING_NDJSON,
    UNS_FRAMING_ARRAY,
    UNS_FRAMING_DOCUMENT /* a reply that does not stream: one content chunk */
};

/* The text payload kinds. */
enum uns_kind {
    UNS_KIND_TEXT,
    UNS_KIND_REASONING,
    UNS_KIND_TOOL_ARGS,
    UNS_KIND_REFUSAL,
    UNS_KIND_AUDIO,
    UNS_KIND_COUNT
};

struct uns_stream; /* public size, private fields but for the results */

/* Begin a response body of `dialect`.  `streamed`: the request asked for a
 * stream; if not, the body is one document.  NULL sink: texts are not
 * wanted (the hot path). */
void uns_stream_init(struct uns_stream *stream, enum uns_dialect dialect,
                     bool streamed, const struct uns_sink *sink);

/* The response's content-type value; optional, before the first feed. */
void uns_stream_type(struct uns_stream *stream, const char *type, size_t len);

/* The next bytes of the body.  Returns the set of uns_news they held. */
unsigned uns_stream_feed(struct uns_stream *stream, const char *bytes,
                         size_t len);

/* The body has ended (cleanly or not): flushes a pending event. */
unsigned uns_stream_end(struct uns_stream *stream);

#endif
