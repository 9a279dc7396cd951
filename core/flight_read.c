/* SPDX-License-Identifier: MIT */

/*
 * flight_read - reading a slot, of a process that lives or of one that was
 * killed.  The file may have been damaged since: all that is used as an index,
 * a length, a text or a time is checked here, once.
 */

#include "flight.h"

#include <string.h>

/* A slot that is written all the time is left for the next look. */
#define TRIES 100

/* Times and counts beyond any real one, far from overflow. */
#define LIMIT ((int64_t)1 << 60)

static uint32_t load32(const uint32_t *from)
{
    return __atomic_load_n(from, __ATOMIC_ACQUIRE);
}

static void end_texts(void *record, enum uns_metric_table table)
{
    size_t count;
    const struct uns_metric *metric = uns_metrics(&count);

    for (; count > 0; count--, metric++)
        if (metric->table == table && metric->is_text)
            ((char *)record)[metric->offset + metric->size - 1] = '\0';
}

static bool is_real(int64_t value)
{
    return value >= 0 && value < LIMIT;
}

static void make_time(uns_ns *ns)
{
    if (!is_real(*ns))
        *ns = UNS_NEVER;
}

static void make_count(int64_t *count)
{
    if (!is_real(*count))
        *count = 0;
}

static void make_sane(struct uns_meter *meter)
{
    uns_ns *const times[] = {
        &meter->first_byte_ns,    &meter->last_byte_ns,
        &meter->first_event_ns,   &meter->last_event_ns,
        &meter->first_content_ns, &meter->last_content_ns,
        &meter->paused_ns,        &meter->end_ns,
    };

    int64_t *const counts[] = {
        &meter->threshold_ns, &meter->start_ns,   &meter->ready_ns,
        &meter->stall_ns,     &meter->max_gap_ns, &meter->app_ns,
        &meter->stalls,       &meter->chunks,     &meter->bytes,
    };

    meter->timeline = NULL;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        make_time(times[i]);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        make_count(counts[i]);
}

static bool read_facts(const struct uns_flight_slot *slot,
                       struct uns_flight_facts *facts)
{
    *facts = slot->facts[load32(&slot->turn) & 1];
    if (facts->sum != uns_flight_sum(facts) || facts->attempts == 0 ||
        facts->attempts > UNS_RACE_ATTEMPTS || !is_real(facts->begin_ns))
        return false;
    make_count(&facts->stall_threshold_ns);
    end_texts(&facts->call, UNS_METRIC_CALLS);
    for (unsigned a = 0; a < UNS_RACE_ATTEMPTS; a++)
        end_texts(&facts->attempt[a], UNS_METRIC_ATTEMPTS);
    return true;
}

static void read_timeline(const struct uns_flight_slot *slot, unsigned a,
                          struct uns_flight_view *view)
{
    const struct uns_flight_live *live = &view->live[a];
    uint8_t *blob = view->timeline[a].blob;

    view->timeline[a].len = 0;
    if (live->buffer >= UNS_FLIGHT_BUFFERS || live->len > UNS_TIMELINE_BYTES ||
        live->tail_len > UNS_FLIGHT_TAIL)
        return;
    memcpy(blob, slot->timeline[live->buffer], live->len);
    memcpy(blob + live->len, live->tail, live->tail_len);
    view->timeline[a].len = live->len + live->tail_len;
}

/* Its clocks and its timeline, of one moment. */
static bool read_attempt(const struct uns_flight_slot *slot, unsigned a,
                         struct uns_flight_view *view)
{
    const uint64_t *now = &slot->live[a].turn;
    uint64_t turn = __atomic_load_n(now, __ATOMIC_ACQUIRE);

    view->live[a] = slot->live[a].copy[turn & 1];
    read_timeline(slot, a, view);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (__atomic_load_n(now, __ATOMIC_RELAXED) != turn)
        return false;
    make_sane(&view->live[a].meter);
    return true;
}

static bool read_once(const struct uns_flight_slot *slot, uint32_t state,
                      struct uns_flight_view *view)
{
    uint32_t turn = load32(&slot->turn);

    if (!read_facts(slot, &view->facts))
        return false;
    for (unsigned a = 0; a < view->facts.attempts; a++)
        if (!read_attempt(slot, a, view))
            return false;
    view->done = state == UNS_FLIGHT_DONE;
    view->alive_ns = __atomic_load_n(&slot->alive_ns, __ATOMIC_RELAXED);
    view->deliver_ns = __atomic_load_n(&slot->deliver_ns, __ATOMIC_RELAXED);
    view->voice = load32(&slot->voice);
    make_count(&view->alive_ns);
    make_time(&view->deliver_ns);
    if (view->voice >= view->facts.attempts)
        view->voice = UNS_RACE_ATTEMPTS;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return load32(&slot->state) == state && load32(&slot->turn) == turn;
}

bool uns_flight_read(const struct uns_flight_slot *slot,
                     struct uns_flight_view *view)
{
    for (int i = 0; i < TRIES; i++) {
        uint32_t state = load32(&slot->state);

        if (state != UNS_FLIGHT_LIVE && state != UNS_FLIGHT_DONE)
            return false;
        if (read_once(slot, state, view))
            return true;
    }
    return false;
}

/* --- a call that was killed -----------------------------------------------*/

static uns_ns later(uns_ns a, uns_ns b)
{
    return b != UNS_NEVER && b > a ? b : a;
}

/* The last sign of life. */
static uns_ns end_of(const struct uns_flight_view *view)
{
    uns_ns end = later(view->facts.begin_ns, view->alive_ns);

    for (unsigned a = 0; a < view->facts.attempts; a++) {
        const struct uns_meter *meter = &view->live[a].meter;

        end = later(end, later(meter->start_ns, meter->last_byte_ns));
        end = later(
            end,
            later(meter->last_event_ns == UNS_NEVER ? 0 : meter->last_event_ns,
                  meter->last_content_ns));
    }
    return end;
}

static void put(char *to, const char *text)
{
    memcpy(to, text, strlen(text) + 1);
}

static const char *became(uint32_t flags)
{
    if (flags & UNS_FLIGHT_CANCELLED)
        return "hedge_cancelled";
    if (flags & UNS_FLIGHT_FAILED)
        return "failed";
    return flags & UNS_FLIGHT_ENDED ? "lost" : "killed";
}

static bool is_streamed(const struct uns_flight_view *view, unsigned a)
{
    return view->facts.streamed && !(view->live[a].flags & UNS_FLIGHT_DOCUMENT);
}

static void settle_attempt(struct uns_flight_view *view, unsigned a,
                           uns_ns end_ns)
{
    struct uns_attempt_record *record = &view->facts.attempt[a];
    struct uns_flight_live *live = &view->live[a];

    uns_meter_end(&live->meter, end_ns);
    put(record->outcome, became(live->flags));
    record->http_status = live->http_status ? live->http_status : UNS_NULL;
    record->tokens_in = live->tokens_in;
    record->tokens_out = live->tokens_out;
    uns_meter_attempt(&live->meter, is_streamed(view, a), view->facts.countable,
                      record);
}

/* The silence at the end; a pause is the application's, not the network's. */
static int64_t silence(const struct uns_flight_view *view,
                       const struct uns_meter *meter, uns_ns end_ns)
{
    uns_ns from = meter->chunks ? meter->ready_ns : view->facts.begin_ns;

    if (meter->paused_ns != UNS_NEVER)
        return UNS_NULL;
    return end_ns > from ? (end_ns - from) / UNS_MS : 0;
}

void uns_flight_settle(struct uns_flight_view *view)
{
    struct uns_call_record *call = &view->facts.call;
    uns_ns begin_ns = view->facts.begin_ns, end_ns = end_of(view);
    bool heard =
        view->voice < UNS_RACE_ATTEMPTS && view->deliver_ns != UNS_NEVER;
    unsigned by = view->voice < UNS_RACE_ATTEMPTS ? view->voice : 0;
    const struct uns_flight_live *live = &view->live[by];

    put(call->outcome, "killed");
    call->silent_ms = silence(view, &live->meter, end_ns);
    for (unsigned a = 0; a < view->facts.attempts; a++)
        settle_attempt(view, a, end_ns);
    call->winner = heard ? (int64_t)by : UNS_NULL;
    call->http_status = view->facts.attempt[by].http_status;
    call->dns_ms = view->facts.attempt[by].dns_ms;
    call->connect_ms = view->facts.attempt[by].connect_ms;
    call->tls_ms = view->facts.attempt[by].tls_ms;
    call->attempts = view->facts.attempts;
    call->tokens_in = live->tokens_in;
    call->tokens_out = live->tokens_out;
    call->wall_ms = (end_ns - begin_ns) / UNS_MS;
    if (view->deliver_ns != UNS_NEVER && view->deliver_ns > begin_ns)
        call->delivered_ms = (view->deliver_ns - begin_ns) / UNS_MS;
    uns_meter_call(&live->meter, is_streamed(view, by), view->facts.countable,
                   begin_ns, call);
}
