/* SPDX-License-Identifier: MIT */
/*
 * request_model - the body with another model in it.  The bytes before and
 * after the model are the application's own, one for one.
 */
#include "request.h"

#include "ascii.h"
#include "chars.h"
#include "walk.h"

#include <string.h>

static bool is_replaced(const struct uns_request *request, const char *model)
{
    return model != NULL && request->json && request->model_at != SIZE_MAX;
}

size_t uns_request_size(const struct uns_request *request, size_t len,
                        const char *model)
{
    if (!is_replaced(request, model))
        return len;
    return len - request->model.len +
           uns_chars_escape_all(uns_slice_of(model), NULL);
}

void uns_request_write(const struct uns_request *request, const char *body,
                       size_t len, const char *model, char *out)
{
    size_t done = 0;

    if (is_replaced(request, model)) {
        memcpy(out, body, request->model_at);
        out += request->model_at;
        out += uns_chars_escape_all(uns_slice_of(model), out);
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
