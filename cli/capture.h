/* SPDX-License-Identifier: MIT */
#ifndef UNS_CAPTURE_H
#define UNS_CAPTURE_H

/* capture - a response body that was saved to a file, and what it says. */

#include "core/stream.h"

/* A file in memory. */
struct uns_capture {
    char *bytes;
    struct uns_slice body; /* without the response headers before it */
    struct uns_slice type; /* the headers' content type; often empty */
};

/* Read `path` ("-": standard input).  What `unstall run --capture` wrote has
 * its body put together.  Returns 0, an errno, or EBADMSG: it is one, and
 * cannot be read. */
int uns_capture_read(struct uns_capture *ret_capture, const char *path);
void uns_capture_done(struct uns_capture *capture);

/* Bytes that grow. */
struct uns_text {
    char *data; /* NUL-terminated once there is any */
    size_t len, size;
};

/* A whole file ("-": standard input) as it is; `text` is zeroed before, and its
 * data free()d after.  Returns 0, or an errno. */
int uns_capture_load(struct uns_text *text, const char *path);

/* What the events of a body add up to.  Its texts are complete only after
 * uns_stream_end(). */
struct uns_answer {
    struct uns_text text[UNS_KIND_COUNT]; /* by kind */
    uint64_t chunks[UNS_KIND_COUNT];      /* events that had the kind */
    bool nomem;                           /* the texts are not complete */

    /* Told each event after it was counted; NULL: nobody is. */
    void (*event)(void *ctx, const struct uns_event *event,
                  const struct uns_answer *answer);
    void *ctx;

    /* ---- the event that is under way */
    struct uns_text fresh[UNS_KIND_COUNT];
    struct uns_text open; /* of no known kind yet */
};

/* A sink that adds up into `answer`, which must be zeroed but for `event`
 * and `ctx`. */
struct uns_sink uns_answer_sink(struct uns_answer *answer);
void uns_answer_done(struct uns_answer *answer);

#endif
