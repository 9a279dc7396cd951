/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_WIRE_WATCH_H
#define UNS_TESTS_WIRE_WATCH_H

/*
 * wire_watch - everything that a stream says about a body, as text, so that
 * two ways of cutting the body can be compared; and the ways of cutting.
 * Each piece is fed from memory of exactly its size, or from the end of a
 * page behind which there is none: a byte too far is a crash.
 */

#include "check.h"
#include "core/stream.h"

enum {
    WATCH_TEXT = 200000,
    WATCH_LOG = 20000
};

struct watch {
    struct uns_stream stream;
    struct uns_sink sink;
    unsigned news;                         /* of all feeds and the end */
    char text[UNS_KIND_COUNT][WATCH_TEXT]; /* NUL-terminated */
    size_t len[UNS_KIND_COUNT];
    uint64_t chunks[UNS_KIND_COUNT];
    char log[WATCH_LOG]; /* a line per event */
    size_t log_len;

    /* the event under way */
    char fresh[WATCH_TEXT];
    size_t fresh_len, settled;

    struct {
        enum uns_kind kind;
        size_t begin, end;
    } part[64];

    size_t parts;
};

/* A stream is about to come.  `type`: content type, or NULL. */
void watch_begin(struct watch *watch, enum uns_dialect dialect, bool streamed,
                 const char *type);

struct watch_body {
    const char *bytes;
    size_t len;
    enum uns_dialect dialect;
    bool document;    /* the request did not ask for a stream */
    const char *type; /* content type, or NULL */
};

/* Ways of cutting; all begin and end the stream themselves.  A piece of so
 * many bytes, then pieces of `step`. */
void watch_pieces(struct watch *watch, const struct watch_body *body,
                  size_t first, size_t step);

/* All at once. */
void watch_whole(struct watch *watch, const struct watch_body *body);

/* Pieces of 1 to `most` bytes, by a generator without a clock. */
void watch_random(struct watch *watch, const struct watch_body *body,
                  uint32_t seed, size_t most);

/* Two pieces, each at the end of a page before one that cannot be read. */
void watch_guarded(struct watch *watch, const struct watch_body *body,
                   size_t cut);

/* How it ended: "done", "eof", "truncated", "error". */
const char *watch_end_word(const struct watch *watch);

/* "mid:server_error", or ""; until the next call. */
const char *watch_error(const struct watch *watch);

/* Two cuts of one body have said the same. */
void watch_same(const char *row, const struct watch *got,
                const struct watch *want);

#endif
