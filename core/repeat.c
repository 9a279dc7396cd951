/* SPDX-License-Identifier: MIT */

/*
 * The shortest way through a stream.  An event whose bytes are those of the
 * last one, but for its text and for scalars that nobody asks for, means what
 * that one meant: one more chunk of the same kind.  So framing, scanner and
 * verdict are left out, and the event is compared with the last one from hole
 * to hole:
 *
 *   data: {"id":"|string|","created":|number|,..."content":"|text|"}]} LF LF
 *
 * Anything else takes the long way, which is also the definition of what this
 * must come to.
 */

#include "repeat.h"

#include "bytes.h"

/* ---- the last event ---- */

/* What has been put together of it. */
struct cast {
    struct uns_repeat *to;
    const char *from; /* of the event that is not yet there */
    unsigned texts;
};

static bool cast_bytes(struct cast *cast, const char *end)
{
    struct uns_repeat *to = cast->to;
    size_t len = (size_t)(end - cast->from);

    if (len > sizeof to->bytes - to->len) {
        return false;
    }
    memcpy(to->bytes + to->len, cast->from, len);
    to->len = (uint16_t)(to->len + len);
    return true;
}

static bool cast_hole(struct cast *cast, const char *data,
                      const struct uns_hole *hole)
{
    struct uns_repeat *to = cast->to;

    if (!cast_bytes(cast, data + hole->at)) {
        return false;
    }
    to->hole[to->holes] = *hole;
    to->hole[to->holes++].at = to->len;
    cast->from = data + hole->at + hole->len;
    cast->texts += hole->kind == UNS_HOLE_TEXT;
    return true;
}

/* The event at [event, end), whose document begins at `data`. */
static bool cast_event(struct uns_stream *stream, const char *event,
                       const char *data, const char *end)
{
    const struct uns_scan *scan = &stream->scan;
    struct cast cast = {.to = &stream->repeat, .from = event};

    cast.to->len = 0;
    cast.to->holes = 0;
    for (unsigned i = 0; i < scan->holes; i++) {
        if (!cast_hole(&cast, data, &scan->hole[i])) {
            return false;
        }
    }
    return cast_bytes(&cast, end) && cast.texts == 1;
}

void uns_repeat_take(struct uns_stream *stream, const char *piece,
                     const char *rest)
{
    struct uns_repeat *repeat = &stream->repeat;
    uint64_t len = stream->bytes - stream->block;
    uint64_t data = stream->offset + stream->frame.spaced;

    if (!repeat->plain || !repeat->only || stream->block == UNS_BLOCK_ODD ||
        len > (uint64_t)(rest - piece)) {
        return;
    }
    repeat->colon = (uint16_t)(stream->offset - stream->block);
    if (!cast_event(stream, rest - len, rest - (stream->bytes - data), rest)) {
        repeat->len = 0;
    }
}

/* ---- the next one ---- */

/* Behind the escape at `p`, a backslash; NULL: not in the input, or none. */
static const char *after_escape(const char *p, const char *end)
{
    static const char plain[] = "\"\\/bfnrt";

    return end - p >= 2 && memchr(plain, p[1], sizeof plain - 1) ? p + 2 : NULL;
}

/* The quote that ends the string which is read from `p` on; NULL: it is not in
 * the input, or takes the long way. */
static const char *string_end(const char *p, const char *end, bool escapes)
{
    while ((p = uns_bytes_find_quote(p, end)) != end && *p == '\\' && escapes) {
        p = after_escape(p, end);
        if (p == NULL) {
            return NULL;
        }
    }
    return p != end && *p == '"' ? p : NULL;
}

static const char *number_end(const char *p, const char *end)
{
    const char *from = p;

    while (p < end && ((*p >= '0' && *p <= '9') || *p == '.' || *p == '-')) {
        p++;
    }
    return p == from || p == end ? NULL : p;
}

/* The end of what stands in a hole. */
static const char *hole_end(const struct uns_hole *hole, const char *p,
                            const char *end, bool escapes)
{
    const char *q =
        hole->kind == UNS_HOLE_NUMBER
            ? number_end(p, end)
            : string_end(p, end, escapes || hole->kind == UNS_HOLE_STRING);

    return hole->kind == UNS_HOLE_TEXT && q == p ? NULL : q;
}

/* The end of the event that `input` begins with, if it repeats the last one,
 * and its text; NULL: it does not. */
static const char *repeated(const struct uns_repeat *repeat,
                            struct uns_slice input, bool escapes,
                            struct uns_slice *ret_text)
{
    const char *p = input.data;
    const char *end = p + input.len;
    unsigned at = 0;

    for (unsigned i = 0; i <= repeat->holes; i++) {
        bool last = i == repeat->holes;
        size_t len = (last ? repeat->len : repeat->hole[i].at) - at;
        if ((size_t)(end - p) < len ||
            memcmp(p, repeat->bytes + at, len) != 0) {
            return NULL;
        }
        p += len;
        if (last) {
            break;
        }
        const char *q = hole_end(&repeat->hole[i], p, end, escapes);
        if (q == NULL) {
            return NULL;
        }
        if (repeat->hole[i].kind == UNS_HOLE_TEXT) {
            *ret_text = (struct uns_slice){p, (size_t)(q - p)};
        }
        at += (unsigned)len;
        p = q;
    }
    return p;
}

static void tell(const struct uns_stream *stream, struct uns_slice text,
                 unsigned news)
{
    const struct uns_sink *sink = stream->sink;
    unsigned kinds = stream->repeat.kinds;
    const struct uns_event event = {
        .offset = stream->block + stream->repeat.colon,
        .news = news,
        .kinds = kinds,
        .type = {stream->scan.slot[UNS_SLOT_TYPE], stream->repeat.type_len},
    };

    if (sink->text != NULL) {
        sink->text(sink->ctx, text.data, text.len);
    }
    if (sink->kind != NULL) {
        sink->kind(sink->ctx, (enum uns_kind)__builtin_ctz(kinds));
    }
    if (sink->event != NULL) {
        sink->event(sink->ctx, &event);
    }
}

unsigned uns_repeat_use(struct uns_stream *stream, struct uns_slice *input)
{
    struct uns_slice text = {NULL, 0};
    const char *rest;

    if (stream->repeat.len == 0 || !uns_frame_idle(&stream->frame)) {
        return 0;
    }
    /* A sink wants to have its text unescaped. */
    rest = repeated(&stream->repeat, *input, stream->sink == NULL, &text);
    if (rest == NULL) {
        return 0;
    }
    unsigned news = UNS_NEWS_EVENT;
    news |= stream->phase == UNS_PHASE_NONE ? UNS_NEWS_CONTENT : 0;
    stream->events++;
    stream->content++;
    stream->item_streamed = true;
    stream->block = stream->bytes;
    stream->bytes += (uint64_t)(rest - input->data);
    if (stream->sink != NULL) {
        tell(stream, text, news);
    }
    stream->block = stream->bytes;
    input->len -= (size_t)(rest - input->data);
    input->data = rest;
    return news;
}
