/* SPDX-License-Identifier: MIT */
#include "lane.h"

#include "call.h"
#include "notes.h"
#include "step.h"
#include "swap.h"

/* Connections that an easy handle keeps when the application says nothing
 * (lib/easy.c); a multi's own default is another. */
#define EASY_CONNECTIONS 5L

CURLMcode uns_lane_open(struct uns_lane *lane, const struct uns_app *app)
{
    const struct uns_real *real = app->real;

    *lane = (struct uns_lane){.real = real, .multi = real->curl_multi_init()};
    if (!lane->multi)
        return CURLM_OUT_OF_MEMORY;
    return real->curl_multi_setopt(
        lane->multi, CURLMOPT_MAXCONNECTS,
        uns_notes_long(app, CURLOPT_MAXCONNECTS, EASY_CONNECTIONS));
}

void uns_lane_close(struct uns_lane *lane)
{
    if (lane->multi)
        lane->real->curl_multi_cleanup(lane->multi);
    lane->multi = NULL;
}

CURLMcode uns_lane_begin(struct uns_lane *lane, struct uns_call *call)
{
    struct uns_attempt *primary = call->attempt[0];
    CURLMcode code =
        lane->real->curl_multi_add_handle(lane->multi, primary->easy);

    if (code != CURLM_OK)
        return code;
    primary->live = true;
    call->lane = lane;
    call->next = lane->calls;
    lane->calls = call;
    call->dirty = true; /* a tied rival is sent before anybody waits */
    return CURLM_OK;
}

static struct uns_attempt *find(const struct uns_lane *lane, const CURL *easy)
{
    for (struct uns_call *call = lane->calls; call; call = call->next)
        for (unsigned i = 0; i < call->attempts; i++)
            if (call->attempt[i]->easy == easy)
                return call->attempt[i];
    return NULL;
}

static void drain(struct uns_lane *lane)
{
    CURLMsg *message;
    int left;

    while ((message = lane->real->curl_multi_info_read(lane->multi, &left))) {
        struct uns_attempt *a;

        if (message->msg != CURLMSG_DONE)
            continue;
        a = find(lane, message->easy_handle);
        if (!a)
            continue;
        a->done = true;
        a->code = message->data.result;
        a->call->dirty = true;
    }
}

static bool step_all(struct uns_lane *lane)
{
    bool launched = false;

    for (struct uns_call *call = lane->calls; call; call = call->next) {
        call->dirty = false;
        launched |= uns_step(call);
    }
    return launched;
}

CURLMcode uns_lane_run(struct uns_lane *lane)
{
    CURLMcode code;
    int running;

    do {
        lane->inreal++;
        code = lane->real->curl_multi_perform(lane->multi, &running);
        lane->inreal--;
        if (code != CURLM_OK)
            return code;
        drain(lane);
    } while (step_all(lane));
    return CURLM_OK;
}

/* A race that is over waits for an application that has paused, as long as
 * that lets it (R9). */
static uns_ns deadline_of(const struct uns_call *call)
{
    if (call->dirty || call->finished)
        return 0;
    if (call->solo)
        return UNS_NEVER;
    return call->todo.end != UNS_END_NONE && call->paused
               ? uns_call_limit(call)
               : uns_race_deadline(&call->race);
}

uns_ns uns_lane_deadline(const struct uns_lane *lane)
{
    uns_ns earliest = UNS_NEVER;

    for (const struct uns_call *call = lane->calls; call; call = call->next) {
        uns_ns deadline = deadline_of(call);

        if (deadline < earliest)
            earliest = deadline;
    }
    return earliest;
}

struct uns_call *uns_lane_next(struct uns_lane *lane)
{
    struct uns_call *call = lane->calls;

    while (call && !call->finished)
        call = call->next;
    return call;
}

void uns_lane_end(struct uns_lane *lane, struct uns_call *call)
{
    struct uns_call **link = &lane->calls;

    uns_step_cancel_all(call);
    while (*link && *link != call)
        link = &(*link)->next;
    if (*link)
        *link = call->next;
    call->next = NULL;
}
