/* SPDX-License-Identifier: MIT */
/*
 * request_model - the body with another model in it.  The bytes before and
 * after the model are the application's own, one for one.
 */
#include "request.h"
#include "walk.h"

#include <string.h>

/* `c` inside a JSON string: how many bytes of `out` it takes. */
static size_t escape(char c, char out[6])
{
    static const char hex[] = "0123456789abcdef";
    unsigned char byte = (unsigned char)c;

    if (c == '"' || c == '\\') {
        out[0] = '\\';
        out[1] = c;
        return 2;
    }
    if (byte >= ' ') {
        out[0] = c;
        return 1;
    }
    memcpy(out, "\\u00", 4);
    out[4] = hex[byte >> 4];
    out[5] = hex[byte & 15];
    return 6;
}

static bool is_replaced(const struct uns_request *request, const char *model)
{
    return model != NULL && request->json && request->model_at != SIZE_MAX;
}

size_t uns_request_size(const struct uns_request *request, size_t len,
                        const char *model)
{
    char piece[6];

    if (!is_replaced(request, model))
        return len;
    len -= request->model.len;
    for (; *model != '\0'; model++)
        len += escape(*model, piece);
    return len;
}

void uns_request_write(const struct uns_request *request, const char *body,
                       size_t len, const char *model, char *out)
{
    size_t done = 0;

    if (is_replaced(request, model)) {
        memcpy(out, body, request->model_at);
        out += request->model_at;
        for (; *model != '\0'; model++) {
            char piece[6];
            size_t size = escape(*model, piece);

            memcpy(out, piece, size);
            out += size;
        }
        done = request->model_at + request->model.len;
    }
    if (len > done)
        memcpy(out, body + done, len - done);
}

void uns_request_model(const struct uns_request *request, char *out,
                       size_t size)
{
    struct uns_slice raw = request->model;

    if (request->model_at != SIZE_MAX && uns_walk_decode(raw, out, size))
        return;
    if (raw.len >= size)
        raw.len = size - 1;
    if (raw.len > 0)
        memcpy(out, raw.data, raw.len);
    out[raw.len] = '\0';
}
