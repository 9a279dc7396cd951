/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include "clock.h"
#include "notes.h"
#include "track.h"

struct amounts {
    curl_off_t dltotal, dlnow, ultotal, ulnow;
};

static bool is_watched(const struct uns_app *app)
{
    return !uns_notes_long(app, CURLOPT_NOPROGRESS, 1) &&
           (uns_notes_function(app, CURLOPT_XFERINFOFUNCTION) ||
            uns_notes_function(app, CURLOPT_PROGRESSFUNCTION));
}

/* The newer callback goes before the older one, as in libcurl; both have one
 * user pointer. */
static int forward(const struct uns_app *app, const struct amounts *n)
{
    void *data = uns_notes_pointer(app, CURLOPT_XFERINFODATA, NULL);
    curl_xferinfo_callback xferinfo =
        (curl_xferinfo_callback)uns_notes_function(app,
                                                   CURLOPT_XFERINFOFUNCTION);
    curl_progress_callback progress =
        (curl_progress_callback)uns_notes_function(app,
                                                   CURLOPT_PROGRESSFUNCTION);

    if (xferinfo)
        return xferinfo(data, n->dltotal, n->dlnow, n->ultotal, n->ulnow);
    return progress ? progress(data, (double)n->dltotal, (double)n->dlnow,
                               (double)n->ultotal, (double)n->ulnow)
                    : 0;
}

static int on_progress(void *arg, curl_off_t dltotal, curl_off_t dlnow,
                       curl_off_t ultotal, curl_off_t ulnow)
{
    struct uns_attempt *a = arg;
    const struct uns_attempt *primary = a->call->attempt[0];
    const struct amounts amounts = {dltotal, dlnow, ultotal, ulnow};

    if (a->cancelled || (primary->live && !primary->done))
        return 0;
    return forward(a->call->app, &amounts);
}

/* Not handed to libcurl: the application may set another pointer. */
static _Thread_local struct uns_call *listening;

static bool is_quiet(const struct uns_app *app)
{
    return uns_notes_long(app, CURLOPT_NOPROGRESS, 1) &&
           !uns_notes_set(app, CURLOPT_XFERINFOFUNCTION) &&
           !uns_notes_set(app, CURLOPT_PROGRESSFUNCTION);
}

static int on_beat(void *arg, curl_off_t dltotal, curl_off_t dlnow,
                   curl_off_t ultotal, curl_off_t ulnow)
{
    const struct amounts amounts = {dltotal, dlnow, ultotal, ulnow};

    (void)arg;
    if (!listening)
        return 0;
    uns_track_beat(listening, uns_clock_coarse());
    return is_watched(listening->app) ? forward(listening->app, &amounts) : 0;
}

void uns_progress_listen(struct uns_call *call)
{
    const struct uns_app *app = call ? call->app : NULL;

    listening = NULL;
    if (!app || !call->pen.slot || !is_quiet(app) ||
        app->real->curl_easy_setopt(app->easy, CURLOPT_XFERINFOFUNCTION,
                                    on_beat) != CURLE_OK)
        return;
    app->real->curl_easy_setopt(app->easy, CURLOPT_NOPROGRESS, 0L);
    listening = call;
}

void uns_progress_set(struct uns_attempt *rival)
{
    const struct uns_app *app = rival->call->app;

    if (!is_watched(app))
        return;
    app->real->curl_easy_setopt(rival->easy, CURLOPT_XFERINFOFUNCTION,
                                on_progress);
    app->real->curl_easy_setopt(rival->easy, CURLOPT_XFERINFODATA, rival);
    app->real->curl_easy_setopt(rival->easy, CURLOPT_NOPROGRESS, 0L);
}

bool uns_progress_call(struct uns_call *call)
{
    struct amounts amounts = {0};
    int stop;

    if (!is_watched(call->app))
        return false;
    if (call->voice)
        amounts.dlnow = call->voice->meter.bytes;
    call->lane->incb++;
    stop = forward(call->app, &amounts);
    call->lane->incb--;
    return stop != 0 && stop != CURL_PROGRESSFUNC_CONTINUE;
}
