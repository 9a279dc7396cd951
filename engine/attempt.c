/* SPDX-License-Identifier: MIT */
/*
 * attempt - one request to one source: what arrives on it is stamped, told to
 * the race, and then given to the application or held.  Runs inside libcurl's
 * callbacks: nothing is added to or removed from a multi here.
 */
#include "call.h"

#include "clock.h"
#include "fault.h"
#include "judge.h"
#include "progress.h"
#include "promotion.h"
#include "resume.h"
#include "tape.h"
#include "tell.h"

#include <stdlib.h>
#include <string.h>

struct uns_attempt *uns_attempt_new(struct uns_call *call, CURL *easy,
                                    const struct uns_source *source)
{
    struct uns_attempt *attempt = calloc(1, sizeof *attempt);

    if (!attempt)
        return NULL;
    attempt->call = call;
    attempt->easy = easy;
    attempt->source = source;
    attempt->plain = uns_promotion_is_plain(source);
    attempt->seq = call->attempts;
    attempt->fd = CURL_SOCKET_BAD;
    attempt->start_ns = uns_clock_now();
    uns_stream_init(&attempt->stream, call->request.dialect,
                    call->request.streams, NULL);
    uns_timeline_init(&attempt->timeline, attempt->moments,
                      sizeof attempt->moments,
                      call->policy->stream.stall_threshold_ns);
    uns_meter_init(&attempt->meter, call->policy->stream.stall_threshold_ns,
                   &attempt->timeline, attempt->start_ns);
    attempt->tape = uns_tape_new();
    call->attempt[call->attempts++] = attempt;
    return attempt;
}

void uns_attempt_free(struct uns_attempt *attempt)
{
    if (!attempt)
        return;
    uns_resume_detach(attempt);
    uns_promotion_forget(attempt);
    uns_fault_close(attempt);
    uns_tape_free(attempt);
    uns_hold_clear(&attempt->hold);
    free(attempt->body);
    free(attempt);
}

/* Does a piece of the write callback hold header bytes?  With CURLOPT_HEADER
 * libcurl gives each header line there first, then to the header callback,
 * from which attempt->head knows where the block ends. */
static bool is_header_piece(const struct uns_attempt *a, const char *bytes,
                            size_t len)
{
    if (a->read || !a->call->headers_inline)
        return false;
    if (a->head.status && !a->head.complete)
        return true;
    return len >= 5 && !memcmp(bytes, "HTTP/", 5);
}

/* What of the piece libcurl had not given us before it was paused. */
static size_t unseen(size_t *skip, size_t len)
{
    size_t seen = *skip < len ? *skip : len;

    *skip -= seen;
    return len - seen;
}

/* The voice's piece: what was held goes first.  A piece that the application
 * pauses on is delivered by libcurl again: `fresh` bytes of it were
 * classified just now and must not be twice. */
static size_t speak(struct uns_attempt *a, enum uns_piece_kind kind,
                    struct uns_slice piece, size_t fresh)
{
    struct uns_call *call = a->call;
    size_t *skip = kind == UNS_PIECE_BODY ? &a->skip_body : &a->skip_head;
    size_t taken;

    if (!call->paused && !uns_voice_give(call) && !call->paused)
        return 0;
    /* Where it is only watched, libcurl says what a pause means. */
    taken = call->paused && !call->solo ? CURL_WRITEFUNC_PAUSE
                                        : uns_voice_piece(call, kind, piece);
    if (taken == CURL_WRITEFUNC_PAUSE)
        *skip += fresh;
    return taken;
}

/* What a joint has passed on is in the hold; the piece itself is not for the
 * application. */
static size_t speak_joined(struct uns_attempt *a, struct uns_slice piece,
                           size_t fresh)
{
    struct uns_call *call = a->call;

    if (!call->paused && !uns_voice_give(call) && !call->paused)
        return 0;
    if (!call->paused)
        return piece.len;
    a->skip_body += fresh;
    return CURL_WRITEFUNC_PAUSE;
}

/* A piece in which the voice fails: what comes before goes out, the rest waits
 * for the rival. */
static size_t speak_in_part(struct uns_attempt *a, struct uns_slice piece,
                            size_t good)
{
    struct uns_slice part = {piece.data, good};
    size_t taken = good ? uns_voice_piece(a->call, UNS_PIECE_BODY, part) : 0;

    if (taken == good)
        return piece.len;
    if (taken != CURL_WRITEFUNC_PAUSE)
        return 0;
    return uns_hold_add(&a->hold, UNS_PIECE_BODY, part.data, good) == UNS_OK
               ? piece.len
               : 0;
}

static size_t speak_body(struct uns_attempt *a, struct uns_slice piece,
                         size_t fresh)
{
    struct uns_call *call = a->call;
    size_t good;

    if (a->joint)
        return speak_joined(a, piece, fresh);
    if (!call->paused && !uns_voice_give(call) && !call->paused)
        return 0;
    good = call->paused ? piece.len : uns_resume_admit(a, piece);
    return good == piece.len ? speak(a, UNS_PIECE_BODY, piece, fresh)
                             : speak_in_part(a, piece, good);
}

/* No more of it can be held: somebody has to be given now (R5).  A rival
 * that has not said yes is dropped; it might still say no. */
static void overflow(struct uns_attempt *a)
{
    bool unsure = a->source && !(a->answered && uns_head_success(&a->head));

    uns_tell_event(a->call, unsure ? UNS_EV_LOST : UNS_EV_OVERFLOW, a->seq,
                   a->piece_ns);
}

static bool keep(struct uns_attempt *a, enum uns_piece_kind kind,
                 struct uns_slice piece)
{
    return a->hold.bytes + piece.len <=
               a->call->policy->hedge.hold_limit_bytes &&
           uns_hold_add(&a->hold, kind, piece.data, piece.len) == UNS_OK;
}

static size_t deliver(struct uns_attempt *a, enum uns_piece_kind kind,
                      struct uns_slice piece, size_t fresh)
{
    struct uns_call *call = a->call;

    if (a->deaf)
        return 0;
    if (kind == UNS_PIECE_BODY && uns_promotion_takes(a))
        return piece.len;
    if (a->joint && (call->voice != a || kind == UNS_PIECE_HEADER))
        return piece.len;
    if (call->voice == NULL && keep(a, kind, piece))
        return piece.len;
    if (call->voice == NULL)
        overflow(a);
    if (call->voice == a)
        return kind == UNS_PIECE_BODY ? speak_body(a, piece, fresh)
                                      : speak(a, kind, piece, fresh);
    a->deaf = call->voice == NULL;
    return a->deaf ? 0 : piece.len;
}

static void hear(struct uns_attempt *a, struct uns_slice fresh)
{
    uns_judge_body(a, fresh.data, fresh.len);
    uns_tape_body(a, fresh);
}

static void arrive(struct uns_attempt *a)
{
    a->piece_ns = uns_clock_now();
    uns_lane_excuse_piece(a);
    uns_progress_excuse(a);
}

size_t uns_attempt_body(struct uns_attempt *a, struct uns_slice piece)
{
    size_t fresh;

    if (a->cancelled)
        return piece.len;
    arrive(a);
    fresh = unseen(&a->skip_body, piece.len);
    if (is_header_piece(a, piece.data, piece.len))
        a->head_bytes += fresh;
    else if (fresh)
        hear(a, (struct uns_slice){piece.data + piece.len - fresh, fresh});
    return deliver(a, UNS_PIECE_BODY, piece, fresh);
}

size_t uns_attempt_on_body(char *bytes, size_t size, size_t count, void *arg)
{
    struct uns_attempt *a = arg;
    const struct uns_slice piece = {bytes, size * count};

    return a->fault ? uns_fault_take(a, UNS_PIECE_BODY, bytes, piece.len)
                    : uns_attempt_body(a, piece);
}

/* What a pause has kept back comes again in one piece, several lines of it. */
static void read_lines(struct uns_attempt *a, const char *bytes, size_t len)
{
    while (len) {
        const char *end = memchr(bytes, '\n', len);
        size_t line = end ? (size_t)(end - bytes) + 1 : len;

        uns_head_line(&a->head, bytes, line);
        uns_judge_head(a);
        bytes += line;
        len -= line;
    }
}

size_t uns_attempt_head(struct uns_attempt *a, struct uns_slice piece)
{
    size_t fresh;

    if (a->cancelled)
        return piece.len;
    arrive(a);
    fresh = unseen(&a->skip_head, piece.len);
    read_lines(a, piece.data + piece.len - fresh, fresh);
    uns_tape_head(a, (struct uns_slice){piece.data + piece.len - fresh, fresh});
    return deliver(a, UNS_PIECE_HEADER, piece, fresh);
}

size_t uns_attempt_on_header(char *bytes, size_t size, size_t count, void *arg)
{
    struct uns_attempt *a = arg;
    const struct uns_slice piece = {bytes, size * count};

    return a->fault ? uns_fault_take(a, UNS_PIECE_HEADER, bytes, piece.len)
                    : uns_attempt_head(a, piece);
}
