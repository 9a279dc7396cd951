/* SPDX-License-Identifier: MIT */

/*
 * The shortest way through a stream.  An event whose bytes are those of the
 * last one, but for the text of its payload, means what that one meant: one
 * more chunk of the same kind.  So framing, scanner and verdict are left out
 * where these hold:
 *
 *   prefix | head        | text      | tail              | LF LF
 *   data:  | {..."text":" | any, not "" | "...}, says nothing |
 *
 * Head and tail are those of the scanner's memo; only the prefix is kept here,
 * with the memo's serial number.  Anything else takes the long way, which is
 * also the definition of what this must come to.
 */

#include "repeat.h"

#include "bytes.h"

/* The end of the text that begins at `p`, its quote.  NULL: it is not in the
 * input, or not plain. */
static const char *text_end(const char *p, const char *end)
{
    const char *quote = uns_bytes_find2(p, end, '"', '\\');

    if (quote == end || *quote != '"' ||
        uns_bytes_find2(p, quote, '\n', '\r') != quote) {
        return NULL;
    }
    return quote;
}

/* The rest of the event, from the text's quote on.  NULL: another one. */
static const char *after_tail(const struct uns_memo *memo, const char *p,
                              const char *end)
{
    size_t len = memo->tail_len;

    if ((size_t)(end - p) < len + 3 || memcmp(p + 1, memo->tail, len) != 0 ||
        p[len + 1] != '\n' || p[len + 2] != '\n') {
        return NULL;
    }
    return p + len + 3;
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
        .type = {stream->scan.slot[UNS_SLOT_TYPE],
                 stream->scan.memo.slot_len[UNS_SLOT_TYPE]},
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
    const struct uns_repeat *repeat = &stream->repeat;
    const struct uns_memo *memo = &stream->scan.memo;
    const char *end = input->data + input->len;
    size_t fixed = (size_t)repeat->prefix_len + memo->head_len;

    if (repeat->prefix_len == 0 || repeat->serial != memo->serial ||
        input->len <= fixed ||
        memcmp(input->data, repeat->prefix, repeat->prefix_len) != 0 ||
        memcmp(input->data + repeat->prefix_len, memo->head, memo->head_len) !=
            0 ||
        !uns_frame_idle(&stream->frame)) {
        return 0;
    }
    const char *text = input->data + fixed;
    const char *quote = text_end(text, end);
    if (quote == NULL || quote == text) {
        return 0;
    }
    const char *rest = after_tail(memo, quote, end);
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
        tell(stream, (struct uns_slice){text, (size_t)(quote - text)}, news);
    }
    stream->block = stream->bytes;
    *input = (struct uns_slice){rest, (size_t)(end - rest)};
    return news;
}

void uns_repeat_take(struct uns_stream *stream, const char *piece,
                     const char *rest)
{
    struct uns_repeat *repeat = &stream->repeat;
    const struct uns_memo *memo = &stream->scan.memo;
    uint64_t len = stream->bytes - stream->block;

    repeat->prefix_len = 0;
    if (!repeat->whole || stream->block == UNS_BLOCK_ODD ||
        len > (uint64_t)(rest - piece) || len < repeat->data_len + 3U ||
        rest[-1] != '\n' || rest[-2] != '\n') {
        return;
    }
    uint64_t prefix = len - repeat->data_len - 2;
    if (prefix > sizeof repeat->prefix || repeat->data_len < memo->head_len ||
        memcmp(rest - len + prefix, memo->head, memo->head_len) != 0) {
        return;
    }
    memcpy(repeat->prefix, rest - len, (size_t)prefix);
    repeat->prefix_len = (uint8_t)prefix;
    repeat->colon = (uint8_t)(stream->offset - stream->block);
    repeat->serial = memo->serial;
}
