/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a body of any dialect, in any pieces: the same events with the
 * same text, and what the counters and the news say agrees with them.
 */
#include "core/stream.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

struct run {
    struct uns_stream stream;
    uint64_t hash;          /* of the events and their text */
    uint64_t text;          /* of the text since the last event */
    uint64_t content, news; /* as the events say */
    unsigned all;           /* as the calls say */
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 1099511628211U;
}

static void on_text(void *ctx, const char *bytes, size_t len)
{
    struct run *run = ctx;

    for (size_t i = 0; i < len; i++)
        run->text = mix(run->text, (unsigned char)bytes[i]);
}

static void on_kind(void *ctx, enum uns_kind kind)
{
    struct run *run = ctx;

    check(kind <= UNS_KIND_COUNT);
    run->text = mix(run->text, 1000U + (unsigned)kind);
}

static void on_event(void *ctx, const struct uns_event *event)
{
    struct run *run = ctx;

    check(event->offset <= run->stream.bytes);
    check((event->news & UNS_NEWS_CONTENT) == 0 || event->kinds != 0 ||
          run->stream.frame.framing == UNS_FRAMING_DOCUMENT);
    run->news |= event->news;
    run->hash = mix(run->hash, event->offset);
    run->hash = mix(run->hash, event->news);
    run->hash = mix(run->hash, event->kinds);
    run->hash = mix(run->hash, event->keepalive + 2U * event->restart);
    if (event->kinds != 0)
        run->hash = mix(run->hash, run->text);
    run->text = 0;
    for (size_t i = 0; i < event->type.len; i++)
        run->hash = mix(run->hash, (unsigned char)event->type.data[i]);
}

static void feed(struct run *run, const uint8_t *bytes, size_t len)
{
    char *copy = malloc(len ? len : 1);
    uint64_t content = run->stream.content;

    if (copy == NULL)
        abort();
    memcpy(copy, bytes, len);
    unsigned news = uns_stream_feed(&run->stream, copy, len);
    free(copy);
    if ((news & UNS_NEWS_CONTENT) != 0)
        check(run->stream.content > content);
    check((news & UNS_NEWS_TRUNCATED) == 0);
    run->all |= news;
}

static void go(struct run *run, const uint8_t *data, size_t size, size_t step)
{
    static const char *const types[] = {
        NULL, "text/event-stream", "application/x-ndjson", "application/json"};
    const char *type = types[data[0] >> 5 & 3];
    const struct uns_sink sink = {run, on_text, on_kind, on_event};

    memset(run, 0, sizeof *run);
    uns_stream_init(&run->stream,
                    (enum uns_dialect)(data[0] % 16 % UNS_DIALECT_COUNT),
                    (data[0] & 0x10) == 0, &sink);
    if (type != NULL)
        uns_stream_type(&run->stream, type, strlen(type));
    for (size_t at = 1; at < size; at += step)
        feed(run, data + at, size - at < step ? size - at : step);
    run->all |= uns_stream_end(&run->stream);
    check(run->stream.bytes == size - 1);
    check((run->all & ~(unsigned)UNS_NEWS_TRUNCATED) == run->news);
    check(((run->all & UNS_NEWS_ERROR) != 0) ==
          (run->stream.phase != 0 && !run->stream.truncated));
    check(memchr(run->stream.error, 0, UNS_WORD_BYTES) != NULL);
    check(memchr(run->stream.finish, 0, UNS_WORD_BYTES) != NULL);
}

static void same(const struct run *a, const struct run *b)
{
    const struct uns_stream *s = &a->stream, *t = &b->stream;

    check(a->hash == b->hash && a->all == b->all);
    check(s->events == t->events && s->content == t->content);
    check(s->structural == t->structural && s->keepalives == t->keepalives);
    check(s->tokens_in == t->tokens_in && s->tokens_out == t->tokens_out);
    check(strcmp(s->error, t->error) == 0 && strcmp(s->model, t->model) == 0);
    check(strcmp(s->finish, t->finish) == 0 && s->phase == t->phase);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct run whole, cut;

    if (size < 2)
        return 0;
    go(&whole, data, size, size);
    go(&cut, data, size, 1);
    same(&whole, &cut);
    go(&cut, data, size, 1 + data[1] % 64);
    same(&whole, &cut);
    return 0;
}
