/* SPDX-License-Identifier: MIT */
#include "fault_play.h"

#include "cancel.h"
#include "fault.h"
#include "notes.h"

#include <stdio.h>
#include <string.h>

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
    struct uns_fault *fault = a->fault;
    int64_t chunks = (int64_t)fault->stream.content;

    if (!fault->counted)
        return true;
    fault->counted = false;
    if (fault->inject->cut_at == chunks) {
        cut(a);
        return false;
    }
    fault->open_ns = now_ns + uns_inject_silence(fault->inject, chunks);
    return true;
}

/* Before the first byte of the body. */
static bool begin(struct uns_attempt *a, uns_ns now_ns)
{
    struct uns_fault *fault = a->fault;
    const struct uns_call *call = a->call;
    uns_ns late = call->begin_ns + fault->inject->late_ns;

    fault->begun = true;
    fault->passes = !uns_head_success(&a->head) || a->head.encoded;
    uns_stream_init(&fault->stream, call->request.dialect,
                    call->request.streams, NULL);
    uns_stream_type(&fault->stream, a->head.type, strlen(a->head.type));
    fault->counted = !fault->passes;
    if (!go_on(a, now_ns))
        return false;
    if (late > fault->open_ns)
        fault->open_ns = late;
    return true;
}

/* To the end of the next content chunk, if one ends in there. */
static size_t next_part(struct uns_fault *fault, const char *bytes, size_t len)
{
    uint64_t before = fault->stream.content;
    size_t part = 0;

    if (fault->passes)
        return len;
    while (part < len && fault->stream.content == before)
        (void)uns_stream_feed(&fault->stream, bytes + part++, 1);
    return part;
}

/* Give on a part of a piece.  False: the application wants no more of it for
 * now, or ever; or it could not be kept, which ends the attempt. */
static bool give(struct uns_attempt *a, enum uns_piece_kind kind,
                 struct uns_slice part)
{
    struct uns_call *call = a->call;
    struct uns_fault *fault = a->fault;
    size_t taken;

    call->lane->incb++;
    taken = kind == UNS_PIECE_BODY ? uns_attempt_body(a, part)
                                   : uns_attempt_head(a, part);
    call->lane->incb--;
    fault->again = taken == part.len ? 0 : part.len;
    if (taken == part.len)
        fault->given += part.len;
    else if (!call->paused && !call->aborted)
        uns_cancel_sever(a, CURLE_WRITE_ERROR);
    return taken == part.len;
}

static bool is_due(struct uns_attempt *a, enum uns_piece_kind kind,
                   uns_ns now_ns)
{
    struct uns_fault *fault = a->fault;

    if (kind == UNS_PIECE_HEADER)
        return true;
    return (fault->begun || begin(a, now_ns)) && fault->open_ns <= now_ns;
}

/* The first piece, as far as it may pass.  False: no more for now. */
static bool pass(struct uns_attempt *a, uns_ns now_ns)
{
    struct uns_fault *fault = a->fault;
    struct uns_piece piece;
    struct uns_slice part;
    uint64_t chunks;

    if (!uns_hold_peek(&fault->queue, &piece) || !is_due(a, piece.kind, now_ns))
        return false;
    chunks = fault->stream.content;
    part.data = piece.bytes + fault->given;
    part.len = piece.len - fault->given;
    if (fault->again)
        part.len = fault->again;
    else if (piece.kind == UNS_PIECE_BODY)
        part.len = next_part(fault, part.data, part.len);
    if (fault->stream.content != chunks)
        fault->counted = true;
    if (!give(a, piece.kind, part))
        return false;
    if (fault->given == piece.len) {
        uns_hold_pop(&fault->queue);
        fault->given = 0;
    }
    return go_on(a, now_ns);
}

/* libcurl's connection needs a turn or two. */
#define SERVE_NS UNS_MS

static void serve(struct uns_attempt *a, uns_ns now_ns)
{
    struct uns_fault *fault = a->fault;

    if (!fault || !fault->stand_in)
        return;
    fault->serve_ns = now_ns + SERVE_NS;
    if (a->done || a->cancelled || uns_stand_in_serve(fault->stand_in))
        fault->serve_ns = 0;
}

void uns_fault_play(struct uns_call *call, uns_ns now_ns)
{
    struct uns_attempt *a = call->attempt[0];

    serve(a, now_ns);
    while (uns_fault_holds(a) && !call->paused && !call->aborted &&
           pass(a, now_ns))
        continue;
}
