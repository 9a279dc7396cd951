/* SPDX-License-Identifier: MIT */

/*
 * flight - writing a slot.  A store that publishes comes after all that it
 * publishes (release); a kill lets a prefix of the stores happen, which is
 * what another thread may see as well.
 */

#include "flight.h"

#include <string.h>

#define MAGIC 0x31746867696c6675 /* "uflight1" */

/* Word by word, each shuffled: damage of any kind changes it.  `len` is a
 * multiple of eight. */
static uint64_t sum_of(const void *bytes, size_t len, uint64_t sum)
{
    const unsigned char *at = bytes;
    uint64_t word;

    for (; len >= sizeof word; len -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 32;
    }
    return sum;
}

uint64_t uns_flight_sum(const struct uns_flight_facts *facts)
{
    const size_t skip = sizeof facts->sum;

    return sum_of((const char *)facts + skip, sizeof *facts - skip, MAGIC);
}

static uint64_t sum_text(const char *text, uint64_t sum)
{
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3;
    return sum;
}

/* Another version of unstall may keep other facts. */
static uint64_t layout(void)
{
    size_t count;
    const struct uns_metric *metric = uns_metrics(&count);
    uint64_t sum = sizeof(struct uns_flight_slot);

    for (; count > 0; count--, metric++) {
        uint64_t place = metric->offset * (uint64_t)65536 + metric->size;

        sum = sum_of(&place, sizeof place, sum_text(metric->name, sum));
    }
    return sum;
}

void uns_flight_head_init(struct uns_flight_head *head, uint32_t slots)
{
    memset(head, 0, sizeof *head);
    head->magic = MAGIC;
    head->layout = layout();
    head->slots = slots;
}

bool uns_flight_head_ok(const struct uns_flight_head *head, uint64_t bytes)
{
    return bytes >= UNS_FLIGHT_HEAD_BYTES && head->magic == MAGIC &&
           head->layout == layout() && head->pid > 0 &&
           head->slots <= (bytes - UNS_FLIGHT_HEAD_BYTES) /
                              sizeof(struct uns_flight_slot) &&
           memchr(head->boot, '\0', sizeof head->boot) &&
           memchr(head->store, '\0', sizeof head->store);
}

/* --- the writer -----------------------------------------------------------*/

bool uns_flight_take(struct uns_flight_slot *slot)
{
    uint32_t free = UNS_FLIGHT_FREE;

    return __atomic_compare_exchange_n(&slot->state, &free, UNS_FLIGHT_TAKEN,
                                       false, __ATOMIC_ACQUIRE,
                                       __ATOMIC_RELAXED);
}

void uns_flight_release(struct uns_flight_slot *slot)
{
    __atomic_store_n(&slot->state, UNS_FLIGHT_FREE, __ATOMIC_RELEASE);
}

static void forget(struct uns_flight_slot *slot)
{
    const struct uns_flight_live nothing = {.buffer = UNS_FLIGHT_NO_BUFFER};

    slot->voice = UNS_RACE_ATTEMPTS;
    slot->deliver_ns = UNS_NEVER;
    for (unsigned a = 0; a < UNS_RACE_ATTEMPTS; a++)
        slot->live[a].copy[slot->live[a].turn & 1] = nothing;
}

void uns_flight_begin(struct uns_flight_pen *pen, struct uns_flight_slot *slot)
{
    struct uns_flight_facts *facts;

    memset(pen, 0, sizeof *pen);
    pen->slot = slot;
    if (!slot)
        return;
    forget(slot);
    for (uint8_t a = 0; a < UNS_RACE_ATTEMPTS; a++)
        pen->buffer[a] = a < UNS_FLIGHT_TIMELINES ? a : UNS_FLIGHT_NO_BUFFER;
    pen->spare = UNS_FLIGHT_TIMELINES;
    facts = &slot->facts[slot->turn & 1];
    memset(facts, 0, sizeof *facts);
    uns_call_record_clear(&facts->call);
    for (unsigned a = 0; a < UNS_RACE_ATTEMPTS; a++)
        uns_attempt_record_clear(&facts->attempt[a]);
}

struct uns_flight_facts *uns_flight_edit(const struct uns_flight_pen *pen)
{
    struct uns_flight_slot *slot = pen->slot;
    struct uns_flight_facts *next = &slot->facts[(slot->turn + 1) & 1];

    *next = slot->facts[slot->turn & 1];
    return next;
}

void uns_flight_publish(const struct uns_flight_pen *pen)
{
    struct uns_flight_slot *slot = pen->slot;
    struct uns_flight_facts *next = &slot->facts[(slot->turn + 1) & 1];

    next->sum = uns_flight_sum(next);
    __atomic_store_n(&slot->turn, slot->turn + 1, __ATOMIC_RELEASE);
    if (__atomic_load_n(&slot->state, __ATOMIC_RELAXED) == UNS_FLIGHT_TAKEN)
        __atomic_store_n(&slot->state, UNS_FLIGHT_LIVE, __ATOMIC_RELEASE);
}

void uns_flight_finish(const struct uns_flight_pen *pen)
{
    if (pen->slot)
        __atomic_store_n(&pen->slot->state, UNS_FLIGHT_DONE, __ATOMIC_RELEASE);
}

/* A timeline that was thinned is another one: it goes where nobody reads. */
static void move(struct uns_flight_pen *pen, unsigned a,
                 const struct uns_timeline *timeline)
{
    uint8_t spare = pen->buffer[a];

    pen->buffer[a] = pen->spare;
    pen->spare = spare;
    pen->at[a] = 0;
    pen->thinnings[a] = timeline->thinnings;
}

/* Readers look no further than where the last published entry begins. */
static void copy_timeline(struct uns_flight_pen *pen, unsigned a,
                          struct uns_flight_live *live,
                          const struct uns_timeline *timeline)
{
    size_t end = timeline->last_at, tail = timeline->len - end;

    if (tail > sizeof live->tail || timeline->len > UNS_TIMELINE_BYTES)
        return;
    if (pen->thinnings[a] != timeline->thinnings)
        move(pen, a, timeline);
    if (end > pen->at[a])
        memcpy(pen->slot->timeline[pen->buffer[a]] + pen->at[a],
               timeline->buf + pen->at[a], end - pen->at[a]);
    pen->at[a] = end;
    memcpy(live->tail, timeline->buf + end, tail);
    live->tail_len = (uint8_t)tail;
    live->len = (uint32_t)end;
    live->buffer = pen->buffer[a];
}

void uns_flight_note(struct uns_flight_pen *pen, unsigned a,
                     const struct uns_flight_news *news)
{
    struct uns_flight_slot *slot = pen->slot;
    struct uns_flight_live *next;
    uint64_t turn;

    if (!slot)
        return;
    turn = slot->live[a].turn + 1;
    next = &slot->live[a].copy[turn & 1];
    next->meter = *news->meter;
    next->meter.timeline = NULL;
    next->tokens_in = news->tokens_in;
    next->tokens_out = news->tokens_out;
    next->http_status = news->http_status;
    next->flags = news->flags;
    next->buffer = UNS_FLIGHT_NO_BUFFER;
    if (news->timeline && pen->buffer[a] != UNS_FLIGHT_NO_BUFFER)
        copy_timeline(pen, a, next, news->timeline);
    __atomic_store_n(&slot->live[a].turn, turn, __ATOMIC_RELEASE);
}

void uns_flight_hear(const struct uns_flight_pen *pen, unsigned a,
                     uns_ns deliver_ns)
{
    if (!pen->slot)
        return;
    __atomic_store_n(&pen->slot->deliver_ns, deliver_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&pen->slot->voice, a, __ATOMIC_RELAXED);
}
