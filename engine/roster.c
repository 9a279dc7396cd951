/* SPDX-License-Identifier: MIT */
#include "roster.h"

void uns_roster_touch(struct uns_call *call)
{
    if (call->touched || !call->lane)
        return;
    call->touched = true;
    call->next_touched = call->lane->touched;
    call->lane->touched = call;
}

static void forget_touch(struct uns_lane *lane, struct uns_call *call)
{
    struct uns_call **link = &lane->touched;

    while (*link && *link != call)
        link = &(*link)->next_touched;
    if (*link)
        *link = call->next_touched;
    call->touched = false;
}

void uns_roster_finish(struct uns_call *call)
{
    struct uns_call **link = &call->lane->finished;

    if (call->finished)
        return;
    call->finished = true;
    call->lane->unfinished--;
    while (*link)
        link = &(*link)->next_finished;
    *link = call;
}

struct uns_call *uns_roster_next(struct uns_lane *lane)
{
    struct uns_call *call = lane->finished;

    if (call)
        lane->finished = call->next_finished;
    return call;
}

static void forget_finish(struct uns_lane *lane, struct uns_call *call)
{
    struct uns_call **link = &lane->finished;

    while (*link && *link != call)
        link = &(*link)->next_finished;
    if (*link)
        *link = call->next_finished;
    if (!call->finished)
        lane->unfinished--;
}

void uns_roster_forget(struct uns_lane *lane, struct uns_call *call)
{
    struct uns_call **link = &lane->calls;

    forget_touch(lane, call);
    forget_finish(lane, call);
    while (*link && *link != call)
        link = &(*link)->next;
    if (*link)
        *link = call->next;
    call->next = NULL;
}

CURLMcode uns_roster_add(struct uns_lane *lane, struct uns_attempt *a)
{
    CURLMcode code;

    lane->inreal++;
    code = lane->real->curl_multi_add_handle(lane->multi, a->easy);
    lane->inreal--;
    if (code != CURLM_OK)
        return code;
    a->live = true;
    lane->flying++;
    lane->hidden -= a->seq > 0;
    return CURLM_OK;
}

CURLcode uns_roster_pause(const struct uns_attempt *attempt, int bitmask)
{
    const struct uns_call *call = attempt->call;
    struct uns_lane *lane = call->lane;
    CURLcode code;

    if (lane)
        lane->inreal++;
    code = call->app->real->curl_easy_pause(attempt->easy, bitmask);
    if (lane)
        lane->inreal--;
    return code;
}
