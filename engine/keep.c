/* SPDX-License-Identifier: MIT */
#include "keep.h"

#include "again.h"
#include "clock.h"
#include "errtext.h"
#include "experiment.h"
#include "learn.h"
#include "ledger.h"
#include "notes.h"
#include "resume.h"
#include "rival.h"
#include "root.h"
#include "rules.h"
#include "swap.h"
#include "track.h"

#include <stdlib.h>
#include <string.h>

static bool has_watchdog(const struct uns_policy *policy)
{
    return policy->stream.ttft_timeout_ns != UNS_NEVER ||
           policy->stream.stall_timeout_ns != UNS_NEVER;
}

/* Anything that could ever make a second request? */
static bool has_trigger(const struct uns_call *call)
{
    const struct uns_hedge *hedge = &call->policy->hedge;

    return hedge->after.how != UNS_DELAY_OFF ||
           uns_call_fails_over(&hedge->failover) ||
           (call->request.streams && hedge->stall_after_ns != UNS_NEVER);
}

/* A request that must not be sent twice is only watched.  One whose body is
 * still to be read is decided when it is. */
static const char *must_be_alone(const struct uns_call *call)
{
    if (!call->body.post)
        return "it is no POST";
    if (call->body.lost)
        return "its body cannot be sent a second time";
    if (call->request.stateful)
        return "it has effects on the server";
    return call->request.several ? "it asks for several answers" : NULL;
}

const char *uns_keep_alone(const struct uns_call *call)
{
    const char *alone = must_be_alone(call);

    if (call->mode != UNS_MODE_HEDGE)
        return "the mode is not hedge";
    if (alone)
        return alone;
    return has_trigger(call) ? NULL : "nothing is set that would start a rival";
}

/* What comes need not be kept back. */
static bool is_alone(const struct uns_call *call)
{
    return uns_keep_alone(call) != NULL;
}

/* R12: a second request is read beside it. */
static bool is_shadowed(const struct uns_call *call)
{
    return call->mode == UNS_MODE_SHADOW && !must_be_alone(call);
}

static enum uns_way way_of(const struct uns_call *call)
{
    const struct uns_policy *policy = call->policy;

    if (call->mode == UNS_MODE_OFF ||
        (call->known && !call->request.asks && !call->app->forced))
        return UNS_WAY_PLAIN;
    /* R12: the same driver for both arms, whatever becomes of the call. */
    if (uns_root_inject() || has_watchdog(policy) ||
        call->arm != UNS_ARM_NONE || is_shadowed(call))
        return UNS_WAY_RACE;
    return is_alone(call) ? UNS_WAY_WATCH : UNS_WAY_RACE;
}

struct uns_keep *uns_keep_of(struct uns_app *app)
{
    if (!app->call)
        app->call = calloc(1, sizeof(struct uns_keep));
    return app->call;
}

void uns_keep_drop(struct uns_app *app)
{
    struct uns_keep *keep = app->call;

    uns_rival_free(keep->kept, app->real);
    keep->kept = NULL;
    keep->promoted.on = false;
    keep->played.on = false;
}

void uns_keep_free(struct uns_app *app)
{
    struct uns_keep *keep = app->call;

    uns_keep_drop(app);
    uns_member_leave(&keep->member);
    uns_lane_close(&keep->lane);
    free(keep);
    app->call = NULL;
}

void uns_keep_unmake(struct uns_call *call, const struct uns_attempt *kept)
{
    if (!call)
        return;
    uns_resume_free(call);
    uns_promotion_free(call);
    for (unsigned i = 0; i < call->attempts; i++) {
        struct uns_attempt *a = call->attempt[i];

        if (kept && a == kept)
            a->call = NULL;
        else if (a->easy == call->app->easy)
            uns_attempt_free(a);
        else
            uns_rival_free(a, call->app->real);
    }
    uns_body_done(&call->body);
    free(call->url_text);
    free(call);
}

char *uns_keep_url(const struct uns_app *app)
{
    const struct uns_real *real = app->real;
    CURLU *handle = uns_notes_pointer(app, CURLOPT_CURLU, NULL);
    const char *url = uns_notes_pointer(app, CURLOPT_URL, NULL);
    char *whole = NULL, *copy;

    if (!handle || !real->curl_url_get)
        return url ? strdup(url) : NULL;
    if (real->curl_url_get(handle, CURLUPART_URL, &whole, 0) != CURLUE_OK)
        return NULL;
    copy = strdup(whole);
    real->curl_free(whole);
    return copy;
}

/* Its URL and the policy for that. */
static bool place(struct uns_call *call)
{
    call->url_text = uns_keep_url(call->app);
    if (!call->url_text ||
        !uns_url_split(call->url_text, strlen(call->url_text), &call->url))
        return false;
    call->policy = uns_root_policy(&call->url);
    call->mode = call->policy ? call->policy->mode : UNS_MODE_OFF;
    return call->policy != NULL;
}

struct uns_call *uns_keep_make(struct uns_app *app)
{
    struct uns_call *call = calloc(1, sizeof *call);

    if (!call)
        return NULL;
    call->app = app;
    call->deliver_ns = UNS_NEVER;
    call->again_ns = UNS_NEVER;
    call->headers_inline = uns_notes_long(app, CURLOPT_HEADER, 0);
    uns_body_init(&call->body, app);
    if (!place(call)) {
        uns_keep_unmake(call, NULL);
        return NULL;
    }
    call->request.dialect = app->dialect;
    call->request.streams = true;
    uns_call_know(call);
    return call;
}

static struct uns_call *prepare(struct uns_app *app, enum uns_way *ret_way)
{
    struct uns_call *call = uns_keep_make(app);

    if (call) {
        uns_experiment_draw(call);
        uns_promotion_plan(call);
    }
    *ret_way = call ? way_of(call) : UNS_WAY_PLAIN;
    if (*ret_way != UNS_WAY_PLAIN && uns_attempt_new(call, app->easy, NULL) &&
        uns_fault_open(call->attempt[0]))
        return call;
    *ret_way = UNS_WAY_PLAIN;
    uns_keep_unmake(call, NULL);
    return NULL;
}

struct uns_call *uns_keep_open(struct uns_app *app, enum uns_way *ret_way)
{
    struct uns_keep *keep = uns_keep_of(app);
    struct uns_call *call = keep ? prepare(app, ret_way) : NULL;

    if (!call)
        return NULL;
    uns_keep_drop(app);
    keep->call = call;
    uns_rules_start(call, uns_clock_now());
    call->solo = *ret_way == UNS_WAY_WATCH;
    if (is_shadowed(call))
        call->todo.launch = UNS_WHY_SHADOW;
    if (is_alone(call))
        call->voice = call->attempt[0];
    uns_swap_in(call->attempt[0], keep->fresh);
    uns_track_begin(call);
    return call;
}

void uns_keep_withdraw(struct uns_call *call)
{
    struct uns_keep *keep = call->app->call;

    uns_swap_out(call->app);
    uns_track_withdraw(call);
    keep->call = NULL;
    uns_keep_unmake(call, NULL);
}

/* A rival that won answers getinfo and headers until the next call. */
static struct uns_attempt *keep_winner(struct uns_keep *keep,
                                       const struct uns_call *call)
{
    if (!call->voice || call->voice->easy == call->app->easy)
        return NULL;
    uns_rival_retire(call->voice, call->app->real);
    keep->kept = call->voice;
    keep->kept_offset_ns = call->voice->start_ns - call->begin_ns;
    return keep->kept;
}

/* Without its stream such a connection stays, and would be used again. */
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

void uns_keep_close(struct uns_call *call)
{
    struct uns_keep *keep = call->app->call;

    uns_swap_out(call->app);
    uns_errtext_give(call);
    if (!call->planned) {
        uns_ledger_enter(call);
        uns_learn_note(call);
        uns_again_note(call, uns_clock_now());
    }
    uns_fault_keep(call);
    keep->fresh = stalled_on_http2(call);
    keep->call = NULL;
    uns_keep_unmake(call, keep_winner(keep, call));
}

void uns_keep_abandon(struct uns_call *call)
{
    call->aborted = true;
    call->code = CURLE_ABORTED_BY_CALLBACK;
    uns_lane_end(call->lane, call);
    uns_keep_close(call);
}
