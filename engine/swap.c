/* SPDX-License-Identifier: MIT */
#include "swap.h"

#include "notes.h"
#include "progress.h"
#include "promotion.h"
#include "root.h"
#include "roster.h"

/* Numbers that we set beside the callbacks, and what libcurl has when nobody
 * sets them. */
static const struct {
    CURLoption id;
    long unset;
} numbers[] = {
    {CURLOPT_FRESH_CONNECT, 0 },
    {CURLOPT_TCP_KEEPALIVE, 0 },
    {CURLOPT_TCP_KEEPIDLE,  60},
    {CURLOPT_TCP_KEEPINTVL, 60},
};

void uns_swap_keepalive(CURL *easy, const struct uns_real *real,
                        const struct uns_policy *policy)
{
    long seconds;

    if (policy->stream.tcp_keepalive_ns == UNS_NEVER)
        return;
    seconds = (long)((policy->stream.tcp_keepalive_ns + UNS_S - 1) / UNS_S);
    real->curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
    real->curl_easy_setopt(easy, CURLOPT_TCP_KEEPIDLE, seconds);
    real->curl_easy_setopt(easy, CURLOPT_TCP_KEEPINTVL, seconds);
}

/* A rival may have been waiting for the end of the body. */
static size_t on_read(char *out, size_t size, size_t count, void *arg)
{
    struct uns_call *call = arg;
    size_t got = uns_body_on_read(out, size, count, &call->body);

    if (call->body.complete || call->body.lost)
        uns_roster_touch(call);
    return got;
}

/* libcurl rewinds a body by the first of them that is there, and acts on their
 * presence: the application's own, or what stands for libcurl's way with a
 * file, which it goes only as long as it reads that itself. */
static void swap_rewinder(struct uns_body *body)
{
    const struct uns_app *app = body->app;
    const struct uns_real *real = app->real;
    bool seeks = uns_notes_function(app, CURLOPT_SEEKFUNCTION) != NULL;
    bool asks = uns_notes_function(app, CURLOPT_IOCTLFUNCTION) != NULL;

    if (seeks || (!asks && uns_body_is_file(body))) {
        real->curl_easy_setopt(app->easy, CURLOPT_SEEKFUNCTION,
                               uns_body_on_seek);
        real->curl_easy_setopt(app->easy, CURLOPT_SEEKDATA, body);
    } else if (asks) {
        real->curl_easy_setopt(app->easy, CURLOPT_IOCTLFUNCTION,
                               uns_body_on_ioctl);
        real->curl_easy_setopt(app->easy, CURLOPT_IOCTLDATA, body);
    }
}

static void swap_reader(struct uns_call *call)
{
    const struct uns_app *app = call->app;
    const struct uns_real *real = app->real;

    if (!call->body.reads)
        return;
    real->curl_easy_setopt(app->easy, CURLOPT_READFUNCTION, on_read);
    real->curl_easy_setopt(app->easy, CURLOPT_READDATA, call);
    swap_rewinder(&call->body);
}

static void swap_listeners(struct uns_attempt *attempt)
{
    const struct uns_app *app = attempt->call->app;
    const struct uns_real *real = app->real;

    real->curl_easy_setopt(app->easy, CURLOPT_WRITEFUNCTION,
                           uns_attempt_on_body);
    real->curl_easy_setopt(app->easy, CURLOPT_WRITEDATA, attempt);
    real->curl_easy_setopt(app->easy, CURLOPT_HEADERFUNCTION,
                           uns_attempt_on_header);
    real->curl_easy_setopt(app->easy, CURLOPT_HEADERDATA, attempt);
    swap_reader(attempt->call);
}

void uns_swap_in(struct uns_attempt *attempt, bool fresh)
{
    struct uns_call *call = attempt->call;
    struct uns_app *app = call->app;
    const struct uns_real *real = app->real;

    swap_listeners(attempt);
    uns_promotion_swap_in(call);
    if (fresh)
        real->curl_easy_setopt(app->easy, CURLOPT_FRESH_CONNECT, 1L);
    if (!uns_notes_set(app, CURLOPT_TCP_KEEPALIVE))
        uns_swap_keepalive(app->easy, real, call->policy);
    app->busy = true;
}

/* The request is on its way: nothing else of ours matters any more. */
void uns_swap_back_in(struct uns_call *call)
{
    swap_listeners(call->attempt[0]);
    uns_progress_back_in(call);
}

void uns_swap_out(struct uns_app *app)
{
    app->busy = false;
    uns_root_host()->restore(app, app->easy);
    app->lent = 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        app->real->curl_easy_setopt(
            app->easy, numbers[i].id,
            uns_notes_long(app, numbers[i].id, numbers[i].unset));
}
