/* SPDX-License-Identifier: MIT */
#include "progress.h"

#include "clock.h"
#include "notes.h"
#include "track.h"

struct amounts {
    curl_off_t dltotal, dlnow, ultotal, ulnow;
};

/* libcurl's own wait in curl_easy_perform, and what it may be late. */
#define WAIT_NS (1000 * UNS_MS)
#define LATE_NS (50 * UNS_MS)

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

/* Of the innermost perform on this thread: callbacks may perform others.  Not
 * handed to libcurl: the application may set another pointer. */
static _Thread_local struct uns_call *listening;

/* Does libcurl draw a meter of its own, or end the line of one?  It says so to
 * itself when either callback is set, whatever the other one is. */
static bool has_meter(const struct uns_app *app)
{
    CURLoption later = uns_notes_later(app, CURLOPT_XFERINFOFUNCTION,
                                       CURLOPT_PROGRESSFUNCTION);

    return !uns_notes_long(app, CURLOPT_NOPROGRESS, 1) &&
           !uns_notes_function(app, later);
}

/* What the callback takes is the application's time (P7). */
static int forward_timed(struct uns_call *call, const struct amounts *n)
{
    uns_ns from = uns_clock_now();
    int stop = forward(call->app, n);

    call->heard_ns = uns_clock_now();
    uns_meter_app(&call->attempt[0]->meter, from, call->heard_ns);
    return stop;
}

/* P6: called whenever libcurl calls a progress callback, with what libcurl
 * gives it, and hears what libcurl has said to the application's.  Without
 * one libcurl goes on to its own meter. */
static int on_beat(void *arg, curl_off_t dltotal, curl_off_t dlnow,
                   curl_off_t ultotal, curl_off_t ulnow)
{
    const struct amounts amounts = {dltotal, dlnow, ultotal, ulnow};
    const struct uns_app *app = listening->app;

    (void)arg;
    uns_track_beat(listening, uns_clock_coarse());
    if (is_watched(app))
        return forward_timed(listening, &amounts);
    listening->heard_ns = uns_clock_now();
    return has_meter(app) ? CURL_PROGRESSFUNC_CONTINUE : 0;
}

/* Older ones take that for a wish to abort. */
static bool can_continue(const struct uns_real *real)
{
    return real->curl_version_info &&
           real->curl_version_info(CURLVERSION_FIRST)->version_num >= 0x074400;
}

static void listen_in(struct uns_app *app)
{
    const struct uns_real *real = app->real;
    bool meter = has_meter(app);

    if ((meter && !can_continue(real)) ||
        real->curl_easy_setopt(app->easy, CURLOPT_XFERINFOFUNCTION, on_beat) !=
            CURLE_OK)
        return;
    app->lent |= UNS_LENT_PROGRESS;
    if (meter)
        real->curl_easy_setopt(app->easy, CURLOPT_PROGRESSFUNCTION, NULL);
    real->curl_easy_setopt(app->easy, CURLOPT_NOPROGRESS, 0L);
}

struct uns_call *uns_progress_listen(struct uns_call *call)
{
    struct uns_call *outer = listening;

    listening = call;
    if (call->pen.slot)
        listen_in(call->app);
    return outer;
}

void uns_progress_listen_again(struct uns_call *outer)
{
    listening = outer;
}

void uns_progress_back_in(struct uns_call *call)
{
    if (call == listening && call->pen.slot)
        listen_in(call->app);
}

void uns_progress_excuse(struct uns_attempt *a)
{
    uns_ns due;

    if (a->call != listening || !a->call->heard_ns)
        return;
    due = a->call->heard_ns + WAIT_NS;
    if (a->piece_ns - due >= LATE_NS)
        uns_meter_app(&a->meter, due, a->piece_ns);
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
