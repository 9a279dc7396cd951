/* SPDX-License-Identifier: MIT */

/*
 * restore - puts the application's own callbacks back on a handle, or
 * libcurl's defaults where it never set any.  None of these changes what
 * another one is, so their order does not matter; a body's does.
 */

#include "note.h"

#include <stdio.h>

typedef CURLcode set_fn(CURL *easy, CURLoption option, ...);

static const CURLoption replaced[] = {
#define OPTION(name, kind, heir)
#define NEWER(number, kind, heir)
#define SWAPPED(name, kind, heir) CURLOPT_##name,
#include "options.def"
};

/* What libcurl has before anybody sets the option; callbacks: NULL. */
static void *default_of(CURLoption option)
{
    if (option == CURLOPT_WRITEDATA)
        return stdout;
    if (option == CURLOPT_READDATA)
        return stdin;
    return NULL;
}

/* libcurl copies as many bytes as the size says at that moment (a string, when
 * it says -1), and drops a copy that a later size says is longer. */
static void restore_copy(set_fn *set, CURL *easy, const struct uns_opt *copied,
                         curl_off_t size)
{
    curl_off_t kept = size < 0 ? size : (curl_off_t)copied->size;

    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, kept);
    if (set(easy, CURLOPT_COPYPOSTFIELDS, copied->value.p) != CURLE_OK)
        set(easy, CURLOPT_POSTFIELDS, copied->value.p); /* ours lives on */
    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, size);
}

static void restore_body(const struct uns_app *app, CURL *easy)
{
    const struct uns_opt *fields = uns_app_opt(app, CURLOPT_POSTFIELDS);
    const struct uns_opt *copied = uns_app_opt(app, CURLOPT_COPYPOSTFIELDS);
    set_fn *set = app->real->curl_easy_setopt;
    curl_off_t size = uns_note_body_size(app);

    if (copied->order > fields->order && copied->value.p) {
        restore_copy(set, easy, copied, size);
        return;
    }
    set(easy, CURLOPT_POSTFIELDS, fields->order ? fields->value.p : NULL);
    set(easy, CURLOPT_POSTFIELDSIZE_LARGE, size);
}

static void restore_url(const struct uns_app *app, CURL *easy)
{
    const struct uns_opt *url = uns_app_opt(app, CURLOPT_URL);

    app->real->curl_easy_setopt(easy, CURLOPT_URL,
                                url->order ? url->value.p : NULL);
}

/* In the order in which the application set them: by the later one libcurl
 * knows whether to end a line of its own meter. */
static void restore_progress(const struct uns_app *app, CURL *easy)
{
    const struct uns_opt *newer = uns_app_opt(app, CURLOPT_XFERINFOFUNCTION);
    const struct uns_opt *older = uns_app_opt(app, CURLOPT_PROGRESSFUNCTION);
    const struct uns_opt *quiet = uns_app_opt(app, CURLOPT_NOPROGRESS);
    set_fn *set = app->real->curl_easy_setopt;

    if (older->order && older->order < newer->order)
        set(easy, CURLOPT_PROGRESSFUNCTION, older->value.p);
    set(easy, CURLOPT_XFERINFOFUNCTION, newer->order ? newer->value.p : NULL);
    if (older->order > newer->order)
        set(easy, CURLOPT_PROGRESSFUNCTION, older->value.p);
    set(easy, CURLOPT_NOPROGRESS, quiet->order ? quiet->value.l : 1L);
}

void uns_note_restore(const struct uns_app *app, CURL *easy)
{
    if (app->lent & UNS_LENT_BODY)
        restore_body(app, easy);
    if (app->lent & UNS_LENT_URL)
        restore_url(app, easy);
    if (app->lent & UNS_LENT_PROGRESS)
        restore_progress(app, easy);
    for (size_t i = 0; i < sizeof(replaced) / sizeof(replaced[0]); i++) {
        const struct uns_opt *opt = uns_app_opt(app, replaced[i]);

        app->real->curl_easy_setopt(easy, replaced[i],
                                    opt->order ? opt->value.p
                                               : default_of(replaced[i]));
    }
}
