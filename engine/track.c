/* SPDX-License-Identifier: MIT */
#include "track.h"

#include "facts.h"
#include "recorder.h"
#include "root.h"
#include "store.h"

#include <string.h>

/* Looks may be thousands a second. */
#define BEAT_NS (50 * UNS_MS)

static void fill_facts(const struct uns_call *call,
                       struct uns_flight_facts *facts)
{
    facts->attempts = call->attempts;
    facts->streamed = call->request.streams;
    facts->countable = !call->request.several;
    facts->begin_ns = call->begin_ns;
    facts->stall_threshold_ns = call->policy->stream.stall_threshold_ns;
    uns_facts_call(call, &facts->call);
    for (unsigned i = 0; i < call->attempts; i++)
        uns_facts_attempt(call->attempt[i], &facts->attempt[i]);
}

void uns_track_facts(struct uns_call *call)
{
    if (!call->pen.slot)
        return;
    fill_facts(call, uns_flight_edit(&call->pen));
    uns_flight_publish(&call->pen);
}

void uns_track_begin(struct uns_call *call)
{
    const char *store = uns_root_store_path();

    uns_flight_begin(&call->pen, store ? uns_recorder_slot(store) : NULL);
    if (!call->pen.slot)
        return;
    uns_flight_beat(&call->pen, call->begin_ns);
    for (unsigned i = 0; i < call->attempts; i++)
        uns_track_attempt(call->attempt[i]);
    uns_track_facts(call);
}

void uns_track_withdraw(struct uns_call *call)
{
    uns_recorder_free(call->pen.slot);
    call->pen.slot = NULL;
}

static uint32_t flags_of(const struct uns_attempt *a)
{
    bool failed = a->ended && a->code != CURLE_OK;

    return (a->connected ? UNS_FLIGHT_CONNECTED : 0u) |
           (a->ended ? UNS_FLIGHT_ENDED : 0u) |
           (a->cancelled ? UNS_FLIGHT_CANCELLED : 0u) |
           (failed ? UNS_FLIGHT_FAILED : 0u) |
           (a->stream.frame.framing == UNS_FRAMING_DOCUMENT
                ? UNS_FLIGHT_DOCUMENT
                : 0u);
}

/* The application hears one attempt at a time, and it may become another. */
static void hear(const struct uns_call *call)
{
    if (call->voice)
        uns_flight_hear(&call->pen, call->voice->seq, call->deliver_ns);
}

void uns_track_attempt(struct uns_attempt *a)
{
    struct uns_call *call = a->call;
    struct uns_flight_news news;

    if (!call->pen.slot)
        return;
    news = (struct uns_flight_news){
        .meter = &a->meter,
        .timeline =
            uns_config_store_timeline(uns_root_config()) ? &a->timeline : NULL,
        .tokens_in = a->stream.tokens_in,
        .tokens_out = a->stream.tokens_out,
        .http_status = a->head.status,
        .flags = flags_of(a),
    };
    uns_flight_note(&call->pen, a->seq, &news);
    hear(call);
}

/* curl_easy_getinfo is cheap, and allowed between libcurl's calls as well as
 * inside its callbacks. */
static void look_at_connection(struct uns_attempt *a)
{
    curl_off_t us = 0;

    if (a->connected || a->cancelled || a->done)
        return;
    if (a->call->app->real->curl_easy_getinfo(
            a->easy, CURLINFO_PRETRANSFER_TIME_T, &us) != CURLE_OK ||
        us <= 0)
        return;
    a->connected = true;
    uns_track_attempt(a);
    uns_track_facts(a->call);
}

void uns_track_beat(struct uns_call *call, uns_ns now_ns)
{
    if (!call->pen.slot || now_ns - call->beat_ns < BEAT_NS)
        return;
    call->beat_ns = now_ns;
    for (unsigned i = 0; i < call->attempts; i++)
        look_at_connection(call->attempt[i]);
    hear(call);
    uns_flight_beat(&call->pen, now_ns);
}

void uns_track_end(struct uns_call *call, struct uns_entry *entry)
{
    struct uns_flight_facts *facts;

    if (!call->pen.slot)
        return;
    for (unsigned i = 0; i < call->attempts; i++)
        uns_track_attempt(call->attempt[i]);
    facts = uns_flight_edit(&call->pen);
    facts->attempts = entry->attempts;
    facts->call = entry->call;
    memcpy(facts->attempt, entry->attempt, sizeof facts->attempt);
    uns_flight_publish(&call->pen);
    uns_flight_finish(&call->pen);
    entry->slot = call->pen.slot;
}
