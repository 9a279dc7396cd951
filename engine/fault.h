/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_FAULT_H
#define UNS_ENGINE_FAULT_H

/*
 * fault - the faults of UNSTALL_INJECT, played on attempt 0.
 *
 *   libcurl -> take -> | pieces | -> fault_play.c, in time -> attempt
 *
 * What arrives is queued, and given on between libcurl's calls, cut where
 * content chunks end, so that a stall, a drip or a cut falls exactly there.
 * The attempt cannot tell it from a server that behaves so.  An injected status
 * is a real answer to libcurl: it comes from a handle of ours whose connection
 * ends in this process (engine/stand_in.c).
 *
 * Without UNSTALL_INJECT no attempt has any.
 */

#include "call.h"
#include "stand_in.h"

#include "core/inject.h"

/* What waits, and how far the faults have been played. */
struct uns_fault {
    const struct uns_inject *inject;
    struct uns_stand_in *stand_in; /* NULL: the server itself is asked */
    struct uns_hold queue;
    struct uns_stream stream; /* counts the chunks that went through */
    uns_ns serve_ns;          /* try then to answer in its place */
    size_t given;             /* bytes of the first piece that did */
    size_t again;             /* of those that follow: the application paused
                                 on them, and gets them once more */
    uns_ns open_ns;           /* nothing before then */
    bool begun;               /* the body has */
    bool counted;             /* a chunk ends with the part under way */
    bool passes;              /* its chunks cannot be told: all at once */
};

/* Prepare attempt 0, if faults are injected.  False: no memory. */
bool uns_fault_open(struct uns_attempt *primary);
void uns_fault_close(struct uns_attempt *primary);

/* libcurl's write and header callback for an attempt with faults. */
size_t uns_fault_take(struct uns_attempt *a, enum uns_piece_kind kind,
                      const char *bytes, size_t len);

/* Something is still to come through, although libcurl may be done. */
bool uns_fault_holds(const struct uns_attempt *a);

/* What the application is told of such a call, since libcurl knows only the
 * transfer behind the faults. */
struct uns_played {
    bool on;       /* faults were played */
    bool less;     /* some of what arrived was not given on */
    int64_t bytes; /* of the body that were */
    uns_ns span_ns;
};

/* The call has ended: keep that with its handle until the next one. */
void uns_fault_keep(const struct uns_call *call);

/* Answer curl_easy_getinfo where libcurl's answer would be about the transfer
 * behind the faults.  False: let it answer. */
bool uns_fault_info(const struct uns_app *app, CURLINFO info, void *out);

/* When to play on; UNS_NEVER: nothing waits for its time. */
uns_ns uns_fault_deadline(const struct uns_call *call);

#endif
