/* SPDX-License-Identifier: MIT */
#include "gate.h"

#include "cancel.h"
#include "clock.h"
#include "log.h"
#include "notes.h"
#include "root.h"
#include "roster.h"
#include "stand_in.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct uns_gate {
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

bool uns_gate_open(struct uns_attempt *primary)
{
    const struct uns_inject *inject = uns_root_inject();

    if (!inject)
        return true;
    primary->gate = calloc(1, sizeof *primary->gate);
    if (!primary->gate)
        return false;
    primary->gate->inject = inject;
    if (!inject->status)
        return true;
    primary->gate->stand_in = uns_stand_in_new(primary, inject->status);
    return primary->gate->stand_in != NULL;
}

void uns_gate_close(struct uns_attempt *primary)
{
    if (!primary->gate)
        return;
    uns_stand_in_free(primary->gate->stand_in);
    uns_hold_clear(&primary->gate->queue);
    free(primary->gate);
    primary->gate = NULL;
}

size_t uns_gate_take(struct uns_attempt *a, enum uns_piece_kind kind,
                     const char *bytes, size_t len)
{
    if (a->cancelled)
        return len;
    if (uns_hold_add(&a->gate->queue, kind, bytes, len) != UNS_OK)
        return 0;
    uns_roster_touch(a->call);
    return len;
}

bool uns_gate_holds(const struct uns_attempt *a)
{
    struct uns_piece piece;

    return a->gate && !a->cancelled && !a->severed &&
           uns_hold_peek(&a->gate->queue, &piece);
}

uns_ns uns_gate_deadline(const struct uns_call *call)
{
    const struct uns_attempt *a = call->attempt[0];

    if (a->gate && a->gate->serve_ns)
        return a->gate->serve_ns;
    return uns_gate_holds(a) && !call->paused && !call->aborted
               ? a->gate->open_ns
               : UNS_NEVER;
}

/* The server is gone: libcurl's code and words for that. */
static void cut(struct uns_attempt *a)
{
    char *text = uns_notes_pointer(a->call->app, CURLOPT_ERRORBUFFER, NULL);

    if (text)
        (void)snprintf(text, CURL_ERROR_SIZE,
                       "transfer closed with outstanding read data remaining");
    uns_cancel_sever(a, CURLE_PARTIAL_FILE);
}

/* A content chunk has passed, or the body begins: what happens now?  False: it
 * was cut. */
static bool go_on(struct uns_attempt *a, uns_ns now_ns)
{
    struct uns_gate *gate = a->gate;
    int64_t chunks = (int64_t)gate->stream.content;

    if (!gate->counted)
        return true;
    gate->counted = false;
    if (gate->inject->cut_at == chunks) {
        cut(a);
        return false;
    }
    gate->open_ns = now_ns + uns_inject_silence(gate->inject, chunks);
    return true;
}

/* Before the first byte of the body. */
static bool begin(struct uns_attempt *a, uns_ns now_ns)
{
    struct uns_gate *gate = a->gate;
    const struct uns_call *call = a->call;
    uns_ns late = call->begin_ns + gate->inject->late_ns;

    gate->begun = true;
    gate->passes = !uns_head_success(&a->head) || a->head.encoded;
    uns_stream_init(&gate->stream, call->request.dialect, call->request.streams,
                    NULL);
    uns_stream_type(&gate->stream, a->head.type, strlen(a->head.type));
    gate->counted = !gate->passes;
    if (!go_on(a, now_ns))
        return false;
    if (late > gate->open_ns)
        gate->open_ns = late;
    return true;
}

/* To the end of the next content chunk, if one ends in there. */
static size_t next_part(struct uns_gate *gate, const char *bytes, size_t len)
{
    uint64_t before = gate->stream.content;
    size_t part = 0;

    if (gate->passes)
        return len;
    while (part < len && gate->stream.content == before)
        (void)uns_stream_feed(&gate->stream, bytes + part++, 1);
    return part;
}

/* Give on a part of a piece.  False: the application wants no more of it for
 * now, or ever; or it could not be kept, which ends the attempt. */
static bool give(struct uns_attempt *a, enum uns_piece_kind kind,
                 struct uns_slice part)
{
    struct uns_call *call = a->call;
    struct uns_gate *gate = a->gate;
    size_t taken;

    call->lane->incb++;
    taken = kind == UNS_PIECE_BODY ? uns_attempt_body(a, part)
                                   : uns_attempt_head(a, part);
    call->lane->incb--;
    gate->again = taken == part.len ? 0 : part.len;
    if (taken == part.len)
        gate->given += part.len;
    else if (!call->paused && !call->aborted)
        uns_cancel_sever(a, CURLE_WRITE_ERROR);
    return taken == part.len;
}

static bool is_due(struct uns_attempt *a, enum uns_piece_kind kind,
                   uns_ns now_ns)
{
    struct uns_gate *gate = a->gate;

    if (kind == UNS_PIECE_HEADER)
        return true;
    return (gate->begun || begin(a, now_ns)) && gate->open_ns <= now_ns;
}

/* The first piece, as far as it may pass.  False: no more for now. */
static bool pass(struct uns_attempt *a, uns_ns now_ns)
{
    struct uns_gate *gate = a->gate;
    struct uns_piece piece;
    struct uns_slice part;
    uint64_t chunks;

    if (!uns_hold_peek(&gate->queue, &piece) || !is_due(a, piece.kind, now_ns))
        return false;
    chunks = gate->stream.content;
    part.data = piece.bytes + gate->given;
    part.len = piece.len - gate->given;
    if (gate->again)
        part.len = gate->again;
    else if (piece.kind == UNS_PIECE_BODY)
        part.len = next_part(gate, part.data, part.len);
    if (gate->stream.content != chunks)
        gate->counted = true;
    if (!give(a, piece.kind, part))
        return false;
    if (gate->given == piece.len) {
        uns_hold_pop(&gate->queue);
        gate->given = 0;
    }
    return go_on(a, now_ns);
}

/* libcurl's connection needs a turn or two. */
#define SERVE_NS UNS_MS

static void serve(struct uns_attempt *a, uns_ns now_ns)
{
    struct uns_gate *gate = a->gate;

    if (!gate || !gate->stand_in)
        return;
    gate->serve_ns = now_ns + SERVE_NS;
    if (a->done || a->cancelled || uns_stand_in_serve(gate->stand_in))
        gate->serve_ns = 0;
}

void uns_gate_pump(struct uns_call *call, uns_ns now_ns)
{
    struct uns_attempt *a = call->attempt[0];

    serve(a, now_ns);
    while (uns_gate_holds(a) && !call->paused && !call->aborted &&
           pass(a, now_ns))
        continue;
}
