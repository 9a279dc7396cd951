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
#include "verdict.h"

/* ---- the last event ---- */

static bool copy(struct uns_repeat *to, const char *bytes, size_t len)
{
    if (len > sizeof to->bytes - to->len) {
        return false;
    }
    memcpy(to->bytes + to->len, bytes, len);
    to->len = (uint16_t)(to->len + len);
    return true;
}

/* Note an event with these holes, whose places are known.  False: it is too
 * long, or not one text. */
static bool note(struct uns_repeat *to, struct uns_slice event,
                 const struct uns_repeat_hole *hole, unsigned holes)
{
    size_t from = 0;
    unsigned texts = 0;

    to->len = 0;
    to->holes = (uint8_t)holes;
    to->counts = 0;
    for (unsigned i = 0; i < holes; i++) {
        size_t before = hole[i].at - from;

        if (!copy(to, event.data + from, before)) {
            return false;
        }
        if (hole[i].kind == UNS_HOLE_TEXT) {
            to->text = (uint8_t)i;
            texts++;
        }
        to->counts = (uint8_t)(to->counts + (hole[i].kind >= UNS_HOLE_COUNT));
        to->hole[i] = hole[i];
        to->hole[i].before = (uint16_t)before;
        from = hole[i].at + hole[i].len;
    }
    to->behind = (uint16_t)(event.len - from);
    return copy(to, event.data + from, event.len - from) && texts == 1;
}

/* The event, whose document begins at `data`.  A count that cannot differ
 * would be missing among those that do. */
static bool note_scanned(struct uns_stream *stream, struct uns_slice event,
                         const char *data)
{
    const struct uns_scan *scan = &stream->scan;
    struct uns_repeat_hole hole[UNS_SCAN_HOLES];

    for (unsigned i = 0; i < scan->holes; i++) {
        const struct uns_hole *scanned = &scan->hole[i];
        hole[i] = (struct uns_repeat_hole){
            .at = (uint32_t)(data - event.data) + scanned->at,
            .len = scanned->len,
            .kind = scanned->kind,
        };
    }
    return note(&stream->repeat, event, hole, scan->holes) &&
           stream->repeat.counts == scan->counts;
}

/* Half of a line's end may be missing: the next event would begin with it. */
static bool is_whole(const struct uns_stream *stream, uint64_t len,
                     const char *piece, const char *rest)
{
    return stream->block != UNS_BLOCK_ODD && len <= (uint64_t)(rest - piece) &&
           len <= UINT32_MAX && !stream->frame.skip_lf;
}

void uns_repeat_take(struct uns_stream *stream, const char *piece,
                     const char *rest)
{
    struct uns_repeat *repeat = &stream->repeat;
    uint64_t len = stream->bytes - stream->block;
    uint64_t data = stream->offset + stream->frame.spaced;
    struct uns_slice event = {rest - len, (size_t)len};

    if (!repeat->plain || !repeat->only ||
        !is_whole(stream, len, piece, rest)) {
        return;
    }
    repeat->colon = (uint16_t)(stream->offset - stream->block);
    if (!note_scanned(stream, event, rest - (stream->bytes - data))) {
        repeat->len = 0;
    }
}

size_t uns_repeat_length(const struct uns_repeat *repeat)
{
    const struct uns_repeat_hole *last = &repeat->hole[repeat->holes - 1];

    return last->at + last->len + (size_t)repeat->behind;
}

void uns_repeat_narrow(struct uns_repeat *repeat, const char *event,
                       unsigned open)
{
    struct uns_slice bytes = {event, uns_repeat_length(repeat)};
    struct uns_repeat_hole kept[UNS_SCAN_HOLES];
    unsigned holes = 0;

    for (unsigned i = 0; i < repeat->holes; i++) {
        if ((open >> i & 1) != 0) {
            kept[holes++] = repeat->hole[i];
        }
    }
    if (!note(repeat, bytes, kept, holes)) {
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

static const char *digits_end(const char *p, const char *end)
{
    while (p < end && *p >= '0' && *p <= '9') {
        p++;
    }
    return p;
}

/* As JSON has it, so that what was well formed still is; with an exponent it
 * takes the long way. */
static const char *number_end(const char *p, const char *end)
{
    const char *from = p + (p < end && *p == '-');

    p = digits_end(from, end);
    if (p == from || (*from == '0' && p > from + 1)) {
        return NULL;
    }
    if (p < end && *p == '.') {
        from = p + 1;
        p = digits_end(from, end);
    }
    return p == from || p == end ? NULL : p;
}

/* The end of what stands in a hole; NULL: it has to be looked at. */
static const char *hole_end(unsigned kind, const char *p, const char *end,
                            bool escapes)
{
    const char *q;

    if (kind >= UNS_HOLE_NUMBER) {
        return number_end(p, end);
    }
    q = string_end(p, end, escapes || kind == UNS_HOLE_STRING);
    return kind == UNS_HOLE_TEXT && q == p ? NULL : q;
}

/* The end of the event that `input` begins with, if it repeats the last one;
 * NULL: it does not. */
static const char *repeated(struct uns_repeat *repeat, struct uns_slice input,
                            bool escapes)
{
    const char *p = input.data;
    const char *end = p + input.len;
    const char *known = repeat->bytes;
    struct uns_repeat_hole *behind = repeat->hole + repeat->holes;

    for (struct uns_repeat_hole *hole = repeat->hole; hole < behind; hole++) {
        size_t len = hole->before;
        if ((size_t)(end - p) < len || memcmp(p, known, len) != 0) {
            return NULL;
        }
        p += len;
        known += len;
        const char *q = hole_end(hole->kind, p, end, escapes);
        if (q == NULL) {
            return NULL;
        }
        hole->at = (uint32_t)(p - input.data);
        hole->len = (uint32_t)(q - p);
        p = q;
    }
    size_t len = repeat->behind;
    return (size_t)(end - p) >= len && memcmp(p, known, len) == 0 ? p + len
                                                                  : NULL;
}

/* A sink wants to have its text unescaped. */
size_t uns_repeat_find(struct uns_stream *stream, struct uns_slice input)
{
    const char *end;

    if (stream->repeat.len == 0 || input.len > UINT32_MAX ||
        !uns_frame_idle(&stream->frame)) {
        return 0;
    }
    end = repeated(&stream->repeat, input, stream->sink == NULL);
    return end != NULL ? (size_t)(end - input.data) : 0;
}

static void tell(const struct uns_stream *stream, const char *bytes,
                 unsigned news)
{
    const struct uns_repeat *repeat = &stream->repeat;
    const struct uns_repeat_hole *text = &repeat->hole[repeat->text];
    const struct uns_sink *sink = stream->sink;
    const struct uns_event event = {
        .offset = stream->block + repeat->colon,
        .news = news,
        .kinds = repeat->kinds,
        .type = {stream->scan.slot[UNS_SLOT_TYPE], repeat->type_len},
    };

    if (sink->text != NULL) {
        sink->text(sink->ctx, bytes + text->at, text->len);
    }
    if (sink->kind != NULL) {
        sink->kind(sink->ctx, (enum uns_kind)__builtin_ctz(repeat->kinds));
    }
    if (sink->event != NULL) {
        sink->event(sink->ctx, &event);
    }
}

/* As if the scanner had met them, and then forgotten the event. */
static void take_counts(struct uns_stream *stream, const char *event)
{
    const struct uns_repeat *repeat = &stream->repeat;
    struct uns_scan *scan = &stream->scan;

    for (unsigned i = 0; i < repeat->holes; i++) {
        const struct uns_repeat_hole *hole = &repeat->hole[i];
        size_t len = hole->len < UNS_SLOT_BYTES ? hole->len : UNS_SLOT_BYTES;

        if (hole->kind < UNS_HOLE_COUNT) {
            continue;
        }
        unsigned slot = hole->kind - UNS_HOLE_COUNT;
        memcpy(scan->slot[slot], event + hole->at, len);
        scan->slot_len[slot] = (uint8_t)len;
    }
    uns_verdict_usage(stream);
    memset(scan->slot_len, 0, sizeof scan->slot_len);
}

unsigned uns_repeat_use(struct uns_stream *stream, const char *event,
                        size_t len)
{
    unsigned news = UNS_NEWS_EVENT;

    news |= stream->phase == UNS_PHASE_NONE ? UNS_NEWS_CONTENT : 0;
    stream->events++;
    stream->content++;
    if (stream->repeat.counts != 0) {
        take_counts(stream, event);
    }
    stream->block = stream->bytes;
    stream->bytes += len;
    if (stream->sink != NULL) {
        tell(stream, event, news);
    }
    stream->block = stream->bytes;
    return news;
}
