/* SPDX-License-Identifier: MIT */
/*
 * Any stream, in any pieces: what is remembered of it is what reading each of
 * its frames, one by one, would have told.
 */
#include "core/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *resize(void *ctx, void *old, size_t size)
{
    (void)ctx;
    return realloc(old, size);
}

static void release(void *ctx, void *old)
{
    (void)ctx;
    free(old);
}

static const struct uns_heap heap = {NULL, resize, release};

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void same(struct uns_slice a, struct uns_slice b, const char *what)
{
    must(a.len == b.len && (a.len == 0 || !memcmp(a.data, b.data, a.len)),
         what);
}

/* From memory of its own, which ends where the piece ends. */
static size_t hear(struct uns_told *told, struct uns_slice bytes)
{
    char *copy = malloc(bytes.len ? bytes.len : 1);
    size_t good;

    if (!copy)
        abort();
    memcpy(copy, bytes.data, bytes.len);
    good = uns_told_hear(told, copy, bytes.len);
    free(copy);
    return good;
}

static void hear_in_pieces(struct uns_told *told, struct uns_slice stream,
                           size_t step)
{
    for (size_t at = 0; at < stream.len; at += step)
        (void)hear(told, (struct uns_slice){
                             stream.data + at,
                             step < stream.len - at ? step : stream.len - at});
}

/* None of them is taken for a repetition of the last one. */
static void hear_frame_by_frame(struct uns_told *told, struct uns_slice stream)
{
    struct uns_cut cut = {0};

    while (stream.len) {
        size_t len = uns_cut_next(&cut, stream);

        len = len ? len : stream.len;
        uns_told_pattern_leave(&told->pattern);
        (void)hear(told, (struct uns_slice){stream.data, len});
        stream.data += len;
        stream.len -= len;
    }
}

static void compare_texts(const struct uns_told *a, const struct uns_told *b)
{
    must(a->strands == b->strands, "texts");
    for (unsigned i = 0; i < a->strands; i++) {
        must(a->strand[i].key == b->strand[i].key, "another text");
        same(uns_run_slice(&a->strand[i].text),
             uns_run_slice(&b->strand[i].text), "what a text says");
    }
    must(a->answering == b->answering, "whether it was the answer");
    must(a->block == b->block, "where the answer was");
}

static void compare(const struct uns_told *a, const struct uns_told *b)
{
    compare_texts(a, b);
    must(a->words == b->words && a->marks == b->marks, "words, marks");
    same(uns_run_slice(&a->bytes), uns_run_slice(&b->bytes), "words");
    must(a->serial == b->serial, "the serial number");
    must(a->proven == b->proven, "whether it is more than text");
    must(a->used == b->used, "memory");
    must(a->match == b->match, "how the tail is completed");
    same(uns_run_slice(&a->tail), uns_run_slice(&b->tail), "the tail");
    same(uns_run_slice(&a->pattern.bytes), uns_run_slice(&b->pattern.bytes),
         "the pattern");
    must(a->pattern.at == b->pattern.at && a->pattern.end == b->pattern.end,
         "the pattern's text");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* dialect, a piece's length; the stream, twice. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct uns_told fast, slow;
    const char *why_fast, *why_slow;
    enum uns_dialect dialect;
    char *stream;
    size_t len;

    if (size < 3)
        return 0;
    dialect = (enum uns_dialect)(1 + data[0] % 6);
    len = size - 2;
    stream = malloc(2 * len);
    if (!stream)
        abort();
    memcpy(stream, data + 2, len);
    memcpy(stream + len, data + 2, len);
    uns_told_init(&fast, dialect, &heap, SIZE_MAX);
    uns_told_init(&slow, dialect, &heap, SIZE_MAX);
    hear_in_pieces(&fast, (struct uns_slice){stream, 2 * len}, 1U + data[1]);
    hear_frame_by_frame(&slow, (struct uns_slice){stream, 2 * len});
    why_fast = uns_told_ready(&fast);
    why_slow = uns_told_ready(&slow);
    /* Of an error it depends on the pieces what has gone out. */
    if (!fast.error && !slow.error)
        must(!why_fast == !why_slow, "ready");
    if (!fast.error && !slow.error && !why_fast)
        compare(&fast, &slow);
    uns_told_done(&fast);
    uns_told_done(&slow);
    free(stream);
    return 0;
}
