/* SPDX-License-Identifier: MIT */
#include "easy.h"

#include "call.h"
#include "clock.h"
#include "finish.h"
#include "judge.h"
#include "ledger.h"
#include "log.h"
#include "progress.h"
#include "rival.h"
#include "step.h"
#include "swap.h"

#include <stdlib.h>

/* libcurl's own wait in curl_easy_perform. */
#define WAIT_MS 1000

/* How a call is carried out. */
enum way {
    PLAIN, /* not ours */
    REAL,  /* the real curl_easy_perform, its callbacks watched */
    RACED  /* on the lane */
};

static bool has_watchdog(const struct uns_policy *policy)
{
    return policy->stream.ttft_timeout_ns != UNS_NEVER ||
           policy->stream.stall_timeout_ns != UNS_NEVER;
}

/* A request that must not be sent twice is only watched (RACE: observed
 * only).  One whose body is still to be read is decided when it is. */
static bool may_race(const struct uns_call *call)
{
    const struct uns_request *request = &call->request;

    return call->body.post && !call->body.lost && !request->stateful &&
           !request->several;
}

/* Anything that could ever make a second request? */
static bool has_trigger(const struct uns_call *call)
{
    const struct uns_hedge *hedge = &call->policy->hedge;

    if (hedge->after.how != UNS_DELAY_OFF)
        return true;
    for (size_t i = 0; i < sizeof hedge->failover.status; i++)
        if (hedge->failover.status[i])
            return true;
    return hedge->failover.code[0] != NULL ||
           (call->request.streams && hedge->stall_after_ns != UNS_NEVER);
}

static enum way way_of(const struct uns_call *call)
{
    const struct uns_policy *policy = call->policy;

    if (policy->mode == UNS_MODE_OFF || (call->known && !call->request.asks))
        return PLAIN;
    if (has_watchdog(policy))
        return RACED;
    return policy->mode == UNS_MODE_HEDGE && may_race(call) && has_trigger(call)
               ? RACED
               : REAL;
}

static struct uns_keep *keep_of(struct uns_app *app)
{
    if (!app->call)
        app->call = calloc(1, sizeof(struct uns_keep));
    return app->call;
}

static void drop_kept(struct uns_app *app, struct uns_keep *keep)
{
    uns_rival_free(keep->kept, app->real);
    keep->kept = NULL;
}

/* Round up: a wait that ends before its deadline would be repeated for the
 * rest of a millisecond. */
static int wait_ms(uns_ns deadline)
{
    uns_ns left;

    if (deadline == UNS_NEVER)
        return WAIT_MS;
    left = deadline - uns_clock_now();
    if (left <= 0)
        return 0;
    return left >= WAIT_MS * UNS_MS ? WAIT_MS
                                    : (int)((left + UNS_MS - 1) / UNS_MS);
}

static CURLMcode wait(struct uns_lane *lane)
{
    const struct uns_real *real = lane->real;
    int ms = wait_ms(uns_lane_deadline(lane));

    /* curl_multi_wait returns at once when there is nothing to wait for. */
    return real->curl_multi_poll
               ? real->curl_multi_poll(lane->multi, NULL, 0, ms, NULL)
               : real->curl_multi_wait(lane->multi, NULL, 0, ms, NULL);
}

/* libcurl's multi failed under us: what curl_easy_perform makes of that. */
static void fail(struct uns_call *call, CURLMcode code)
{
    uns_log("multi interface: error %d", code);
    call->code = code == CURLM_OUT_OF_MEMORY ? CURLE_OUT_OF_MEMORY
                                             : CURLE_BAD_FUNCTION_ARGUMENT;
    call->finished = true;
}

/* All has arrived, and the application has paused in the middle of it: no
 * transfer is left that would call its progress callback, from which it may
 * unpause. */
static void keep_watching(struct uns_call *call)
{
    if (call->paused && call->voice && call->voice->done &&
        uns_progress_call(call)) {
        call->code = CURLE_ABORTED_BY_CALLBACK;
        call->aborted = true;
        uns_step_abort(call, uns_clock_now());
        call->dirty = true;
    }
}

static void drive(struct uns_lane *lane, struct uns_call *call)
{
    while (!call->finished) {
        CURLMcode code = uns_lane_run(lane);

        keep_watching(call);
        if (code == CURLM_OK && !uns_lane_next(lane))
            code = wait(lane);
        if (code != CURLM_OK)
            fail(call, code);
    }
}

/* A rival that won answers getinfo and headers until the next call. */
static struct uns_attempt *keep_winner(struct uns_keep *keep,
                                       const struct uns_call *call)
{
    if (!call->voice || !call->voice->source)
        return NULL;
    uns_rival_retire(call->voice, call->app->real);
    keep->kept = call->voice;
    keep->kept_offset_ns = call->voice->start_ns - call->begin_ns;
    return keep->kept;
}

static bool stalled_on_http2(const struct uns_call *call)
{
    const struct uns_attempt *a = call->attempt[0];
    long version = 0;

    if (!a->cancelled)
        return false;
    call->app->real->curl_easy_getinfo(a->easy, CURLINFO_HTTP_VERSION,
                                       &version);
    return version >= CURL_HTTP_VERSION_2_0;
}

static bool race(struct uns_keep *keep, struct uns_call *call)
{
    struct uns_lane *lane = &keep->lane;

    if (!lane->multi && uns_lane_open(lane, call->app) != CURLM_OK) {
        uns_lane_close(lane);
        return false;
    }
    uns_swap_in(call->attempt[0], keep->fresh);
    if (uns_lane_begin(lane, call) != CURLM_OK) {
        uns_swap_out(call->app);
        return false;
    }
    drive(lane, call);
    keep->fresh = stalled_on_http2(call);
    uns_lane_end(lane, call);
    uns_swap_out(call->app);
    uns_finish_error(call);
    return true;
}

/* Only watched: the application hears attempt 0 from its first byte on. */
static bool observe(struct uns_call *call)
{
    struct uns_attempt *primary = call->attempt[0];

    call->solo = true;
    call->voice = primary;
    uns_swap_in(primary, false);
    call->code = call->app->real->curl_easy_perform(call->app->easy);
    uns_swap_out(call->app);
    primary->code = call->code;
    primary->done = true;
    uns_judge_end(primary, uns_clock_now());
    return true;
}

static struct uns_call *prepare(struct uns_app *app)
{
    struct uns_call *call = uns_call_new(app);

    if (!call)
        return NULL;
    if (way_of(call) == PLAIN || !uns_attempt_new(call, app->easy, NULL)) {
        uns_call_free(call, NULL);
        return NULL;
    }
    return call;
}

bool uns_easy_perform(struct uns_app *app, CURLcode *ret_code)
{
    struct uns_keep *keep = keep_of(app);
    struct uns_call *call = keep ? prepare(app) : NULL;
    bool ours;

    if (!call)
        return false;
    drop_kept(app, keep);
    keep->call = call;
    uns_call_start(call, uns_clock_now());
    ours = way_of(call) == RACED ? race(keep, call) : observe(call);
    keep->call = NULL;
    if (ours) {
        *ret_code = call->code;
        uns_ledger_enter(call);
    }
    uns_call_free(call, ours ? keep_winner(keep, call) : NULL);
    return ours;
}

CURLcode uns_easy_pause(struct uns_app *app, int bitmask)
{
    struct uns_keep *keep = app->call;
    struct uns_call *call = keep ? keep->call : NULL;
    bool stop = bitmask & CURLPAUSE_RECV;
    uns_ns now = uns_clock_now();

    if (!call)
        return app->real->curl_easy_pause(app->easy, bitmask);
    if (stop != call->paused) {
        call->paused = stop;
        (stop ? uns_race_pause : uns_race_unpause)(&call->race, now);
    }
    if (!call->voice) /* it has heard nothing yet: only sending can stop */
        return app->real->curl_easy_pause(app->easy, bitmask & CURLPAUSE_SEND);
    (stop ? uns_meter_pause : uns_meter_unpause)(&call->voice->meter, now);
    if (!stop && !call->giving && !uns_voice_give(call))
        return CURLE_OK;
    call->dirty = true;
    return call->voice->done
               ? CURLE_OK
               : app->real->curl_easy_pause(call->voice->easy, bitmask);
}

void uns_easy_release(struct uns_app *app, bool whole)
{
    struct uns_keep *keep = app->call;

    if (!keep || keep->call)
        return; /* inside a call: it ends by itself */
    drop_kept(app, keep);
    if (!whole)
        return;
    uns_lane_close(&keep->lane);
    free(keep);
    app->call = NULL;
}
