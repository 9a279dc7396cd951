/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_PROMOTE_PLAY_H
#define UNS_TESTS_PROMOTE_PLAY_H

/* promote_play - a stream put together, from pieces of any size that end
 * where the memory ends, in memory that may fail and is counted. */

#include "core/promote.h"
#include "guard.h"

#include <stdio.h>
#include <stdlib.h>

#define PLAY_LIMIT ((size_t)1 << 20)

/* Blocks that are there; how many may still be got, -1: any number. */
static int play_live, play_left = -1;

static void *play_resize(void *ctx, void *old, size_t size)
{
    (void)ctx;
    if (play_left == 0)
        return NULL;
    play_left -= play_left > 0;
    play_live += old == NULL;
    return realloc(old, size);
}

static void play_release(void *ctx, void *old)
{
    (void)ctx;
    play_live--;
    free(old);
}

static const struct uns_heap play_heap = {NULL, play_resize, play_release};

struct play_body {
    enum uns_dialect dialect;
    const char *bytes;
    size_t len;
    size_t first, step; /* the first piece; all others.  0: one piece */
    size_t limit;       /* 0: plenty */
};

/* What came of it; the text is to be freed, and NULL if there was an error. */
struct play_result {
    enum uns_err err;
    char *text;
};

static void play_feed(struct uns_promote *promote, const char *bytes,
                      size_t len)
{
    struct uns_slice piece = len <= GUARD_ROOM ? guard_copy(bytes, len)
                                               : (struct uns_slice){bytes, len};

    (void)uns_promote_feed(promote, piece.data, piece.len);
}

static struct play_result play_rebuild(const struct play_body *body)
{
    struct uns_promote promote;
    struct uns_run out = {0};
    struct play_result result = {0};
    size_t at = body->first < body->len ? body->first : body->len;
    size_t step = body->step ? body->step : body->len + 1;

    uns_promote_init(&promote, body->dialect, &play_heap,
                     body->limit ? body->limit : PLAY_LIMIT);
    play_feed(&promote, body->bytes, at);
    for (; at < body->len; at += step)
        play_feed(&promote, body->bytes + at,
                  step < body->len - at ? step : body->len - at);
    result.err = uns_promote_end(&promote, &out);
    if (result.err == UNS_OK) {
        result.text = strndup(out.data, out.len);
        assert_int_equal(strlen(result.text), out.len);
    }
    uns_run_free(&out, &play_heap);
    uns_promote_done(&promote);
    assert_int_equal(play_live, 0);
    return result;
}

/* ' becomes ", but not the one behind a backslash. */
static inline char *play_quoted(const char *text)
{
    char *copy = strdup(text);

    assert_non_null(copy);
    for (char *c = copy; *c; c++)
        if (*c == '\'')
            *c = '"';
    return copy;
}

#endif
