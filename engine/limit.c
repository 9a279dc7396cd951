/* SPDX-License-Identifier: MIT */
#include "limit.h"

#include "clock.h"
#include "roster.h"

static const CURLMoption limits[] = {
    CURLMOPT_MAX_TOTAL_CONNECTIONS,
    CURLMOPT_MAX_HOST_CONNECTIONS,
};

#define LIMITS (sizeof limits / sizeof *limits)

/* 0: none is set. */
static long limit_of(const struct uns_lane *lane, size_t i)
{
    return lane->host ? uns_multi_opt(lane->host, limits[i])->value.l : 0;
}

static bool is_limited(const struct uns_lane *lane)
{
    for (size_t i = 0; i < LIMITS; i++)
        if (limit_of(lane, i) > 0)
            return true;
    return false;
}

/* --- waiting --------------------------------------------------------------*/

void uns_limit_begin(struct uns_call *call, uns_ns now_ns)
{
    if (call->solo || !is_limited(call->lane))
        return;
    call->queued = true;
    call->lane->queued++;
    uns_race_pause(&call->race, now_ns);
}

void uns_limit_end(struct uns_call *call)
{
    if (!call->queued)
        return;
    call->queued = false;
    call->lane->queued--;
}

void uns_limit_connected(struct uns_call *call, uns_ns now_ns)
{
    if (!call->queued)
        return;
    uns_limit_end(call);
    if (!call->paused)
        uns_race_unpause(&call->race, now_ns);
    uns_roster_touch(call); /* its deadlines are others now */
}

static bool has_time(const struct uns_call *call, CURLINFO info)
{
    curl_off_t us = 0;

    call->app->real->curl_easy_getinfo(call->attempt[0]->easy, info, &us);
    return us > 0;
}

/* Its name is looked up, or it uses a connection that there was: then newer
 * libcurls have the second time alone.  (7.88 tells no connection of a
 * transfer that is under way.) */
static bool is_connected(const struct uns_call *call)
{
    return has_time(call, CURLINFO_NAMELOOKUP_TIME_T) ||
           has_time(call, CURLINFO_PRETRANSFER_TIME_T);
}

void uns_limit_look(const struct uns_lane *lane)
{
    uns_ns now;

    if (lane->queued == 0)
        return;
    now = uns_clock_now();
    for (struct uns_call *call = lane->calls; call; call = call->next)
        if (call->queued && is_connected(call))
            uns_limit_connected(call, now);
}

/* --- room for rivals ------------------------------------------------------*/

static long rivals_of(const struct uns_lane *lane)
{
    long rivals = 0;

    for (const struct uns_call *call = lane->calls; call; call = call->next)
        for (unsigned i = 1; i < call->attempts; i++)
            rivals += call->attempt[i]->live && !call->attempt[i]->done;
    return rivals;
}

static void set(const struct uns_lane *lane, long extra)
{
    for (size_t i = 0; i < LIMITS; i++)
        if (limit_of(lane, i) > 0)
            lane->real->curl_multi_setopt(lane->multi, limits[i],
                                          limit_of(lane, i) + extra);
}

void uns_limit_raise(const struct uns_lane *lane)
{
    if (is_limited(lane))
        set(lane, rivals_of(lane));
}

void uns_limit_restore(const struct uns_lane *lane)
{
    set(lane, 0);
}
