/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_DRAW_FIXTURE_H
#define UNS_TESTS_DRAW_FIXTURE_H

/* draw_fixture - calls to be drawn, from tables, and their drawings. */

#include "check.h"
#include "cli/draw.h"
#include "core/timeline.h"

#include <stdio.h>
#include <stdlib.h>

static char drawn[16384];

static inline void collect(void *arg, const char *line)
{
    size_t used = strlen(drawn);

    (void)arg;
    snprintf(drawn + used, sizeof drawn - used, "%s\n", line);
}

static inline const char *draw(const struct uns_entry *entry, int width,
                               bool utf8, bool color)
{
    const struct uns_draw how = {width, utf8, color};

    drawn[0] = '\0';
    assert_true(uns_draw_call(entry, &how, collect, NULL));
    return drawn;
}

/* Moments in milliseconds: {mark, at, gap, span, count}. */
struct spot {
    enum uns_mark mark;
    int at_ms, gap_ms, span_ms;
    unsigned count;
};

struct attempt {
    const char *source, *outcome;
    int64_t started_ms, wall_ms, ttft_ms, generation_ms;
    struct spot spots[12];
};

#define NONE UNS_NULL

static inline void set_timeline(struct uns_entry *entry, unsigned i,
                                const struct spot *spots)
{
    struct uns_timeline timeline;

    if (spots[0].count == 0)
        return;
    entry->timeline[i].data = malloc(UNS_TIMELINE_BYTES);
    uns_timeline_init(&timeline, entry->timeline[i].data, UNS_TIMELINE_BYTES,
                      UNS_S);
    for (; spots->count > 0; spots++)
        uns_timeline_note(&timeline, &(struct uns_moment){
                                         .mark = spots->mark,
                                         .count = spots->count,
                                         .at_ns = spots->at_ms * UNS_MS,
                                         .span_ns = spots->span_ms * UNS_MS,
                                         .gap_ns = spots->gap_ms * UNS_MS,
                                     });
    entry->timeline[i].len = timeline.len;
}

static inline struct uns_entry *
make(int64_t winner, const struct attempt *attempts, unsigned count)
{
    struct uns_entry *entry = uns_entry_new();

    assert_non_null(entry);
    entry->stall_threshold_ns = 2 * UNS_S;
    entry->attempts = count;
    entry->call.winner = winner;
    for (unsigned i = 0; i < count; i++) {
        struct uns_attempt_record *record = &entry->attempt[i];

        record->seq = i;
        record->started_ms = attempts[i].started_ms;
        record->wall_ms = attempts[i].wall_ms;
        record->ttft_ms = attempts[i].ttft_ms;
        record->generation_ms = attempts[i].generation_ms;
        strcpy(record->source, attempts[i].source);
        strcpy(record->outcome, attempts[i].outcome);
        set_timeline(entry, i, attempts[i].spots);
    }
    return entry;
}

/* Five columns are a second here.  A hedge that won after the stall of the
 * lead ended too late, and of which the silence after that never ended. */
static const struct attempt hedged[] = {
    {"self",
     "hedge_cancelled",
     0,
     8400,
     500,
     5000,
     {
         {UNS_MARK_OTHER, 250, 0, 0, 1},
         {UNS_MARK_CHUNK, 500, 0, 500, 10},
         {UNS_MARK_OTHER, 3000, 0, 0, 1},
         {UNS_MARK_CHUNK, 5500, 4500, 0, 1},
     }},
    {"backup",
     "won",
     7500,
     1300,
     700,
     500,
     {
         {UNS_MARK_CHUNK, 700, 0, 500, 10},
     }},
};

#endif
