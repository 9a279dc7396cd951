/* SPDX-License-Identifier: MIT */
/* top_row - a phase is what the attempt that the program hears is at, or the
 * first one that is still under way. */
#include "top_row.h"

/* A rate over less would be noise. */
#define RATE_NS (UNS_S / 2)

static bool is_over(const struct uns_flight_live *live)
{
    return live->flags & (UNS_FLIGHT_ENDED | UNS_FLIGHT_CANCELLED);
}

static unsigned in_flight(const struct uns_flight_view *view)
{
    unsigned count = 0;

    for (unsigned a = 0; a < view->facts.attempts; a++)
        count += !is_over(&view->live[a]);
    return count;
}

static const struct uns_flight_live *subject(const struct uns_flight_view *view)
{
    unsigned a = 0;

    if (view->voice < UNS_RACE_ATTEMPTS)
        return &view->live[view->voice];
    while (a + 1 < view->facts.attempts && is_over(&view->live[a]))
        a++;
    return &view->live[a];
}

static uns_ns span(uns_ns from_ns, uns_ns to_ns)
{
    return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* Nothing is known of the connection where nobody looks at it. */
static bool is_connecting(const struct uns_flight_view *view,
                          const struct uns_flight_live *live, uns_ns elapsed_ns)
{
    bool looked = view->alive_ns > view->facts.begin_ns;

    return !(live->flags & UNS_FLIGHT_CONNECTED) &&
           (looked || elapsed_ns < UNS_S);
}

static enum uns_top_phase phase_of(const struct uns_flight_view *view,
                                   const struct uns_flight_live *live,
                                   const struct uns_top_row *row)
{
    if (live->meter.paused_ns != UNS_NEVER)
        return UNS_TOP_PAUSED;
    if (row->requests > 1)
        return UNS_TOP_RACING;
    if (row->chunks > 0)
        return row->silent_ns > view->facts.stall_threshold_ns
                   ? UNS_TOP_SILENT
                   : UNS_TOP_STREAMING;
    if (live->http_status > 0)
        return UNS_TOP_TOKEN;
    return is_connecting(view, live, row->elapsed_ns) ? UNS_TOP_CONNECTING
                                                      : UNS_TOP_HEADERS;
}

static double rate(int64_t count, uns_ns span_ns)
{
    return count > 0 && span_ns >= RATE_NS
               ? (double)count * (double)UNS_S / (double)span_ns
               : -1;
}

void uns_top_row(const struct uns_flight_view *view, uns_ns now_ns,
                 struct uns_top_row *ret_row)
{
    const struct uns_flight_live *live = subject(view);
    const struct uns_meter *meter = &live->meter;
    uns_ns begin_ns = view->facts.begin_ns;
    bool any = meter->chunks > 0 && meter->first_content_ns != UNS_NEVER;
    uns_ns content_ns = any ? span(meter->first_content_ns, now_ns) : 0;
    struct uns_top_row row = {
        .call = &view->facts.call,
        .elapsed_ns = span(begin_ns, now_ns),
        .silent_ns = span(any ? meter->ready_ns : begin_ns, now_ns),
        .requests = in_flight(view),
        .chunks = meter->chunks,
        .chunks_per_s = rate(any ? meter->chunks : 0, content_ns),
        .tokens_per_s = rate(live->tokens_out, content_ns),
    };

    row.phase = phase_of(view, live, &row);
    *ret_row = row;
}

static const char *const names[UNS_TOP_PHASES] = {
    [UNS_TOP_CONNECTING] = "connecting",
    [UNS_TOP_HEADERS] = "waiting for headers",
    [UNS_TOP_TOKEN] = "waiting for first token",
    [UNS_TOP_STREAMING] = "streaming",
    [UNS_TOP_SILENT] = "silent",
    [UNS_TOP_RACING] = "racing",
    [UNS_TOP_PAUSED] = "paused by the program",
};

const char *uns_top_phase_name(enum uns_top_phase phase)
{
    return names[phase];
}
