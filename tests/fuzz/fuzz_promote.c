/* SPDX-License-Identifier: MIT */
/*
 * Any body, in any pieces: no byte out of bounds, no more memory than the
 * limit allows, the same verdict and the same bytes whatever the pieces, and
 * what comes out is JSON.  The first bytes are a request, too: with a word put
 * in, it is still one.
 */
#include "core/promote.h"
#include "core/promote_request.h"
#include "core/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT ((size_t)1 << 13)

static size_t held, most;

/* Each block has its size in front. */
static void *resize(void *ctx, void *old, size_t size)
{
    size_t *block = old ? (size_t *)old - 2 : NULL;

    (void)ctx;
    held -= block ? *block : 0;
    block = realloc(block, size + 2 * sizeof *block);
    if (!block)
        abort();
    *block = size;
    held += size;
    most = held > most ? held : most;
    return block + 2;
}

static void release(void *ctx, void *old)
{
    size_t *block = (size_t *)old - 2;

    (void)ctx;
    held -= *block;
    free(block);
}

static const struct uns_heap heap = {NULL, resize, release};

static void must(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static bool is_json(const char *text, size_t len)
{
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, text, len, false);
    while (uns_walk_next(&walk, &value)) {
    }
    return walk.ok;
}

struct body {
    enum uns_dialect dialect;
    const char *bytes;
    size_t len;
};

static enum uns_err rebuild(const struct body *body, size_t step,
                            struct uns_run *ret_text)
{
    struct uns_promote promote;
    enum uns_err err;

    uns_promote_init(&promote, body->dialect, &heap, LIMIT);
    for (size_t at = 0; at < body->len; at += step) {
        size_t len = step < body->len - at ? step : body->len - at;
        char *piece = malloc(len);

        if (!piece)
            abort();
        memcpy(piece, body->bytes + at, len);
        (void)uns_promote_feed(&promote, piece, len);
        free(piece);
    }
    err = uns_promote_end(&promote, ret_text);
    must(err != UNS_OK || is_json(ret_text->data, ret_text->len), "no JSON");
    uns_promote_done(&promote);
    return err;
}

static void check_body(const struct body *body, size_t step)
{
    struct uns_run whole = {0}, pieces = {0};
    enum uns_err err;

    most = 0;
    err = rebuild(body, body->len + 1, &whole);
    must(err == rebuild(body, step, &pieces), "a verdict by its pieces");
    must(err != UNS_OK || (whole.len == pieces.len &&
                           !memcmp(whole.data, pieces.data, whole.len)),
         "bytes by their pieces");
    /* Runs double, and the smallest are larger than what is in them. */
    must(most <= 12 * LIMIT, "too much memory");
    uns_run_free(&whole, &heap);
    uns_run_free(&pieces, &heap);
    must(held == 0, "memory that was not given back");
}

static void check_request(const struct body *body)
{
    struct uns_url url = {0};
    struct uns_request request;
    struct uns_promote_plan plan;
    size_t size;
    char *out;

    uns_request_read(&request, body->dialect, &url, body->bytes, body->len);
    if (!uns_promote_plan(&plan, &request,
                          (struct uns_slice){body->bytes, body->len}))
        return;
    size = uns_promote_size(&plan);
    out = malloc(size + 1);
    if (!out)
        abort();
    uns_promote_write(&plan, out);
    must(is_json(out, size), "a request that is none any more");
    free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* dialect, a piece's length; the body. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct body body;

    if (size < 2)
        return 0;
    body.dialect = (enum uns_dialect)(1 + data[0] % 6);
    body.bytes = (const char *)data + 2;
    body.len = size - 2;
    check_body(&body, 1 + data[1] % 64u);
    check_request(&body);
    return 0;
}
