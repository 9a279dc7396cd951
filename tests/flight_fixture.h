/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_FLIGHT_FIXTURE_H
#define UNS_TESTS_FLIGHT_FIXTURE_H

/* flight_fixture - a call in a slot, with attempts that get chunks. */

#include "check.h"
#include "core/flight.h"

#include <stdio.h>
#include <stdlib.h>

#define BEGIN (100 * UNS_S)

struct flown {
    struct uns_meter meter;
    struct uns_timeline timeline;
    uint8_t moments[UNS_TIMELINE_BYTES];
    uint32_t flags;
    int status;
};

struct flight {
    struct uns_flight_slot *slot;
    struct uns_flight_pen pen;
    struct flown attempt[UNS_RACE_ATTEMPTS];
    unsigned attempts;
    struct uns_flight_view view;
};

static inline void flight_note(struct flight *f, unsigned a)
{
    const struct uns_flight_news news = {
        .meter = &f->attempt[a].meter,
        .timeline = &f->attempt[a].timeline,
        .tokens_in = UNS_NULL,
        .tokens_out = 7,
        .http_status = f->attempt[a].status,
        .flags = f->attempt[a].flags,
    };

    uns_flight_note(&f->pen, a, &news);
}

static inline void flight_publish(struct flight *f, const char *uuid)
{
    struct uns_flight_facts *facts = uns_flight_edit(&f->pen);

    snprintf(facts->call.uuid, sizeof facts->call.uuid, "%s", uuid);
    facts->attempts = f->attempts;
    facts->streamed = facts->countable = true;
    facts->begin_ns = BEGIN;
    facts->stall_threshold_ns = 2 * UNS_S;
    for (unsigned a = 0; a < f->attempts; a++)
        facts->attempt[a].seq = a;
    uns_flight_publish(&f->pen);
}

/* One more attempt, sent at that time. */
static inline void flight_send(struct flight *f, uns_ns now_ns)
{
    struct flown *flown = &f->attempt[f->attempts];

    uns_timeline_init(&flown->timeline, flown->moments, sizeof flown->moments,
                      2 * UNS_S);
    uns_meter_init(&flown->meter, 2 * UNS_S, &flown->timeline, now_ns);
    flight_note(f, f->attempts++);
    flight_publish(f, "call");
}

static inline void flight_chunk(struct flight *f, unsigned a, uns_ns now_ns)
{
    uns_meter_piece(&f->attempt[a].meter, 10, 1, true, false, now_ns);
    flight_note(f, a);
}

/* In a slot that was taken. */
static inline void flight_open_in(struct flight *f,
                                  struct uns_flight_slot *slot)
{
    f->attempts = 0;
    memset(f->attempt, 0, sizeof f->attempt);
    f->slot = slot;
    uns_flight_begin(&f->pen, slot);
    uns_flight_beat(&f->pen, BEGIN);
    flight_send(f, BEGIN);
}

static inline int flight_setup(void **state)
{
    struct flight *f = calloc(1, sizeof *f);

    assert_non_null(f);
    f->slot = calloc(1, sizeof *f->slot);
    assert_non_null(f->slot);
    assert_true(uns_flight_take(f->slot));
    flight_open_in(f, f->slot);
    *state = f;
    return 0;
}

static inline int flight_teardown(void **state)
{
    struct flight *f = *state;

    free(f->slot);
    free(f);
    return 0;
}

/* What its timeline holds: chunks, and gaps over the threshold. */
struct flight_sum {
    int64_t chunks, stalls;
};

static inline struct flight_sum flight_sum(const struct uns_flight_view *view,
                                           unsigned a)
{
    struct flight_sum sum = {0};
    struct uns_moment moment = {0};

    for (size_t at = 0; uns_timeline_next(
             view->timeline[a].blob, view->timeline[a].len, &at, &moment);) {
        if (moment.mark != UNS_MARK_CHUNK)
            continue;
        sum.chunks += moment.count;
        sum.stalls += moment.gap_ns > view->facts.stall_threshold_ns;
    }
    return sum;
}

#endif
