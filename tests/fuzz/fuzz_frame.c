/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a body, cut where the first bytes say: the tokens are those of
 * the whole, all data lies within the piece, and every token moves on.
 */
#include "core/frame.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

/* A digest of the tokens that does not know where data was cut. */
struct digest {
    uint64_t hash;
    size_t data;
};

static void mix(struct digest *digest, uint64_t value)
{
    digest->hash = (digest->hash ^ value) * 1099511628211U;
}

static void on_token(struct uns_frame *frame, struct digest *digest,
                     enum uns_token token, const struct uns_slice *data)
{
    if (token == UNS_TOKEN_DATA) {
        for (size_t i = 0; i < data->len; i++)
            mix(digest, (unsigned char)data->data[i]);
        digest->data += data->len;
    } else if (token != UNS_TOKEN_MORE) {
        mix(digest, 1000 + token);
    }
    if (token == UNS_TOKEN_EVENT) {
        for (size_t i = 0; i < frame->name_len; i++)
            mix(digest, 2000U + (unsigned char)frame->name[i]);
        uns_frame_break(frame);
    }
}

/* From memory of exactly that size. */
static void feed(struct uns_frame *frame, struct digest *digest,
                 const uint8_t *bytes, size_t len)
{
    char *copy = malloc(len ? len : 1);
    struct uns_slice input = {copy, len}, data = {copy, 0};

    if (copy == NULL)
        abort();
    memcpy(copy, bytes, len);
    while (input.len != 0) {
        const char *at = input.data;
        enum uns_token token = uns_frame_next(frame, &input, &data);

        check(input.data >= at && input.data + input.len == copy + len);
        if (token == UNS_TOKEN_DATA)
            check(data.data >= at && data.data + data.len <= input.data);
        on_token(frame, digest, token, &data);
    }
    free(copy);
}

static void begin(struct uns_frame *frame, struct digest *digest, uint8_t how)
{
    static const enum uns_framing framings[] = {
        UNS_FRAMING_DOCUMENT, UNS_FRAMING_NDJSON, UNS_FRAMING_SSE,
        UNS_FRAMING_ARRAY};

    *digest = (struct digest){14695981039346656037U, 0};
    uns_frame_init(frame, how & 1, framings[how >> 1 & 3],
                   framings[how >> 3 & 3]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct uns_frame frame;
    struct digest whole, cut;

    if (size < 2)
        return 0;
    const uint8_t *body = data + 2;
    size_t len = size - 2;
    begin(&frame, &whole, data[0]);
    feed(&frame, &whole, body, len);
    check(whole.data <= len);

    begin(&frame, &cut, data[0]);
    size_t step = 1 + data[1] % 16;
    for (size_t at = 0; at < len; at += step)
        feed(&frame, &cut, body + at, len - at < step ? len - at : step);
    check(cut.hash == whole.hash && cut.data == whole.data);
    return 0;
}
