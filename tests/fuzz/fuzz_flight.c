/* SPDX-License-Identifier: MIT */
/* Any bytes in a slot give a sound view or none, whole or in the middle of
 * being written, and a view can always be settled into a record. */
#include "core/flight.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct uns_flight_slot slot;
static struct uns_flight_view view;

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* A call in flight, with three chunks. */
static void fly(void)
{
    static uint8_t moments[UNS_TIMELINE_BYTES];
    struct uns_timeline timeline;
    struct uns_meter meter;
    struct uns_flight_pen pen;
    const struct uns_flight_news news = {&meter, &timeline, 1, 2, 200, 0};

    memset(&slot, 0, sizeof slot);
    (void)uns_flight_take(&slot);
    uns_flight_begin(&pen, &slot);
    uns_timeline_init(&timeline, moments, sizeof moments, UNS_S);
    uns_meter_init(&meter, UNS_S, &timeline, UNS_S);
    for (int i = 0; i < 3; i++) {
        uns_meter_piece(&meter, 9, 1, true, false, (i + 2) * UNS_S);
        uns_flight_note(&pen, 0, &news);
    }
    uns_flight_edit(&pen)->attempts = 1;
    uns_flight_publish(&pen);
}

/* Three bytes a change: where, in steps that reach all, and what. */
static void damage(const uint8_t *data, size_t size)
{
    uint8_t *bytes = (uint8_t *)&slot;
    const size_t records = offsetof(struct uns_flight_slot, timeline);

    for (size_t i = 0; i + 3 <= size; i += 3) {
        size_t at = (size_t)(data[i] << 8 | data[i + 1]) % records;

        bytes[at] ^= data[i + 2];
    }
}

/* The sum is there against accidents; behind it all must be sound, too. */
static void repair(void)
{
    for (unsigned i = 0; i < 2; i++)
        slot.facts[i].sum = uns_flight_sum(&slot.facts[i]);
}

static void check_texts(const void *record, enum uns_metric_table table)
{
    size_t count;
    const struct uns_metric *metric = uns_metrics(&count);

    for (; count > 0; count--, metric++)
        if (metric->table == table && metric->is_text)
            must(memchr((const char *)record + metric->offset, '\0',
                        metric->size) != NULL,
                 "a text without an end");
}

static void check(void)
{
    must(view.facts.attempts >= 1 && view.facts.attempts <= UNS_RACE_ATTEMPTS,
         "attempts");
    must(view.voice == UNS_RACE_ATTEMPTS || view.voice < view.facts.attempts,
         "voice");
    uns_flight_settle(&view);
    check_texts(&view.facts.call, UNS_METRIC_CALLS);
    for (unsigned a = 0; a < view.facts.attempts; a++) {
        struct uns_moment moment = {.count = 0};
        size_t at = 0;

        check_texts(&view.facts.attempt[a], UNS_METRIC_ATTEMPTS);
        must(view.timeline[a].len <= sizeof view.timeline[a].blob, "length");
        while (uns_timeline_next(view.timeline[a].blob, view.timeline[a].len,
                                 &at, &moment))
            must(at <= view.timeline[a].len, "read beyond");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct uns_flight_head head;

    if (size < 1)
        return 0;
    fly();
    damage(data + 1, size - 1);
    if (data[0] & 1)
        repair();
    if (uns_flight_read(&slot, &view))
        check();
    memset(&head, 0, sizeof head);
    memcpy(&head, data, size < sizeof head ? size : sizeof head);
    must(!uns_flight_head_ok(&head, size) || head.slots < size, "head");
    return 0;
}
