/* SPDX-License-Identifier: MIT */
#include "call.h"

#include "clock.h"
#include "notes.h"
#include "rival.h"
#include "root.h"

#include <stdlib.h>
#include <string.h>

/* The URL that the application set, as a string of our own. */
static char *url_text(const struct uns_app *app)
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
    call->url_text = url_text(call->app);
    if (!call->url_text ||
        !uns_url_split(call->url_text, strlen(call->url_text), &call->url))
        return false;
    call->policy = uns_root_policy(&call->url);
    return call->policy != NULL;
}

struct uns_call *uns_call_new(struct uns_app *app)
{
    struct uns_call *call = calloc(1, sizeof *call);

    if (!call)
        return NULL;
    call->app = app;
    call->deliver_ns = UNS_NEVER;
    call->headers_inline = uns_notes_long(app, CURLOPT_HEADER, 0);
    uns_body_init(&call->body, app);
    if (!place(call)) {
        uns_call_free(call, NULL);
        return NULL;
    }
    call->request.dialect = app->dialect;
    call->request.streams = true;
    uns_call_know(call);
    return call;
}

void uns_call_free(struct uns_call *call, const struct uns_attempt *keep)
{
    if (!call)
        return;
    for (unsigned i = 0; i < call->attempts; i++) {
        struct uns_attempt *a = call->attempt[i];

        if (keep && a == keep)
            a->call = NULL;
        else if (i == 0)
            uns_attempt_free(a);
        else
            uns_rival_free(a, call->app->real);
    }
    uns_body_done(&call->body);
    free(call->url_text);
    free(call);
}

bool uns_call_know(struct uns_call *call)
{
    if (call->known || call->body.lost || !call->body.complete)
        return call->known;
    uns_request_read(&call->request, call->app->dialect, &call->url,
                     call->body.data, call->body.len);
    call->known = true;
    return true;
}

uns_ns uns_call_total(const struct uns_app *app)
{
    bool ms = uns_notes_later(app, CURLOPT_TIMEOUT, CURLOPT_TIMEOUT_MS) ==
              CURLOPT_TIMEOUT_MS;
    long value =
        uns_notes_long(app, ms ? CURLOPT_TIMEOUT_MS : CURLOPT_TIMEOUT, 0);

    if (value <= 0)
        return UNS_NEVER;
    return (uns_ns)value * (ms ? UNS_MS : UNS_S);
}

uns_ns uns_call_limit(const struct uns_call *call)
{
    uns_ns total = uns_call_total(call->app);

    return total == UNS_NEVER ? UNS_NEVER : call->begin_ns + total;
}

/* A wait that has to be learned starts from the one for before there is
 * anything to learn from. */
static uns_ns after_of(const struct uns_hedge *hedge)
{
    switch (hedge->after.how) {
    case UNS_DELAY_FIXED:
        return hedge->after.fixed_ns;
    case UNS_DELAY_QUANTILE:
    case UNS_DELAY_AUTO:
        return hedge->warmup_ns;
    case UNS_DELAY_OFF:
        break;
    }
    return UNS_NEVER;
}

bool uns_call_fails_over(const struct uns_failover *failover)
{
    for (size_t i = 0; i < sizeof failover->status; i++)
        if (failover->status[i])
            return true;
    return failover->code[0] != NULL;
}

/* libcurl's own timer shall strike first, and say it in its own words; ours is
 * for when no transfer is left to time out. */
static uns_ns total_of(const struct uns_call *call)
{
    uns_ns total = uns_call_total(call->app);

    return total == UNS_NEVER ? UNS_NEVER : total + 50 * UNS_MS;
}

static struct uns_race_rules rules_of(const struct uns_call *call)
{
    const struct uns_policy *policy = call->policy;
    const struct uns_hedge *hedge = &policy->hedge;
    bool races = policy->mode == UNS_MODE_HEDGE;

    return (struct uns_race_rules){
        .after_ns = races ? after_of(hedge) : UNS_NEVER,
        .stall_after_ns = races ? hedge->stall_after_ns : UNS_NEVER,
        .hold_ns = races ? hedge->hold_ns : 0,
        .ttft_timeout_ns = policy->stream.ttft_timeout_ns,
        .stall_timeout_ns = policy->stream.stall_timeout_ns,
        .total_ns = total_of(call),
        .max_attempts = races ? hedge->max_attempts : 1,
        .failover = races && uns_call_fails_over(&hedge->failover),
        .first_complete = races && hedge->first_complete,
        .alive_by_bytes = policy->stream.liveness_bytes,
    };
}

void uns_call_start(struct uns_call *call, uns_ns now_ns)
{
    struct uns_race_rules rules = rules_of(call);

    call->begin_ns = now_ns;
    call->begin_us = uns_clock_wall_us();
    uns_race_init(&call->race, &rules, now_ns);
}
