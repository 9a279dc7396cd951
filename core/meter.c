/* SPDX-License-Identifier: MIT */

/*
 * meter - stores moments while a transfer runs, derives spans at its end.
 *
 * `ready_ns` is the trick: it moves to each content chunk's arrival, on by the
 * length of each callback, and to the end of each pause, so the next chunk's
 * gap is one subtraction, and holds silence only (P7).
 */

#include "meter.h"

#include "timeline.h"

#include <string.h>

void uns_meter_init(struct uns_meter *meter, uns_ns threshold_ns,
                    struct uns_timeline *timeline, uns_ns now_ns)
{
    memset(meter, 0, sizeof *meter);
    meter->threshold_ns = threshold_ns;
    meter->timeline = timeline;
    meter->start_ns = meter->app_until_ns = now_ns;
    meter->first_byte_ns = meter->last_byte_ns = UNS_NEVER;
    meter->first_event_ns = meter->last_event_ns = UNS_NEVER;
    meter->first_content_ns = meter->last_content_ns = UNS_NEVER;
    meter->paused_ns = meter->end_ns = UNS_NEVER;
}

static void note(struct uns_meter *meter, const struct uns_moment *moment)
{
    if (meter->timeline)
        uns_timeline_note(meter->timeline, moment);
}

static void seen(uns_ns *first_ns, uns_ns *last_ns, uns_ns now_ns)
{
    if (*first_ns == UNS_NEVER)
        *first_ns = now_ns;
    *last_ns = now_ns;
}

/* Silence before a chunk that arrives now; the wait for the first is none. */
static uns_ns gap_before(const struct uns_meter *meter, uns_ns now_ns)
{
    bool none = meter->first_content_ns == UNS_NEVER ||
                meter->paused_ns != UNS_NEVER || now_ns < meter->ready_ns;
    return none ? 0 : now_ns - meter->ready_ns;
}

static uns_ns content(struct uns_meter *meter, int64_t chunks, uns_ns now_ns)
{
    uns_ns gap_ns = gap_before(meter, now_ns);
    if (gap_ns > meter->max_gap_ns)
        meter->max_gap_ns = gap_ns;
    if (gap_ns > meter->threshold_ns) {
        meter->stall_ns += gap_ns;
        meter->stalls++;
    }
    seen(&meter->first_content_ns, &meter->last_content_ns, now_ns);
    meter->chunks += chunks;
    meter->ready_ns = now_ns;
    return gap_ns;
}

/* NOLINTNEXTLINE(readability-function-size): six facts, no struct per chunk */
void uns_meter_piece(struct uns_meter *meter, size_t len, int64_t chunks,
                     bool event, bool structural, uns_ns now_ns)
{
    struct uns_moment moment = {
        .mark = structural ? UNS_MARK_STRUCTURAL : UNS_MARK_OTHER,
        .count = 1,
        .at_ns = now_ns - meter->start_ns,
    };
    if (len > 0) {
        meter->bytes += (int64_t)len;
        seen(&meter->first_byte_ns, &meter->last_byte_ns, now_ns);
    }
    if (event)
        seen(&meter->first_event_ns, &meter->last_event_ns, now_ns);
    if (chunks > 0) {
        moment.mark = UNS_MARK_CHUNK;
        moment.count = chunks < UINT32_MAX ? (uint32_t)chunks : UINT32_MAX;
        moment.gap_ns = content(meter, chunks, now_ns);
    }
    if (event || structural || chunks > 0)
        note(meter, &moment);
}

void uns_meter_app(struct uns_meter *meter, uns_ns from_ns, uns_ns to_ns)
{
    if (from_ns < meter->app_until_ns)
        from_ns = meter->app_until_ns;
    if (to_ns <= from_ns || meter->paused_ns != UNS_NEVER)
        return;
    meter->app_ns += to_ns - from_ns;
    meter->ready_ns += to_ns - from_ns;
    meter->app_until_ns = to_ns;
}

void uns_meter_pause(struct uns_meter *meter, uns_ns now_ns)
{
    if (meter->paused_ns == UNS_NEVER)
        meter->paused_ns = now_ns;
}

void uns_meter_unpause(struct uns_meter *meter, uns_ns now_ns)
{
    if (meter->paused_ns == UNS_NEVER)
        return;
    const struct uns_moment moment = {
        .mark = UNS_MARK_PAUSE,
        .count = 1,
        .at_ns = meter->paused_ns - meter->start_ns,
        .span_ns = now_ns - meter->paused_ns,
    };
    note(meter, &moment);
    meter->app_ns += moment.span_ns;
    meter->ready_ns = meter->app_until_ns = now_ns;
    meter->paused_ns = UNS_NEVER;
}

void uns_meter_end(struct uns_meter *meter, uns_ns now_ns)
{
    uns_meter_unpause(meter, now_ns);
    if (meter->end_ns == UNS_NEVER)
        meter->end_ns = now_ns;
}

/* What both records have of a meter; the members carry the columns' names. */
#define DERIVED(X)          \
    X(ttft_ms)              \
    X(ttft_us)              \
    X(generation_ms)        \
    X(stall_ms)             \
    X(stall_count)          \
    X(active_generation_ms) \
    X(net_ms)               \
    X(tail_ms)              \
    X(max_gap_ms)           \
    X(chunk_count)          \
    X(app_ms)               \
    X(first_byte_ms)        \
    X(first_event_ms)       \
    X(bytes)

struct derived {
#define X(name) int64_t name;
    DERIVED(X)
#undef X
};

/* UNS_NULL unless both ends are known. */
static int64_t span(uns_ns from_ns, uns_ns to_ns, uns_ns unit)
{
    if (from_ns == UNS_NEVER || to_ns == UNS_NEVER)
        return UNS_NULL;
    return to_ns > from_ns ? (to_ns - from_ns) / unit : 0;
}

static int64_t minus(int64_t whole, int64_t part)
{
    return whole == UNS_NULL || part == UNS_NULL ? UNS_NULL : whole - part;
}

static int64_t net(int64_t wall_ms, int64_t stall_ms)
{
    if (stall_ms == UNS_NULL || wall_ms == UNS_NULL)
        return wall_ms;
    return wall_ms > stall_ms ? wall_ms - stall_ms : 0;
}

/* When the clocks began, and what they can mean. */
struct frame {
    bool streamed, countable;
    uns_ns began_ns;
    int64_t wall_ms;
};

static struct derived derive(const struct uns_meter *meter,
                             const struct frame *frame)
{
    uns_ns first_ns = meter->first_content_ns;
    uns_ns last_ns = meter->last_content_ns;
    bool gaps = frame->streamed && frame->countable && meter->chunks >= 2;
    struct derived d = {
        .ttft_ms = span(frame->began_ns, first_ns, UNS_MS),
        .ttft_us = span(frame->began_ns, first_ns, 1000),
        .generation_ms =
            frame->streamed ? span(first_ns, last_ns, UNS_MS) : UNS_NULL,
        .stall_ms = gaps ? meter->stall_ns / UNS_MS : UNS_NULL,
        .stall_count = gaps ? meter->stalls : UNS_NULL,
        .tail_ms = span(last_ns, meter->end_ns, UNS_MS),
        .max_gap_ms = gaps ? meter->max_gap_ns / UNS_MS : UNS_NULL,
        .chunk_count = meter->chunks,
        .app_ms = meter->app_ns / UNS_MS,
        .first_byte_ms = span(frame->began_ns, meter->first_byte_ns, UNS_MS),
        .first_event_ms = span(frame->began_ns, meter->first_event_ns, UNS_MS),
        .bytes = meter->bytes,
    };
    d.active_generation_ms = minus(d.generation_ms, d.stall_ms);
    d.net_ms = net(frame->wall_ms, d.stall_ms);
    return d;
}

void uns_meter_call(const struct uns_meter *meter, bool streamed,
                    bool countable, uns_ns began_ns,
                    struct uns_call_record *record)
{
    const struct frame frame = {streamed, countable, began_ns, record->wall_ms};
    const struct derived derived = derive(meter, &frame);
#define X(name) record->name = derived.name;
    DERIVED(X)
#undef X
}

void uns_meter_attempt(const struct uns_meter *meter, bool streamed,
                       bool countable, struct uns_attempt_record *record)
{
    record->wall_ms = span(meter->start_ns, meter->end_ns, UNS_MS);
    const struct frame frame = {streamed, countable, meter->start_ns,
                                record->wall_ms};
    const struct derived derived = derive(meter, &frame);
#define X(name) record->name = derived.name;
    DERIVED(X)
#undef X
}
