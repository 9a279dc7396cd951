/* SPDX-License-Identifier: MIT */

/*
 * note - what the application set, as libcurl would have it: strings and
 * bodies are copied at the time of the call, pointers are the application's.
 * When something could not be kept the record says so (app->unknown, a size
 * of UINT32_MAX): a note is never half true.
 */

#include "note.h"

#include "method.h"
#include "options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(void *) == sizeof(curl_off_t) &&
                   sizeof(void *) == sizeof(long),
               "a variadic argument is one 64-bit slot");

/* A larger body is not kept twice in memory, so it is never sent twice. */
#define BODY_LIMIT ((curl_off_t)16 << 20)

static struct uns_opt *opt_of(struct uns_app *app, CURLoption option)
{
    return &app->opt[(unsigned)option % 10000];
}

static bool is_copied(enum uns_opt_kind kind)
{
    return kind == UNS_OPT_STRING || kind == UNS_OPT_BLOB ||
           kind == UNS_OPT_BODY;
}

static void *copy_of(const void *data, size_t len)
{
    void *copy = malloc(len);

    return copy ? memcpy(copy, data, len) : NULL;
}

/* With a NUL behind it: libcurl may take it for a string again. */
static char *copy_text(const char *text, size_t len)
{
    char *copy = malloc(len + 1);

    if (!copy)
        return NULL;
    memcpy(copy, text, len);
    copy[len] = '\0';
    return copy;
}

/* One block: the struct, and behind it the bytes when libcurl copies them. */
static void *copy_blob(const struct curl_blob *blob)
{
    size_t kept = (blob->flags & CURL_BLOB_COPY) ? blob->len : 0;
    struct curl_blob *copy = malloc(sizeof(*copy) + kept);

    if (!copy)
        return NULL;
    *copy = *blob;
    if (kept)
        copy->data = memcpy(copy + 1, blob->data, kept);
    return copy;
}

curl_off_t uns_note_body_size(const struct uns_app *app)
{
    const struct uns_opt *small = uns_app_opt(app, CURLOPT_POSTFIELDSIZE);
    const struct uns_opt *large = uns_app_opt(app, CURLOPT_POSTFIELDSIZE_LARGE);
    const struct uns_opt *last = small->order > large->order ? small : large;

    return last->order ? last->value.o : -1;
}

static void *copy_body(const struct uns_app *app, const char *body,
                       uint32_t *ret_size)
{
    curl_off_t size = uns_note_body_size(app);

    if (size < 0)
        size = (curl_off_t)strlen(body);
    if (size > BODY_LIMIT) {
        *ret_size = UINT32_MAX;
        return NULL;
    }
    *ret_size = (uint32_t)size;
    return copy_text(body, (size_t)size);
}

/* libcurl drops a copied body that a later POSTFIELDSIZE says is longer than
 * what was known of it (which is -1 without a size). */
static void drop_short_body(struct uns_app *app, curl_off_t size)
{
    struct uns_opt *copied = opt_of(app, CURLOPT_COPYPOSTFIELDS);

    if (!copied->value.p || uns_note_body_size(app) >= size ||
        copied->order < uns_app_opt(app, CURLOPT_POSTFIELDS)->order)
        return;
    free(copied->value.p);
    copied->value.p = NULL;
    copied->size = 0;
}

/* The value to keep: itself, or a copy of what it points at. */
static void *kept_value(struct uns_app *app, const struct uns_option *row,
                        void *value, uint32_t *ret_size)
{
    void *copy = value;

    if (!value || !is_copied(row->kind))
        return value;
    if (row->kind == UNS_OPT_STRING)
        copy = copy_of(value, strlen(value) + 1);
    else if (row->kind == UNS_OPT_BLOB)
        copy = copy_blob(value);
    else
        copy = copy_body(app, value, ret_size);
    if (!copy && *ret_size != UINT32_MAX)
        app->unknown = true;
    return copy;
}

/* A HEAD that is taken back is a GET, whatever it was before: libcurl does not
 * remember. */
static void note_get(struct uns_app *app)
{
    struct uns_opt *opt = opt_of(app, CURLOPT_HTTPGET);

    opt->value.l = 1;
    opt->order = ++app->order;
}

void uns_note(struct uns_app *app, CURLoption option, void *value)
{
    const struct uns_option *row = uns_option_find(option);
    int saved_errno = errno;
    struct uns_opt *opt;
    uint32_t size = 0;
    void *old;

    if (!row || app->order == UINT32_MAX) {
        app->unknown = true;
        return;
    }
    if (option == CURLOPT_POSTFIELDSIZE ||
        option == CURLOPT_POSTFIELDSIZE_LARGE)
        drop_short_body(app, (curl_off_t)(intptr_t)value);
    if (option == CURLOPT_NOBODY && !value && uns_method_is_head(app))
        note_get(app);
    opt = opt_of(app, option);
    old = is_copied(row->kind) ? opt->value.p : NULL;
    opt->value.p = kept_value(app, row, value, &size);
    opt->size = size;
    opt->order = ++app->order;
    free(old);
    errno = saved_errno;
}

void uns_note_clear(struct uns_app *app)
{
    for (unsigned slot = 0; slot < UNS_OPT_SLOTS; slot++)
        if (is_copied(uns_options[slot].kind))
            free(app->opt[slot].value.p);
    memset(app->opt, 0, sizeof(app->opt));
    app->order = 0;
    app->unknown = false;
}

struct uns_app *uns_app_new(CURL *easy, const struct uns_real *real)
{
    struct uns_app *app = calloc(1, sizeof(*app));

    if (app) {
        app->easy = easy;
        app->real = real;
    }
    return app;
}

/* Make the copied pointer of one slot a copy of its own. */
static bool deepen(struct uns_opt *opt, enum uns_opt_kind kind)
{
    if (!opt->value.p || !is_copied(kind))
        return true;
    if (kind == UNS_OPT_STRING)
        opt->value.p = copy_of(opt->value.p, strlen(opt->value.p) + 1);
    else if (kind == UNS_OPT_BLOB)
        opt->value.p = copy_blob(opt->value.p);
    else
        opt->value.p = copy_text(opt->value.p, opt->size);
    return opt->value.p;
}

struct uns_app *uns_app_dup(const struct uns_app *app, CURL *easy)
{
    struct uns_app *dup = copy_of(app, sizeof(*app));

    if (!dup)
        return NULL;
    dup->easy = easy;
    dup->call = NULL;
    dup->inbox = NULL;
    dup->busy = false;
    dup->lent = 0;
    dup->inside = false;
    for (unsigned slot = 0; slot < UNS_OPT_SLOTS; slot++)
        if (!deepen(&dup->opt[slot], uns_options[slot].kind))
            dup->unknown = true;
    return dup;
}

void uns_app_free(struct uns_app *app)
{
    if (!app)
        return;
    uns_note_clear(app);
    free(app);
}
