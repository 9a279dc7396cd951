/* SPDX-License-Identifier: MIT */
/*
 * Bodies and URLs from anybody: "URL NUL model NUL body".  With another model
 * the body is the same but for the model, and says the same when it is read
 * again; the URL at a source never holds a key of the application's.
 */
#include "core/request.h"
#include "core/walk.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

static bool is_utf8_free(const char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text >= 0x80)
            return false;
    return true;
}

static void check_replaced(const struct uns_request *request,
                           const struct uns_url *url, const char *body,
                           size_t len, const char *model)
{
    size_t size = uns_request_size(request, len, model);
    char *out = malloc(size + (size == 0));
    char decoded[300];
    struct uns_request again;
    size_t tail;

    if (out == NULL)
        return;
    uns_request_write(request, body, len, model, out);
    if (request->model_at == SIZE_MAX) {
        check(size == len && memcmp(out, body, len) == 0);
    } else {
        tail = len - request->model_at - request->model.len;
        check(memcmp(out, body, request->model_at) == 0);
        check(memcmp(out + size - tail, body + len - tail, tail) == 0);
        uns_request_read(&again, request->dialect, url, out, size);
        check(again.json && again.streams == request->streams);
        check(again.bound == request->bound);
        check(again.secret == request->secret);
        if (strlen(model) < sizeof decoded && is_utf8_free(model)) {
            check(uns_walk_decode(again.model, decoded, sizeof decoded));
            check(strcmp(decoded, model) == 0);
        }
    }
    free(out);
}

static void check_url(const struct uns_request *request,
                      const struct uns_url *url, const char *model)
{
    char out[256];
    struct uns_url moved;

    if (uns_request_url(request, url, "https://b.example/v1", model,
                        (struct uns_room){out, sizeof out}) != UNS_OK)
        return;
    check(strstr(out, "?key=") == NULL && strstr(out, "&key=") == NULL);
    check(strstr(out, ";key=") == NULL);
    check(uns_url_split(out, strlen(out), &moved));
    check(moved.host.len == strlen("b.example"));
}

static void run(const char *text, const char *model, const char *body,
                size_t len)
{
    struct uns_request request;
    struct uns_url url;

    if (!uns_url_split(text, strlen(text), &url))
        return;
    uns_request_read(&request, uns_detect(&url, NULL), &url, body, len);
    check(request.json || request.bound);
    check_replaced(&request, &url, body, len, model);
    check_url(&request, &url, model);
    check_url(&request, &url, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = malloc(size + 1);
    const char *model;
    const char *body;

    if (copy == NULL)
        return 0;
    memcpy(copy, data, size);
    copy[size] = '\0';
    model = memchr(copy, '\0', size);
    body = model ? memchr(model + 1, '\0', size - (size_t)(model + 1 - copy))
                 : NULL;
    if (body != NULL)
        run(copy, model + 1, body + 1, size - (size_t)(body + 1 - copy));
    free(copy);
    return 0;
}
