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
 * the input gives the same events.  A body that is no stream we know gives no
 * news at all.
 */

#include "frame.h"
#include "wire.h"

/* What one piece of input contained; bits combine.  When several are set they
 * happened in this order: content before an error, an error before the end. */
enum uns_news {
    UNS_NEWS_EVENT = 1 << 0,      /* any event at all, but no comment */
    UNS_NEWS_CONTENT = 1 << 1,    /* content has grown, with no error before */
    UNS_NEWS_STRUCTURAL = 1 << 2, /* structural has grown, likewise */
    UNS_NEWS_FINISH = 1 << 3,     /* a finish reason, with no error before */
    UNS_NEWS_ERROR = 1 << 4,      /* error is set: the first one */
    UNS_NEWS_END = 1 << 5,        /* the dialect's end marker */
    UNS_NEWS_TRUNCATED = 1 << 6   /* only from _end(): no finish, no marker */
};

/* Where an error stands. */
enum uns_phase {
    UNS_PHASE_NONE,  /* there is none */
    UNS_PHASE_FIRST, /* before any content */
    UNS_PHASE_MID,   /* after content */
    UNS_PHASE_AFTER_FINISH
};

/* One event, for a sink; its slices are borrowed during the call. */
struct uns_event {
    uint64_t offset; /* in the body: behind the colon of its first data */
    unsigned news;   /* of this event alone */
    unsigned kinds;  /* bit 1 << kind: what its content is */
    bool keepalive;
    bool restart;          /* the answer begins again: forget its text */
    struct uns_slice type; /* of its data, or its name; often empty */
};

enum {
    UNS_WORD_BYTES = 64
};

enum {
    UNS_REPEAT_BYTES = 512
};

/* A block that holds a comment is no event alone. */
#define UNS_BLOCK_ODD UINT64_MAX

/* A value that may be another one in the next event. */
struct uns_repeat_hole {
    uint32_t at, len; /* in the last event */
    uint16_t before;  /* bytes between the hole before and this one */
    uint8_t kind;     /* as of struct uns_hole */
};

/* The last event, if it was text alone: its bytes without what stood in its
 * holes.  See repeat.c. */
struct uns_repeat {
    uint16_t len;     /* of `bytes`; 0: there is none */
    uint16_t behind;  /* so many of them stand behind the last hole */
    uint16_t colon;   /* where the data began in the event */
    bool lined;       /* the pending event has had a line of data, ... */
    bool only;        /* ... one, with one document */
    bool plain;       /* the last event was text and nothing else, ... */
    unsigned kinds;   /* ... of this kind */
    uint8_t type_len; /* of its type, which is in its slot */
    uint8_t text;     /* which of the holes has the text */
    uint8_t holes;
    uint8_t counts; /* of tokens, among them */
    struct uns_repeat_hole hole[UNS_SCAN_HOLES];
    char bytes[UNS_REPEAT_BYTES];
};

/* Must not be copied or moved once initialised. */
struct uns_stream {
    /* Results, for reading at any time. */
    uint64_t bytes;      /* of the body so far */
    uint64_t events;     /* of any class; comments are none */
    uint64_t content;    /* events with a payload */
    uint64_t structural; /* events that prove progress without one */
    uint64_t keepalives; /* pings, comments, data that is no JSON */
    bool finished;       /* a finish reason, of every choice */
    bool ended;          /* the end marker; an error may have come before */
    bool truncated;      /* told by _end(); `error` says so, too */
    enum uns_phase phase;
    int64_t tokens_in, tokens_out; /* UNS_NULL: not told */
    char finish[UNS_WORD_BYTES];   /* the reason as it is sent, or "" */
    char error[UNS_WORD_BYTES];    /* the error's type, else its code, or "" */
    char error_code[UNS_WORD_BYTES]; /* its code, else its type, or "" */
    char model[UNS_WORD_BYTES];      /* as served, or "" */

    /* ---- */
    const struct uns_wire *wire;
    const struct uns_sink *sink;
    enum uns_dialect dialect;
    bool streamed;
    bool ready;              /* framing is known, the tree is built */
    bool pending;            /* an event has begun */
    uint64_t streamed_items; /* of the output, by index: they had content */
    uint64_t offset;         /* of the pending event */
    uint64_t block;          /* where the current block of lines began */
    struct uns_repeat repeat;
    struct uns_frame frame;
    struct uns_scan scan;
    struct uns_trie trie;
};

_Static_assert(sizeof(struct uns_stream) < 4096, "one per attempt");

/* Begin a response body of `dialect`.  `streamed`: the request asked for a
 * stream; if not, the body is one document.  NULL sink: texts are not
 * wanted (the hot path); else it is borrowed. */
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
