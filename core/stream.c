/* SPDX-License-Identifier: MIT */

/*
 * Framing and scanner joined: payload goes to the scanner as it arrives, and
 * when the framing says that an event is over, verdict.c reads the scanner.
 *
 * Where servers break the framing, the scanner knows better where an event
 * ends: a second document in one event is a second event, and a string that
 * crosses a line end is the rest of a line that was cut.
 */

#include "stream.h"

#include "ascii.h"
#include "repeat.h"
#include "verdict.h"

#include <string.h>

static enum uns_framing object_framing(const struct uns_stream *stream,
                                       bool lines)
{
    bool ndjson = stream->streamed && stream->dialect == UNS_DIALECT_OLLAMA;

    return lines || ndjson ? UNS_FRAMING_NDJSON : UNS_FRAMING_DOCUMENT;
}

static enum uns_framing array_framing(const struct uns_stream *stream)
{
    bool gemini = stream->streamed && stream->dialect == UNS_DIALECT_GEMINI;

    return gemini ? UNS_FRAMING_ARRAY : UNS_FRAMING_DOCUMENT;
}

void uns_stream_init(struct uns_stream *stream, enum uns_dialect dialect,
                     bool streamed, const struct uns_sink *sink)
{
    memset(stream, 0, offsetof(struct uns_stream, frame));
    stream->tokens_in = UNS_NULL;
    stream->tokens_out = UNS_NULL;
    stream->wire = uns_wire(dialect);
    stream->sink = sink;
    stream->dialect = dialect;
    stream->streamed = streamed;
    uns_frame_init(&stream->frame, false, object_framing(stream, false),
                   array_framing(stream));
}

static bool begins(const char *type, size_t len, const char *word)
{
    struct uns_slice wanted = uns_slice_of(word);

    return len >= wanted.len &&
           uns_same_fold((struct uns_slice){type, wanted.len}, wanted);
}

void uns_stream_type(struct uns_stream *stream, const char *type, size_t len)
{
    static const char *const line_types[] = {
        "application/x-ndjson",    "application/ndjson",
        "application/jsonl",       "application/x-jsonlines",
        "application/stream+json",
    };
    bool lines = false;

    for (size_t i = 0; i < sizeof line_types / sizeof *line_types; i++) {
        lines |= begins(type, len, line_types[i]);
    }
    uns_frame_init(&stream->frame, begins(type, len, "text/event-stream"),
                   object_framing(stream, lines), array_framing(stream));
}

/* The framing is known by now, and with it which paths count. */
static void make_ready(struct uns_stream *stream)
{
    bool document = stream->frame.framing == UNS_FRAMING_DOCUMENT;

    uns_trie_init(&stream->trie, stream->wire->paths, stream->wire->path_count,
                  document);
    uns_scan_init(&stream->scan, &stream->trie, stream->sink);
    stream->ready = true;
}

/* The pending event is over. */
static unsigned finish_event(struct uns_stream *stream)
{
    unsigned news = uns_verdict(stream);

    stream->pending = false;
    uns_scan_reset(&stream->scan);
    uns_frame_break(&stream->frame);
    return news;
}

static unsigned begin_line(struct uns_stream *stream)
{
    unsigned news = 0;

    if (!stream->ready) {
        make_ready(stream);
    }
    if (stream->pending && uns_scan_broken(&stream->scan, true)) {
        if (stream->frame.bare) {
            uns_scan_reset(&stream->scan);
            uns_frame_abandon(&stream->frame);
            stream->pending = false;
            return 0;
        }
        news = finish_event(stream);
        stream->frame.has_data = true;
    }
    if (!stream->pending) {
        stream->offset = stream->bytes - stream->frame.spaced;
        stream->repeat.len = 0;
        stream->repeat.lined = false;
        stream->repeat.only = false;
    }
    stream->pending = true;
    return news;
}

/* Unframed JSON is none.  Of a stream only that line is lost; in an array
 * nobody can tell where the next document begins. */
static void give_up(struct uns_frame *frame)
{
    if (frame->bare) {
        uns_frame_close(frame);
    } else {
        uns_frame_stop(frame);
    }
}

/* JSON without lines: its own end is the event's. */
static unsigned unframed(struct uns_stream *stream, struct uns_slice *input,
                         struct uns_slice data)
{
    size_t used = uns_scan_feed(&stream->scan, data.data, data.len);

    if (uns_scan_complete(&stream->scan)) {
        unsigned news = finish_event(stream);
        uns_frame_close(&stream->frame);
        *input =
            (struct uns_slice){data.data + used, data.len - used + input->len};
        return news;
    }
    if (uns_scan_broken(&stream->scan, false)) {
        stream->pending = false;
        uns_scan_reset(&stream->scan);
        give_up(&stream->frame);
    }
    return 0;
}

static unsigned framed(struct uns_stream *stream, struct uns_slice data)
{
    struct uns_repeat *repeat = &stream->repeat;
    unsigned news = 0;

    repeat->only = !repeat->lined;
    repeat->lined = true;
    for (;;) {
        size_t used = uns_scan_feed(&stream->scan, data.data, data.len);
        if (used == data.len) {
            return news;
        }
        news |= finish_event(stream);
        stream->pending = true;
        stream->frame.has_data = true;
        repeat->only = false;
        data = (struct uns_slice){data.data + used, data.len - used};
    }
}

static void note_comment(struct uns_stream *stream)
{
    static const char type[] = "comment";
    const struct uns_event event = {
        .offset = stream->bytes,
        .keepalive = true,
        .type = {type, sizeof type - 1},
    };

    stream->keepalives++;
    if (stream->sink != NULL && stream->sink->event != NULL) {
        stream->sink->event(stream->sink->ctx, &event);
    }
}

static unsigned take(struct uns_stream *stream, enum uns_token token,
                     struct uns_slice *input, struct uns_slice data)
{
    switch (token) {
    case UNS_TOKEN_LINE:
        return begin_line(stream);
    case UNS_TOKEN_DATA:
        return stream->frame.bare ||
                       stream->frame.framing == UNS_FRAMING_ARRAY ||
                       stream->frame.framing == UNS_FRAMING_DOCUMENT
                   ? unframed(stream, input, data)
                   : framed(stream, data);
    case UNS_TOKEN_EVENT:
        return stream->pending ? finish_event(stream) : 0;
    case UNS_TOKEN_COMMENT:
        note_comment(stream);
        stream->block = UNS_BLOCK_ODD;
        return 0;
    case UNS_TOKEN_AGAIN:
        return uns_scan_complete(&stream->scan) ? finish_event(stream) : 0;
    default:
        return 0;
    }
}

unsigned uns_stream_feed(struct uns_stream *stream, const char *bytes,
                         size_t len)
{
    struct uns_slice input = {bytes, len};
    struct uns_slice data = {bytes, 0};
    uint64_t end = stream->bytes + len;
    unsigned news = 0;

    while (input.len != 0) {
        size_t known = uns_repeat_find(stream, input);
        if (known != 0) {
            news |= uns_repeat_use(stream, input.data, known);
            input.data += known;
            input.len -= known;
            continue;
        }
        enum uns_token token = uns_frame_next(&stream->frame, &input, &data);
        stream->bytes = end - input.len;
        news |= take(stream, token, &input, data);
        if (token == UNS_TOKEN_EVENT) {
            uns_frame_settle(&stream->frame, &input);
            stream->bytes = end - input.len;
            uns_repeat_take(stream, bytes, input.data);
            stream->block = stream->bytes;
        }
    }
    stream->bytes = end;
    return news;
}

unsigned uns_stream_end(struct uns_stream *stream)
{
    unsigned news = 0;
    bool open = stream->pending && !uns_scan_empty(&stream->scan) &&
                !uns_scan_broken(&stream->scan, false);

    if (open && uns_scan_complete(&stream->scan)) {
        news = finish_event(stream);
        open = false;
    }
    stream->pending = false;
    if (!open && stream->events == 0 && stream->keepalives == 0) {
        return news;
    }
    return news | uns_verdict_end(stream);
}
