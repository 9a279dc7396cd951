/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_ATTEMPT_H
#define UNS_ENGINE_ATTEMPT_H

/* attempt - one request to one source, and what has come of it so far. */

#include "head.h"
#include "hold.h"

#include "core/config.h"
#include "core/meter.h"
#include "core/stream.h"
#include "core/timeline.h"
#include "shim/abi.h"

struct uns_call;
struct uns_fault;
struct uns_joint;
struct uns_promote;
struct uns_tape;

/* A refusal's body is searched this far for a code of failover_on (R3). */
#define UNS_CALL_SEARCH_BYTES 65536

struct uns_attempt {
    struct uns_call *call;
    CURL *easy;
    const struct uns_source *source; /* NULL: attempt 0 */
    unsigned seq;
    bool live;      /* in the lane's multi */
    bool done;      /* libcurl has said DONE; code is its result */
    bool cancelled; /* taken out by us */
    bool answered;  /* the race knows what its status means */
    bool ended;     /* the race knows how it ended */
    bool read;      /* body bytes have come */
    bool severed;   /* its connection was lost by a fault of ours */
    bool opaque;    /* a 2xx body that cannot be read: compressed for the
                       application alone */
    bool deaf;      /* a piece of it could not be kept: none that follows
                       counts, it ends there */
    uint8_t quota;  /* letters of insufficient_quota that its body ends in */
    bool prefilled; /* a rival that was asked to continue what was given */
    bool diverged;  /* a rival that wrote another answer */
    bool paid;      /* a rival that a token was taken for (R11) */
    bool plain;     /* a rival that asks what the application asked, where all
                       others ask for a stream (stream.promote) */
    bool searched;  /* a refusal's body was searched for failover codes */
    bool connected; /* as far as libcurl was asked (track.h) */
    CURLcode code;
    curl_socket_t fd; /* as the socket callback tells; CURL_SOCKET_BAD */
    uns_ns start_ns;
    uns_ns piece_ns;             /* arrival of the piece being looked at */
    size_t skip_body, skip_head; /* bytes that libcurl delivers again after a
                                    pause: already classified */
    struct uns_head head;
    struct uns_stream stream;
    struct uns_meter meter;
    struct uns_timeline timeline;
    size_t head_bytes; /* of headers in the write callback */
    struct uns_hold hold;
    struct uns_fault *fault; /* attempt 0's, where faults are injected */
    struct uns_tape *tape;   /* for a bug report; NULL: none is made */
    struct uns_joint *joint; /* a rival that goes on where another stopped */
    struct uns_promote *promote; /* its stream is put together; NULL: not */
    struct curl_slist *headers;  /* a rival's own */
    char *body;                  /* a rival's own, NULL: the call's */
    enum uns_why why;            /* NOTHING: attempt 0 */
    char error[CURL_ERROR_SIZE];
    uint8_t moments[UNS_TIMELINE_BYTES]; /* the timeline's */
};

/* A new attempt, not yet in the lane.  NULL: no memory. */
struct uns_attempt *uns_attempt_new(struct uns_call *call, CURL *easy,
                                    const struct uns_source *source);
void uns_attempt_free(struct uns_attempt *attempt);

/* A piece has arrived, of the body or of the headers.  Returns how much of it
 * was taken, as libcurl's callbacks do. */
size_t uns_attempt_body(struct uns_attempt *a, struct uns_slice piece);
size_t uns_attempt_head(struct uns_attempt *a, struct uns_slice piece);

/* libcurl's write and header callbacks of every attempt. */
size_t uns_attempt_on_body(char *bytes, size_t size, size_t count, void *arg);
size_t uns_attempt_on_header(char *bytes, size_t size, size_t count, void *arg);

#endif
