/* SPDX-License-Identifier: MIT */
/*
 * promotion_answer - the answer's half.  A stream's bytes go to core/promote.h
 * and nowhere else; when the race has a voice, its hold is written anew:
 *
 *   header lines | bytes without meaning     held
 *   header lines, with another type and a length | JSON     given
 */
#include "promotion.h"

#include "keep.h"
#include "log.h"
#include "memory.h"

#include "core/promote.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- hearing --------------------------------------------------------------*/

static bool is_stream(const struct uns_attempt *a)
{
    enum uns_framing framing = a->stream.frame.framing;

    return framing == UNS_FRAMING_SSE || framing == UNS_FRAMING_NDJSON ||
           framing == UNS_FRAMING_ARRAY;
}

static bool is_promoted(const struct uns_attempt *a)
{
    return a->call->promotion && !a->plain && uns_head_success(&a->head);
}

/* What came before the framing was known: white space, a byte order mark.
 * With CURLOPT_HEADER the headers come first. */
static void hear_early(struct uns_attempt *a)
{
    struct uns_hold walk = a->hold;
    size_t skip = a->head_bytes;
    struct uns_piece piece;

    while (uns_hold_peek(&walk, &piece)) {
        size_t head = skip < piece.len ? skip : piece.len;

        walk.at = (size_t)(piece.bytes + piece.len - walk.data);
        if (piece.kind != UNS_PIECE_BODY)
            continue;
        skip -= head;
        (void)uns_promote_feed(a->promote, piece.bytes + head,
                               piece.len - head);
    }
}

static bool begin(struct uns_attempt *a)
{
    const struct uns_call *call = a->call;

    a->promote = malloc(sizeof *a->promote);
    if (!a->promote)
        return false;
    uns_promote_init(a->promote, call->request.dialect, &uns_memory,
                     call->policy->hedge.hold_limit_bytes);
    hear_early(a);
    return true;
}

unsigned uns_promotion_hear(struct uns_attempt *a, struct uns_slice piece,
                            unsigned news)
{
    enum uns_err err = UNS_NOMEM;

    if (!is_promoted(a) || !is_stream(a) || a->call->promotion->settled)
        return news; /* what comes behind the answer is for nobody */
    if (a->promote || begin(a))
        err = uns_promote_feed(a->promote, piece.data, piece.len);
    if (err == UNS_OK)
        return news;
    uns_log("attempt %u cannot be put together: %s", a->seq, uns_err_str(err));
    a->deaf = true;
    return (news & ~(unsigned)(UNS_NEWS_FINISH | UNS_NEWS_END)) |
           UNS_NEWS_ERROR;
}

bool uns_promotion_takes(const struct uns_attempt *a)
{
    return is_promoted(a) && a->read && (a->promote || a->opaque);
}

void uns_promotion_forget(struct uns_attempt *a)
{
    uns_promote_done(a->promote);
    free(a->promote);
    a->promote = NULL;
}

/* --- header lines ---------------------------------------------------------*/

/* Of the stream alone. */
static const char *const gone[] = {"content-encoding", "content-length",
                                   "transfer-encoding"};

static bool is_named(struct uns_slice line, const char *name)
{
    size_t len = strlen(name);

    return line.len > len && line.data[len] == ':' &&
           !strncasecmp(line.data, name, len);
}

static bool is_gone(struct uns_slice line)
{
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        if (is_named(line, gone[i]))
            return true;
    return false;
}

static bool is_status(struct uns_slice line)
{
    return line.len > 5 && !memcmp(line.data, "HTTP/", 5);
}

static bool is_blank(struct uns_slice line)
{
    return line.len <= 2 && line.len && line.data[line.len - 1] == '\n';
}

/* What is being written anew. */
struct rewrite {
    struct uns_hold hold;
    struct uns_slice body;
    bool whole;
    bool final[2]; /* by kind: the last block of headers has begun */
    bool http1;
    bool failed;  /* no memory */
    long headers; /* bytes of header lines, against what arrived */
};

static void add(struct rewrite *to, enum uns_piece_kind kind,
                struct uns_slice piece)
{
    to->headers += kind == UNS_PIECE_HEADER ? (long)piece.len : 0;
    to->failed |=
        uns_hold_add(&to->hold, kind, piece.data, piece.len) != UNS_OK;
}

static void add_text(struct rewrite *to, enum uns_piece_kind kind,
                     const char *text)
{
    add(to, kind, (struct uns_slice){text, strlen(text)});
}

static void add_length(struct rewrite *to, enum uns_piece_kind kind)
{
    char line[64];

    (void)snprintf(line, sizeof line, "%s: %zu\r\n",
                   to->http1 ? "Content-Length" : "content-length",
                   to->body.len);
    if (to->whole)
        add_text(to, kind, line);
}

static void add_body(struct rewrite *to)
{
    struct uns_slice rest = to->body;

    while (rest.len) {
        size_t len =
            rest.len < CURL_MAX_WRITE_SIZE ? rest.len : CURL_MAX_WRITE_SIZE;

        add(to, UNS_PIECE_BODY, (struct uns_slice){rest.data, len});
        rest = (struct uns_slice){rest.data + len, rest.len - len};
    }
}

/* A line of the last block. */
static void add_line(struct rewrite *to, enum uns_piece_kind kind,
                     struct uns_slice line)
{
    static const char type[] = "content-type";

    if (is_gone(line))
        return;
    if (is_blank(line))
        add_length(to, kind);
    if (!is_named(line, type)) {
        add(to, kind, line);
        return;
    }
    add_text(to, kind,
             to->http1 ? "Content-Type: application/json\r\n"
                       : "content-type: application/json\r\n");
}

/* The offset of the piece that begins the last block, by kind. */
static void find_last(const struct uns_hold *hold, size_t ret_at[2])
{
    struct uns_hold walk = *hold;
    struct uns_piece piece;

    ret_at[0] = ret_at[1] = SIZE_MAX;
    while (uns_hold_peek(&walk, &piece)) {
        if (is_status((struct uns_slice){piece.bytes, piece.len}))
            ret_at[piece.kind] = walk.at;
        walk.at = (size_t)(piece.bytes + piece.len - walk.data);
    }
}

/* Header lines come to the header callback, and before that to the write
 * callback if CURLOPT_HEADER is set; what else came there is the stream's. */
static void rewrite(struct rewrite *to, const struct uns_attempt *a)
{
    struct uns_hold walk = a->hold;
    size_t inline_left = a->head_bytes;
    struct uns_piece piece;
    size_t last[2];
    bool given = false;

    find_last(&walk, last);
    while (uns_hold_peek(&walk, &piece)) {
        struct uns_slice line = {piece.bytes, piece.len};
        bool body = piece.kind == UNS_PIECE_BODY;

        to->final[piece.kind] |= walk.at == last[piece.kind];
        walk.at = (size_t)(piece.bytes + piece.len - walk.data);
        if (body && inline_left < piece.len)
            continue;
        inline_left -= body ? piece.len : 0;
        to->headers -= body ? 0 : (long)piece.len;
        if (given || !to->final[piece.kind]) {
            add(to, piece.kind, line);
            continue;
        }
        add_line(to, piece.kind, line);
        given = !body && is_blank(line);
        if (given)
            add_body(to);
    }
}

/* --- settling -------------------------------------------------------------*/

static bool is_whole(const struct uns_attempt *a)
{
    const struct uns_stream *stream = &a->stream;

    return a->promote && !a->deaf && !stream->error[0] &&
           (stream->finished || stream->ended);
}

static void tell_keep(const struct uns_call *call, const struct rewrite *to)
{
    struct uns_keep *keep = call->app->call;
    struct uns_promoted *promoted = &keep->promoted;

    *promoted = (struct uns_promoted){
        .on = true,
        .whole = to->whole,
        .size = (int64_t)to->body.len,
        .headers = to->headers,
    };
    (void)snprintf(promoted->digits, sizeof promoted->digits, "%zu",
                   to->body.len);
}

/* Without memory for it nothing is given, which is no answer either. */
static void write_anew(struct uns_call *call, struct uns_run *body, bool whole)
{
    struct uns_attempt *a = call->voice;
    struct rewrite to = {.body = whole ? uns_run_slice(body)
                                       : (struct uns_slice){0},
                         .whole = whole};
    long version = 0;

    call->app->real->curl_easy_getinfo(a->easy, CURLINFO_HTTP_VERSION,
                                       &version);
    to.http1 = version < CURL_HTTP_VERSION_2_0;
    rewrite(&to, a);
    if (to.failed) {
        uns_hold_clear(&to.hold);
        to.whole = false;
        to.body.len = 0;
    }
    uns_hold_clear(&a->hold);
    a->hold = to.hold;
    tell_keep(call, &to);
}

void uns_promotion_settle(struct uns_call *call)
{
    struct uns_promotion *promotion = call->promotion;
    struct uns_attempt *a = call->voice;
    struct uns_run body = {0};
    bool whole;

    if (!promotion || promotion->settled)
        return;
    promotion->settled = true;
    if (!uns_promotion_takes(a))
        return;
    whole = is_whole(a) && uns_promote_end(a->promote, &body) == UNS_OK;
    write_anew(call, &body, whole);
    uns_run_free(&body, &uns_memory);
}

/* --- the end --------------------------------------------------------------*/

bool uns_promotion_failed(const struct uns_call *call)
{
    const struct uns_keep *keep = call->app->call;

    return call->promotion && call->promotion->settled && keep->promoted.on &&
           !keep->promoted.whole;
}

/* The finish was seen, and after that the connection went away: nothing of the
 * answer is missing. */
static bool is_only_the_end(CURLcode code)
{
    return code == CURLE_PARTIAL_FILE || code == CURLE_RECV_ERROR ||
           code == CURLE_HTTP2 || code == CURLE_HTTP2_STREAM;
}

void uns_promotion_finish(struct uns_call *call)
{
    const struct uns_keep *keep = call->app->call;
    const struct uns_attempt *a = call->voice;

    if (!call->promotion || !call->promotion->settled || !keep->promoted.on)
        return;
    if (keep->promoted.whole) {
        if (is_only_the_end(call->code))
            call->code = CURLE_OK;
        return;
    }
    if (call->code != CURLE_OK && !a->deaf)
        return;
    call->code = CURLE_PARTIAL_FILE;
    (void)snprintf(call->error, sizeof call->error,
                   "unstall: stream.promote: the answer of source %s broke "
                   "off: %s",
                   a->source ? a->source->name : "primary",
                   a->stream.error[0] ? a->stream.error : "malformed");
}
