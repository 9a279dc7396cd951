/* SPDX-License-Identifier: MIT */
#ifndef UNS_FLIGHT_SLOT_H
#define UNS_FLIGHT_SLOT_H

/* flight_slot - the structs that lie in a flight recorder's file.  Only
 * core/flight.c writes them, and readers use its views. */

#include "meter.h"
#include "timeline.h"

/* Of an entry of a timeline that may still change. */
#define UNS_FLIGHT_TAIL 40

/* Three attempts of a call have a timeline here, and one buffer is spare; of
 * a fourth and fifth only the clocks are kept. */
#define UNS_FLIGHT_TIMELINES 3
#define UNS_FLIGHT_BUFFERS   (UNS_FLIGHT_TIMELINES + 1)
#define UNS_FLIGHT_NO_BUFFER 0xff

#define UNS_FLIGHT_HEAD_BYTES 4096
#define UNS_FLIGHT_STORE      3072
#define UNS_FLIGHT_BOOT       40

enum uns_flight_state {
    UNS_FLIGHT_FREE,
    UNS_FLIGHT_TAKEN, /* no call yet, or not yet told */
    UNS_FLIGHT_LIVE,  /* in flight */
    UNS_FLIGHT_DONE   /* over; its record waits for the store */
};

/* Who writes the file, so that others can tell whether it still lives. */
struct uns_flight_head {
    uint64_t magic;
    uint64_t layout; /* of these structs and of the records */
    uint32_t slots;
    int32_t pid;     /* in its own pid namespace ... */
    uint64_t pid_ns; /* ... which is this one (its inode) */
    uint64_t start;  /* of the process, in ticks since the boot */
    uint64_t opened_ns;
    char boot[UNS_FLIGHT_BOOT];
    char store[UNS_FLIGHT_STORE]; /* path of the database */
};

/* What changes seldom: at the call's begin and end, and at each launch. */
struct uns_flight_facts {
    uint64_t sum; /* of all that follows */
    uint32_t attempts;
    uint8_t streamed;  /* gaps can mean something ... */
    uint8_t countable; /* ... and there is one answer to count in */
    uint8_t spare[2];
    uns_ns begin_ns;
    uns_ns stall_threshold_ns;
    struct uns_call_record call;
    struct uns_attempt_record attempt[UNS_RACE_ATTEMPTS];
};

/* What became of an attempt so far. */
enum uns_flight_flag {
    UNS_FLIGHT_CONNECTED = 1,
    UNS_FLIGHT_ENDED = 2, /* by itself */
    UNS_FLIGHT_CANCELLED = 4,
    UNS_FLIGHT_FAILED = 8,
    UNS_FLIGHT_DOCUMENT = 16 /* its answer is no stream */
};

/* What changes with every piece. */
struct uns_flight_live {
    struct uns_meter meter; /* without its timeline */
    int64_t tokens_in, tokens_out;
    int32_t http_status; /* 0: none yet */
    uint32_t flags;      /* enum uns_flight_flag */
    uint32_t len;        /* of the timeline, without its last entry */
    uint8_t buffer;      /* where it lies; UNS_FLIGHT_NO_BUFFER: nowhere */
    uint8_t tail_len;
    uint8_t tail[UNS_FLIGHT_TAIL]; /* the last entry */
    uint8_t spare[2];
};

struct uns_flight_slot {
    uint32_t state; /* enum uns_flight_state */
    uint32_t turn;  /* facts[turn & 1] hold; counts on for ever */
    uint32_t voice;
    uint32_t spare;
    int64_t deliver_ns; /* first byte given to the application; UNS_NEVER */
    int64_t alive_ns;   /* last sign of life */
    struct uns_flight_facts facts[2];

    struct {
        uint64_t turn;
        struct uns_flight_live copy[2];
    } live[UNS_RACE_ATTEMPTS];

    uint8_t timeline[UNS_FLIGHT_BUFFERS][UNS_TIMELINE_BYTES];
};

#endif
