/* SPDX-License-Identifier: MIT */
#include "judge.h"

#include "errtext.h"
#include "log.h"
#include "notes.h"
#include "promotion.h"
#include "pushback.h"
#include "resume.h"
#include "retry.h"
#include "source.h"
#include "tape.h"
#include "tell.h"
#include "track.h"

#include <stdlib.h>
#include <string.h>

/* What a result of libcurl says about an attempt.  Not listed: it failed on
 * the way, and another source may do better. */
enum cause {
    ON_THE_WAY,  /* transport: LOST */
    ITS_ANSWER,  /* local and definite, every try would end so: REFUSED */
    APPLICATION, /* its callbacks ended it (P6) */
    STATUS,      /* CURLOPT_FAILONERROR: the status says what it is */
    CLOCK        /* a timeout: of the call, or of the attempt */
};

static const struct {
    CURLcode code;
    enum cause cause;
} causes[] = {
    {CURLE_UNSUPPORTED_PROTOCOL,  ITS_ANSWER },
    {CURLE_FAILED_INIT,           ITS_ANSWER },
    {CURLE_URL_MALFORMAT,         ITS_ANSWER },
    {CURLE_NOT_BUILT_IN,          ITS_ANSWER },
    {CURLE_HTTP_RETURNED_ERROR,   STATUS     },
    {CURLE_WRITE_ERROR,           APPLICATION},
    {CURLE_READ_ERROR,            APPLICATION},
    {CURLE_OUT_OF_MEMORY,         ITS_ANSWER },
    {CURLE_OPERATION_TIMEDOUT,    CLOCK      },
    {CURLE_ABORTED_BY_CALLBACK,   APPLICATION},
    {CURLE_BAD_FUNCTION_ARGUMENT, ITS_ANSWER },
    {CURLE_TOO_MANY_REDIRECTS,    ITS_ANSWER },
    {CURLE_UNKNOWN_OPTION,        ITS_ANSWER },
    {CURLE_SSL_ENGINE_NOTFOUND,   ITS_ANSWER },
    {CURLE_SSL_CERTPROBLEM,       ITS_ANSWER },
    {CURLE_SSL_CIPHER,            ITS_ANSWER },
    {CURLE_FILESIZE_EXCEEDED,     ITS_ANSWER },
    {CURLE_SEND_FAIL_REWIND,      ITS_ANSWER },
    {CURLE_LOGIN_DENIED,          ITS_ANSWER },
    {CURLE_SSL_CACERT_BADFILE,    ITS_ANSWER },
};

static enum cause cause_of(CURLcode code)
{
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
        if (causes[i].code == code)
            return causes[i].cause;
    return ON_THE_WAY;
}

static void tell(struct uns_attempt *a, enum uns_race_event event)
{
    uns_tell_event(a->call, event, a->seq, a->piece_ns);
}

/* In the order in which they happened (core/stream.h). */
static const struct {
    unsigned news;
    enum uns_race_event event;
} told[] = {
    {UNS_NEWS_CONTENT | UNS_NEWS_STRUCTURAL, UNS_EV_PROGRESS},
    {UNS_NEWS_FINISH,                        UNS_EV_FINISH  },
    {UNS_NEWS_ERROR | UNS_NEWS_TRUNCATED,    UNS_EV_LOST    },
    {UNS_NEWS_END,                           UNS_EV_COMPLETE},
};

static void tell_news(struct uns_attempt *a, unsigned news)
{
    for (size_t i = 0; news && i < sizeof told / sizeof *told; i++)
        if (news & told[i].news)
            tell(a, told[i].event);
}

/* Will no other block of headers follow this one? */
static bool is_last_block(const struct uns_attempt *a)
{
    const struct uns_app *app = a->call->app;
    const struct uns_head *head = &a->head;

    if (!head->complete || head->status < 200)
        return false;
    if (a->source && a->source->base_url)
        return true; /* neither follows nor negotiates */
    if (head->status >= 300 && head->status < 400 && head->location)
        return !uns_notes_long(app, CURLOPT_FOLLOWLOCATION, 0);
    if (head->status == 401)
        return !uns_notes_long(app, CURLOPT_HTTPAUTH, 0);
    if (head->status == 407)
        return !uns_notes_long(app, CURLOPT_PROXYAUTH, 0);
    return true;
}

/* libcurl hands a compressed body out decoded when it was asked to decode:
 * by default not at all. */
static bool is_plain(const struct uns_attempt *a)
{
    const struct uns_app *app = a->call->app;

    return !a->head.encoded ||
           (uns_notes_pointer(app, CURLOPT_ACCEPT_ENCODING, NULL) &&
            uns_notes_long(app, CURLOPT_HTTP_CONTENT_DECODING, 1));
}

static bool has_codes(const struct uns_call *call)
{
    return call->policy->hedge.failover.code[0] != NULL;
}

static bool fails_over(const struct uns_call *call, int status)
{
    const struct uns_failover *failover = &call->policy->hedge.failover;

    return status > 0 &&
           (size_t)status <
               sizeof failover->status / sizeof *failover->status &&
           failover->status[status];
}

/* Before all of the request was sent: there is nothing yet to send again, and
 * the application may go on sending only when it has seen this answer. */
static bool is_early(const struct uns_attempt *a)
{
    return !a->source && a->call->body.reads && !a->call->body.complete;
}

/* It has answered no; the same endpoint may say yes later (R10). */
static void fail(struct uns_attempt *a)
{
    uns_ns *wait = &a->call->race.attempt[a->seq].wait_ns;
    bool again = fails_over(a->call, a->head.status) && uns_retry_may(a, wait);

    tell(a, again ? UNS_EV_RETRY : UNS_EV_LOST);
}

static void know(struct uns_call *call)
{
    if (!call->known && uns_call_know(call))
        uns_track_facts(call);
}

/* The status is final: what does it mean? */
static void answer(struct uns_attempt *a)
{
    struct uns_call *call = a->call;

    if (a->answered)
        return;
    a->answered = true;
    uns_pushback_note(a, a->piece_ns);
    tell(a, UNS_EV_BYTES);
    if (is_early(a))
        tell(a, UNS_EV_OVERFLOW);
    if (uns_head_success(&a->head)) {
        know(call);
        uns_stream_init(&a->stream, call->request.dialect,
                        call->request.streams && !a->plain, NULL);
        uns_stream_type(&a->stream, a->head.type, strlen(a->head.type));
        a->opaque = !is_plain(a);
        if (a->opaque)
            tell(a,
                 call->promotion && !a->plain ? UNS_EV_LOST : UNS_EV_OVERFLOW);
    } else if (a->source || fails_over(call, a->head.status)) {
        fail(a);
    } else if (!has_codes(call) && !call->promotion) {
        tell(a, UNS_EV_REFUSED);
    }
}

void uns_judge_head(struct uns_attempt *a)
{
    if (!a->head.complete && !a->read)
        a->answered = false; /* the last block was a proxy's, or interim */
    if (is_last_block(a))
        answer(a);
    if (a->head.complete)
        uns_track_attempt(a);
}

static bool contains(const char *text, size_t len, const char *code)
{
    return memmem(text, len, code, strlen(code)) != NULL;
}

/* The body of a refusal, in one run of bytes; malloc'd, NULL: no memory. */
static char *held_body(const struct uns_hold *hold, size_t *ret_len)
{
    struct uns_hold walk = *hold;
    struct uns_piece piece;
    char *text = malloc(hold->bytes + 1);

    *ret_len = 0;
    while (text && uns_hold_peek(&walk, &piece)) {
        if (piece.kind == UNS_PIECE_BODY) {
            memcpy(text + *ret_len, piece.bytes, piece.len);
            *ret_len += piece.len;
        }
        /* Not uns_hold_pop: the walk must not free what it walks over. */
        walk.at = (size_t)(piece.bytes + piece.len - walk.data);
    }
    return text;
}

static bool names_a_code(struct uns_attempt *a)
{
    const struct uns_failover *failover = &a->call->policy->hedge.failover;
    size_t len;
    char *text = held_body(&a->hold, &len);
    bool found = uns_promotion_is_refusal(a, (struct uns_slice){text, len});

    for (size_t i = 0; text && i < UNS_FAILOVER_CODES && !found; i++)
        found = failover->code[i] && contains(text, len, failover->code[i]);
    free(text);
    return found;
}

/* Attempt 0 was refused: its answer, unless the body names a code that
 * another source may not mind. */
static void search_refusal(struct uns_attempt *a)
{
    if (a->searched || a->source || uns_head_success(&a->head))
        return;
    a->searched = true;
    tell(a, names_a_code(a) ? UNS_EV_LOST : UNS_EV_REFUSED);
}

void uns_judge_body(struct uns_attempt *a, const char *bytes, size_t len)
{
    bool readable;
    uint64_t before;
    unsigned news = 0;

    a->read = true;
    answer(a);
    readable = uns_head_success(&a->head) && !a->opaque;
    a->call->race.attempt[a->seq].bytes += len;
    if (uns_pushback_read(a, bytes, len) && uns_source_is_own(a->source))
        uns_tell_forgo(a->call, a->piece_ns);
    before = a->stream.content;
    if (readable)
        news = uns_promotion_hear(a, (struct uns_slice){bytes, len},
                                  uns_stream_feed(&a->stream, bytes, len));
    uns_meter_piece(&a->meter, len, (int64_t)(a->stream.content - before),
                    news & UNS_NEWS_EVENT, news & UNS_NEWS_STRUCTURAL,
                    a->piece_ns);
    uns_track_attempt(a);
    if (a->call->policy->stream.liveness_bytes)
        tell(a, UNS_EV_BYTES);
    if (a->joint)
        uns_resume_hear(a, &(struct uns_slice){bytes, len}, news);
    else
        tell_news(a, news);
    if (!readable && a->meter.bytes > UNS_CALL_SEARCH_BYTES)
        search_refusal(a);
}

static void end_well(struct uns_attempt *a)
{
    answer(a);
    search_refusal(a);
    if (uns_head_success(&a->head) && a->read && !a->opaque) {
        uint64_t before = a->stream.content;
        unsigned news = uns_stream_end(&a->stream);

        uns_meter_piece(&a->meter, 0, (int64_t)(a->stream.content - before),
                        news & UNS_NEWS_EVENT, news & UNS_NEWS_STRUCTURAL,
                        a->piece_ns);
        if (a->joint)
            uns_resume_hear(a, NULL, news);
        else
            tell_news(a, news);
    }
}

/* Out of time: the application's for the call (R9), or this attempt's own
 * (connecting, too slow). */
static void end_by_clock(struct uns_attempt *a)
{
    uns_ns total = uns_call_total(a->call->app);

    if (total != UNS_NEVER && a->piece_ns - a->call->begin_ns >= total - UNS_MS)
        uns_tell_timeout(a->call, a->piece_ns);
    else
        tell(a, UNS_EV_LOST);
}

static void end_by_status(struct uns_attempt *a)
{
    answer(a);
    search_refusal(a);
}

static void end_on_the_way(struct uns_attempt *a)
{
    bool whole = a->stream.finished && !a->stream.error[0];

    if (!whole)
        tell(a, UNS_EV_LOST);
}

static void end_as_its_answer(struct uns_attempt *a)
{
    tell(a, a->source ? UNS_EV_LOST : UNS_EV_REFUSED);
}

static void end_by_application(struct uns_attempt *a)
{
    struct uns_call *call = a->call;

    call->code = a->code;
    if (!call->error[0])
        memcpy(call->error, a->error, sizeof call->error);
    uns_tell_abort(call, a->piece_ns);
}

static void (*const ends[])(struct uns_attempt *a) = {
    [ON_THE_WAY] = end_on_the_way,
    [ITS_ANSWER] = end_as_its_answer,
    [APPLICATION] = end_by_application,
    [STATUS] = end_by_status,
    [CLOCK] = end_by_clock,
};

void uns_judge_end(struct uns_attempt *a, uns_ns now_ns)
{
    if (a->ended)
        return;
    a->ended = true;
    a->piece_ns = now_ns;
    if (a->deaf) /* libcurl calls that a short write */
        a->code = a->promote ? CURLE_PARTIAL_FILE : CURLE_OUT_OF_MEMORY;
    if (!a->source && !a->call->solo)
        uns_errtext_take(a);
    uns_meter_end(&a->meter, now_ns);
    uns_track_attempt(a);
    uns_tape_end(a, now_ns);
    uns_log("attempt %u ended: code %d, status %d, %lld chunks %s%s", a->seq,
            (int)a->code, a->head.status, (long long)a->meter.chunks,
            a->stream.error, a->error);
    if (a->code == CURLE_OK)
        end_well(a);
    else if (a->why != UNS_WHY_SHADOW) /* whose end is nobody's else */
        ends[cause_of(a->code)](a);
    tell(a, UNS_EV_COMPLETE); /* means nothing to one that is lost */
}
