/* SPDX-License-Identifier: MIT */
#include "rival.h"

#include "clock.h"
#include "headers.h"
#include "names.h"
#include "notes.h"
#include "progress.h"
#include "promotion.h"
#include "resume.h"
#include "root.h"
#include "roster.h"
#include "swap.h"

#include <stdlib.h>
#include <string.h>

#define URL_BYTES 4096

static bool is_self(const struct uns_source *source)
{
    return source->base_url == NULL;
}

static void copy_option(const struct uns_call *call, CURL *easy,
                        const struct uns_option *row)
{
    const struct uns_real *real = call->app->real;
    const struct uns_opt *opt = uns_app_opt(call->app, row->id);

    switch (row->kind) {
    case UNS_OPT_LONG:
        real->curl_easy_setopt(easy, row->id, opt->value.l);
        break;
    case UNS_OPT_OFF_T:
        real->curl_easy_setopt(easy, row->id, opt->value.o);
        break;
    case UNS_OPT_STRING:
    case UNS_OPT_POINTER:
    case UNS_OPT_FUNCTION:
    case UNS_OPT_BLOB:
        real->curl_easy_setopt(easy, row->id, opt->value.p);
        break;
    case UNS_OPT_BODY:
        break; /* the call's body is set apart */
    }
}

static bool may_inherit(const struct uns_option *row, bool self)
{
    return row->inherit == UNS_INHERIT_ALWAYS ||
           (self && row->inherit == UNS_INHERIT_SELF);
}

/* In the order in which the application set them: later ones may undo earlier
 * ones.  Few are set, so the next in order is looked for by a scan. */
static const struct uns_option *next_set(const struct uns_app *app,
                                         uint32_t after, bool self)
{
    const struct uns_host *host = uns_root_host();
    const struct uns_option *next = NULL;
    uint32_t order = UINT32_MAX;

    for (size_t i = 0; i < host->option_count; i++) {
        const struct uns_option *row = &host->options[i];
        uint32_t at = uns_app_opt(app, row->id)->order;

        if (at > after && at < order && may_inherit(row, self)) {
            next = row;
            order = at;
        }
    }
    return next;
}

/* A text that would be two lines of a request: the second may be anything, a
 * credential too (P3). */
static bool is_split(const struct uns_app *app, const struct uns_option *row)
{
    const char *text = uns_app_opt(app, row->id)->value.p;

    return row->kind == UNS_OPT_STRING && text && strpbrk(text, "\r\n");
}

static void inherit(const struct uns_call *call, CURL *easy, bool self)
{
    const struct uns_option *row;
    uint32_t at = 0;

    while ((row = next_set(call->app, at, self))) {
        if (self || !is_split(call->app, row))
            copy_option(call, easy, row);
        at = uns_app_opt(call->app, row->id)->order;
    }
}

/* What every rival has of ours, whatever the application set. */
static void set_own(struct uns_attempt *a)
{
    const struct uns_app *app = a->call->app;
    const struct uns_real *real = app->real;
    CURL *easy = a->easy;

    real->curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, uns_attempt_on_body);
    real->curl_easy_setopt(easy, CURLOPT_WRITEDATA, a);
    real->curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, uns_attempt_on_header);
    real->curl_easy_setopt(easy, CURLOPT_HEADERDATA, a);
    real->curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, a->error);
    real->curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    if (a->why != UNS_WHY_SHADOW) /* could stop the call, or speak for it */
        uns_progress_set(a);
    uns_swap_keepalive(easy, real, a->call->policy);
}

/* Counted from its own start.  To libcurl 0 is no limit. */
void uns_rival_limit(const struct uns_attempt *rival)
{
    uns_ns limit = uns_call_limit(rival->call);
    uns_ns left = limit - rival->start_ns;
    long ms = 0;

    if (limit != UNS_NEVER)
        ms = left < UNS_MS ? 1 : (long)(left / UNS_MS);
    rival->call->app->real->curl_easy_setopt(rival->easy, CURLOPT_TIMEOUT_MS,
                                             ms);
}

static void set_body(const struct uns_attempt *a, const char *body, size_t len)
{
    const struct uns_real *real = a->call->app->real;

    real->curl_easy_setopt(a->easy, CURLOPT_POST, 1L);
    real->curl_easy_setopt(a->easy, CURLOPT_POSTFIELDS, body);
    real->curl_easy_setopt(a->easy, CURLOPT_POSTFIELDSIZE_LARGE,
                           (curl_off_t)len);
}

static bool build_self(struct uns_attempt *a)
{
    const struct uns_call *call = a->call;
    size_t len = call->body.len;

    if (a->prefilled)
        a->body = uns_resume_body(a, NULL, &len);
    if (a->prefilled && !a->body)
        return false;
    inherit(call, a->easy, true);
    call->app->real->curl_easy_setopt(a->easy, CURLOPT_URL, call->url_text);
    set_body(a, a->body ? a->body : call->body.data, len);
    uns_promotion_ask_plainly(a);
    return true;
}

/* The application's, with the model as the source knows it. */
static char *copy_body(const struct uns_call *call, const char *model,
                       size_t *ret_len)
{
    const struct uns_body *body = &call->body;
    char *copy;

    *ret_len = uns_request_size(&call->request, body->len, model);
    copy = malloc(*ret_len + 1);
    if (copy)
        uns_request_write(&call->request, body->data, body->len, model, copy);
    return copy;
}

/* Body and URL name the model as the source knows it. */
static bool build_request(struct uns_attempt *a, const char *model)
{
    const struct uns_call *call = a->call;
    char url[URL_BYTES];
    size_t len = 0;

    if (uns_request_url(&call->request, &call->url, a->source->base_url, model,
                        (struct uns_room){url, sizeof url}) != UNS_OK)
        return false;
    a->body = a->prefilled ? uns_resume_body(a, model, &len)
                           : copy_body(call, model, &len);
    if (!a->body)
        return false;
    call->app->real->curl_easy_setopt(a->easy, CURLOPT_URL, url);
    set_body(a, a->body, len);
    return true;
}

/* Another origin (P3): a new handle follows no redirect, and knows no cookie,
 * no netrc and no credential. */
static bool build_other(struct uns_attempt *a)
{
    const struct uns_call *call = a->call;
    const struct uns_real *real = call->app->real;
    const char *model = NULL;
    CURLSH *names = uns_names_of(call->lane);

    if (!names || !uns_source_model(a->source, call->request.model, &model))
        return false;
    inherit(call, a->easy, false);
    real->curl_easy_setopt(a->easy, CURLOPT_SHARE, names);
    real->curl_easy_setopt(a->easy, CURLOPT_FOLLOWLOCATION, 0L);
    if (a->source->ca_file)
        real->curl_easy_setopt(a->easy, CURLOPT_CAINFO, a->source->ca_file);
    a->headers = uns_headers_for(a);
    if (!a->headers)
        return false;
    real->curl_easy_setopt(a->easy, CURLOPT_HTTPHEADER, a->headers);
    return build_request(a, model);
}

static bool build(struct uns_attempt *a)
{
    bool ok = uns_resume_attach(a) &&
              (is_self(a->source) ? build_self(a) : build_other(a));

    if (ok) {
        set_own(a);
        uns_rival_limit(a);
    }
    return ok;
}

static void give_up(struct uns_attempt *a)
{
    struct uns_call *call = a->call;

    call->attempt[--call->attempts] = NULL;
    uns_rival_free(a, call->app->real);
}

struct uns_attempt *uns_rival_launch(struct uns_call *call, enum uns_why why,
                                     const struct uns_source *source)
{
    const struct uns_real *real = call->app->real;
    CURL *easy = real->curl_easy_init();
    struct uns_attempt *a;

    if (!easy)
        return NULL;
    a = uns_attempt_new(call, easy, source);
    if (!a) {
        real->curl_easy_cleanup(easy);
        return NULL;
    }
    a->why = why;
    if (!build(a) || uns_roster_add(call->lane, a) != CURLM_OK) {
        give_up(a);
        return NULL;
    }
    return a;
}

void uns_rival_retire(struct uns_attempt *rival, const struct uns_real *real)
{
    real->curl_easy_setopt(rival->easy, CURLOPT_SHARE, NULL);
    real->curl_easy_setopt(rival->easy, CURLOPT_HTTPHEADER, NULL);
    uns_headers_free(rival->headers);
    rival->headers = NULL;
}

void uns_rival_free(struct uns_attempt *rival, const struct uns_real *real)
{
    if (!rival)
        return;
    real->curl_easy_cleanup(rival->easy);
    uns_headers_free(rival->headers);
    uns_attempt_free(rival);
}
