/* SPDX-License-Identifier: MIT */
#include "call.h"

#include "clock.h"
#include "learn.h"
#include "notes.h"
#include "resume.h"

#include <stdatomic.h>
#include <string.h>
#include <strings.h>

#define PATIENCE_MS 50

/* DashScope is asked for a stream by a header; what its SDKs send. */
static bool asks_by_header(const struct uns_call *call)
{
    static const char line[] = "X-DashScope-SSE:";
    const struct curl_slist *headers =
        uns_notes_pointer(call->app, CURLOPT_HTTPHEADER, NULL);

    if (call->app->dialect != UNS_DIALECT_DASHSCOPE)
        return false;
    for (; headers; headers = headers->next) {
        const char *value = headers->data + sizeof line - 1;

        if (strncasecmp(headers->data, line, sizeof line - 1) == 0 &&
            strncasecmp(value + strspn(value, " \t"), "enable", 6) == 0)
            return true;
    }
    return false;
}

bool uns_call_know(struct uns_call *call)
{
    if (call->known || call->body.lost || !call->body.complete)
        return call->known;
    uns_request_read(&call->request, call->app->dialect, &call->url,
                     call->body.data, call->body.len);
    call->request.streams |= asks_by_header(call);
    call->known = true;
    return true;
}

int uns_call_patience_ms(const struct uns_call *call)
{
    return call->lane && call->lane->host ? 0 : PATIENCE_MS;
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

static uns_ns after_of(const struct uns_call *call)
{
    const struct uns_delay *after = &call->policy->hedge.after;

    switch (after->how) {
    case UNS_DELAY_FIXED:
        return after->fixed_ns;
    case UNS_DELAY_QUANTILE:
    case UNS_DELAY_AUTO:
        return uns_learn_after(call);
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
    bool races = call->mode == UNS_MODE_HEDGE;

    return (struct uns_race_rules){
        .after_ns = races ? after_of(call) : UNS_NEVER,
        .stall_after_ns = races ? hedge->stall_after_ns : UNS_NEVER,
        .hold_ns = call->promotion ? UNS_NEVER
                   : races         ? hedge->hold_ns
                                   : 0,
        .ttft_timeout_ns = policy->stream.ttft_timeout_ns,
        .stall_timeout_ns = policy->stream.stall_timeout_ns,
        .total_ns = total_of(call),
        .retries = races ? policy->retry.max : 0,
        .max_attempts = races ? hedge->max_attempts : 1,
        .failover = races && uns_call_fails_over(&hedge->failover),
        .first_complete = races && hedge->first_complete,
        .alive_by_bytes = policy->stream.liveness_bytes,
        .resume = !call->promotion && uns_resume_may(call),
    };
}

void uns_call_start(struct uns_call *call, uns_ns now_ns)
{
    static atomic_uint count;
    struct uns_race_rules rules = rules_of(call);

    call->number = atomic_fetch_add(&count, 1);
    call->begin_ns = now_ns;
    call->begin_us = uns_clock_wall_us();
    uns_race_init(&call->race, &rules, now_ns);
}
