/* SPDX-License-Identifier: MIT */
#include "body.h"

#include "notes.h"

#include "shim/method.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static curl_off_t either(const struct uns_app *app, CURLoption plain,
                         CURLoption large)
{
    if (uns_notes_later(app, plain, large) == large)
        return uns_app_opt(app, large)->value.o;
    return (curl_off_t)uns_notes_long(app, plain, -1);
}

/* Bytes that libcurl holds, or borrows from the application. */
static bool take_fields(struct uns_body *body)
{
    const struct uns_app *app = body->app;
    CURLoption id =
        uns_notes_later(app, CURLOPT_POSTFIELDS, CURLOPT_COPYPOSTFIELDS);
    const struct uns_opt *opt = uns_app_opt(app, id);

    if (!opt->order || !opt->value.p) {
        body->lost = opt->order && opt->size == UINT32_MAX;
        return body->lost;
    }
    body->data = opt->value.p;
    body->complete = true;
    if (id == CURLOPT_COPYPOSTFIELDS)
        body->len = body->size >= 0 && body->size < (curl_off_t)opt->size
                        ? (size_t)body->size
                        : opt->size;
    else if (body->size >= 0)
        body->len = (size_t)body->size;
    else
        body->len = strlen(body->data);
    return true;
}

void uns_body_init(struct uns_body *body, const struct uns_app *app)
{
    enum uns_method method = uns_method_of(app);
    bool upload = method == UNS_METHOD_UPLOAD;

    *body = (struct uns_body){.app = app};
    body->post = upload || method == UNS_METHOD_FIELDS;
    body->lost = !body->post;
    body->size =
        upload
            ? either(app, CURLOPT_INFILESIZE, CURLOPT_INFILESIZE_LARGE)
            : either(app, CURLOPT_POSTFIELDSIZE, CURLOPT_POSTFIELDSIZE_LARGE);
    if (body->post)
        body->reads = upload || !take_fields(body);
}

void uns_body_done(struct uns_body *body)
{
    if (!body)
        return;
    free(body->own);
    body->own = NULL;
    body->data = NULL;
}

static void forget(struct uns_body *body)
{
    body->lost = true;
    uns_body_done(body);
}

bool uns_body_own(struct uns_body *body)
{
    if (!body->data || body->own)
        return false;
    body->own = malloc(body->len + 1);
    if (body->own)
        body->data = memcpy(body->own, body->data, body->len);
    else
        forget(body);
    return true;
}

static void record(struct uns_body *body, const char *bytes, size_t len)
{
    size_t want = body->len + len;

    if (body->lost)
        return;
    if (want > UNS_BODY_MAX_BYTES ||
        (body->size >= 0 && want > (size_t)body->size)) {
        forget(body); /* or rewound behind our back: not what was sent */
        return;
    }
    if (want > body->cap) {
        size_t cap = want < 4096 ? 8192 : want * 2;
        char *own = realloc(body->own, cap);

        if (!own) {
            forget(body);
            return;
        }
        body->own = own;
        body->cap = cap;
    }
    memcpy(body->own + body->len, bytes, len);
    body->data = body->own;
    body->len = want;
}

static FILE *file_of(const struct uns_body *body)
{
    return uns_notes_pointer(body->app, CURLOPT_READDATA, stdin);
}

bool uns_body_is_file(const struct uns_body *body)
{
    curl_read_callback read =
        (curl_read_callback)uns_notes_function(body->app, CURLOPT_READFUNCTION);
    int before = errno;
    bool rewinds = (!read || read == (curl_read_callback)fread) &&
                   file_of(body) && ftello(file_of(body)) >= 0;

    errno = before;
    return rewinds;
}

size_t uns_body_on_read(char *out, size_t size, size_t count, void *arg)
{
    struct uns_body *body = arg;
    curl_read_callback read =
        (curl_read_callback)uns_notes_function(body->app, CURLOPT_READFUNCTION);
    void *data = file_of(body);
    size_t got =
        read ? read(out, size, count, data) : fread(out, size, count, data);

    if (got > size * count)
        return got; /* abort, pause, or nonsense for libcurl to refuse */
    record(body, out, got);
    if (got == 0 || (body->size >= 0 && body->len >= (size_t)body->size))
        body->complete = true;
    return got;
}

/* What was read from there on is read again. */
static void rewind_to(struct uns_body *body, size_t at)
{
    if (body->lost)
        return;
    body->len = at;
    body->complete = false;
}

/* All that libcurl does with a file that it reads by itself. */
static int seek_file(const struct uns_body *body, curl_off_t offset, int origin)
{
    return offset == 0 && origin == SEEK_SET && uns_body_is_file(body) &&
                   fseek(file_of(body), 0, SEEK_SET) == 0
               ? CURL_SEEKFUNC_OK
               : CURL_SEEKFUNC_CANTSEEK;
}

int uns_body_on_seek(void *arg, curl_off_t offset, int origin)
{
    struct uns_body *body = arg;
    curl_seek_callback seek =
        (curl_seek_callback)uns_notes_function(body->app, CURLOPT_SEEKFUNCTION);
    int result =
        seek ? seek(uns_notes_pointer(body->app, CURLOPT_SEEKDATA, NULL),
                    offset, origin)
             : seek_file(body, offset, origin);

    if (result != CURL_SEEKFUNC_OK || body->lost)
        return result;
    if (origin != SEEK_SET || offset < 0 || (size_t)offset > body->len)
        forget(body);
    else
        rewind_to(body, (size_t)offset);
    return result;
}

curlioerr uns_body_on_ioctl(CURL *easy, int command, void *arg)
{
    struct uns_body *body = arg;
    curl_ioctl_callback ioctl = (curl_ioctl_callback)uns_notes_function(
        body->app, CURLOPT_IOCTLFUNCTION);
    curlioerr result =
        ioctl ? ioctl(easy, command,
                      uns_notes_pointer(body->app, CURLOPT_IOCTLDATA, NULL))
              : CURLIOE_UNKNOWNCMD;

    if (result == CURLIOE_OK && command == CURLIOCMD_RESTARTREAD)
        rewind_to(body, 0);
    return result;
}
