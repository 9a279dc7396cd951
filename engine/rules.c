/* SPDX-License-Identifier: MIT */
#include "rules.h"

#include "clock.h"
#include "learn.h"
#include "resume.h"
#include "rival.h"

#include <stdatomic.h>

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

void uns_rules_start(struct uns_call *call, uns_ns now_ns)
{
    static atomic_uint count;
    struct uns_race_rules rules = rules_of(call);

    call->number = atomic_fetch_add(&count, 1);
    call->begin_ns = now_ns;
    call->begin_us = uns_clock_wall_us();
    uns_race_init(&call->race, &rules, now_ns);
}

void uns_rules_renew(struct uns_call *call)
{
    uns_ns total = total_of(call);

    if (total == call->race.rules.total_ns)
        return;
    uns_race_limit(&call->race, total);
    for (unsigned i = 1; i < call->attempts; i++)
        if (call->attempt[i]->live && !call->attempt[i]->done)
            uns_rival_limit(call->attempt[i]);
}
