/* SPDX-License-Identifier: MIT */
#ifndef UNS_FLIGHT_H
#define UNS_FLIGHT_H

/*
 * flight - the layout of a flight recorder: what is known of each call in
 * flight, in memory that outlives its process (engine/flight_file.h).
 *
 *   head | slot 0 | slot 1 | ...          a file; head: whose, which store
 *   slot = state, facts x2, live x2 for each attempt, timelines
 *
 * One thread writes a slot, and may be killed between any two instructions;
 * anybody reads it meanwhile.  So nothing that was published is written over:
 * of what changes there are two copies, and `turn` says which one holds.  A
 * timeline only grows; when it was thinned it moves to the spare buffer.  Its
 * last entry, which may still change, lies with the attempt's clocks.
 */

#include "flight_slot.h"

/* What a writer remembers of its slot, in memory of its own. */
struct uns_flight_pen {
    /* private */
    struct uns_flight_slot *slot; /* NULL: nothing is recorded */
    uint8_t buffer[UNS_RACE_ATTEMPTS];
    uint8_t spare;
    size_t at[UNS_RACE_ATTEMPTS]; /* as much of its timeline is there */
    uint32_t thinnings[UNS_RACE_ATTEMPTS];
};

/* What has become of an attempt.  All borrowed. */
struct uns_flight_news {
    const struct uns_meter *meter;
    const struct uns_timeline *timeline; /* NULL: none is kept */
    int64_t tokens_in, tokens_out;       /* UNS_NULL: nobody told */
    int32_t http_status;                 /* 0: none yet */
    uint32_t flags;                      /* enum uns_flight_flag */
};

/* Take a free slot, atomically; false: somebody else has it. */
bool uns_flight_take(struct uns_flight_slot *slot);

/* Begin to write a slot that was taken; NULL: a pen that writes nothing. */
void uns_flight_begin(struct uns_flight_pen *pen, struct uns_flight_slot *slot);

/* The facts as they were published last, to be changed; nobody sees that
 * before uns_flight_publish().  The pen has to have a slot. */
struct uns_flight_facts *uns_flight_edit(const struct uns_flight_pen *pen);

/* What was edited holds; the first time the call is in flight from now on. */
void uns_flight_publish(const struct uns_flight_pen *pen);

/* Something became of attempt `a`.  Copies some two hundred bytes; no system
 * call, nothing to wait for. */
void uns_flight_note(struct uns_flight_pen *pen, unsigned a,
                     const struct uns_flight_news *news);

/* The application hears attempt `a`, and was first given something of it at
 * deliver_ns. */
void uns_flight_hear(const struct uns_flight_pen *pen, unsigned a,
                     uns_ns deliver_ns);

/* Its process lives, and works on the call. */
static inline void uns_flight_beat(const struct uns_flight_pen *pen,
                                   uns_ns now_ns)
{
    if (pen->slot)
        __atomic_store_n(&pen->slot->alive_ns, now_ns, __ATOMIC_RELAXED);
}

/* The call is over: its facts are final and wait for the store. */
void uns_flight_finish(const struct uns_flight_pen *pen);

/* The slot is free for others. */
void uns_flight_release(struct uns_flight_slot *slot);

/* One slot as it was at some moment; nothing in it points outside. */
struct uns_flight_view {
    bool done; /* its facts are final */
    uns_ns alive_ns;
    uns_ns deliver_ns; /* UNS_NEVER: nothing was given */
    unsigned voice;    /* the attempt that the application hears;
                          UNS_RACE_ATTEMPTS: none yet */
    struct uns_flight_facts facts;
    struct uns_flight_live live[UNS_RACE_ATTEMPTS];

    struct {
        size_t len;
        uint8_t blob[UNS_TIMELINE_BYTES + UNS_FLIGHT_TAIL];
    } timeline[UNS_RACE_ATTEMPTS];
};

/* Copy a slot, whatever is in it and while it is written.  False: no call is
 * there, it changes all the time, or it is damaged.  A view that was read is
 * sound: numbers in range, texts ended. */
bool uns_flight_read(const struct uns_flight_slot *slot,
                     struct uns_flight_view *view);

/* Its process is gone: make the records of a call that died in flight, by the
 * definitions of the metrics. */
void uns_flight_settle(struct uns_flight_view *view);

/* What uns_flight_publish() puts before the facts. */
uint64_t uns_flight_sum(const struct uns_flight_facts *facts);

/* Can this program read a file that begins so?  Texts are ended, `slots` fit
 * into `bytes`. */
bool uns_flight_head_ok(const struct uns_flight_head *head, uint64_t bytes);

/* A new head: what only depends on this program is filled in. */
void uns_flight_head_init(struct uns_flight_head *head, uint32_t slots);

#endif
