/* SPDX-License-Identifier: MIT */
#ifndef UNS_RACE_H
#define UNS_RACE_H

/*
 * race - which attempt answers the application, as a table.
 *
 * Pure: no I/O, no clock, no memory.  The driver feeds events with the time
 * at which they arrived, takes what is to be done (uns_race_take), does it,
 * and asks when to call again (uns_race_deadline).  Events of one pass are fed
 * by arrival, ties by attempt number, and uns_race_tick() comes last, so a
 * chunk and its deadline in the same pass are won by the chunk.
 *
 *            content                      stall, or lead lost
 *   OPEN ---------------> HELD ------------------------------> DUEL
 *    |   (hold > 0)        |  <------------------------------   |
 *    | content (hold 0)    | window over, complete    progress  |
 *    v                     v                                    v
 *   COMMITTED <------------+---- (first progress decides) ------+
 *    | complete
 *    v
 *   ENDED
 *
 * An attempt runs WAIT -> RUN -> LIVE -> FIN and ends DONE, LOST or
 * CANCELLED; events of an ended attempt are ignored.
 */

#include "units.h"

#include <stdbool.h>

/* Requests that one call may ever send. */
#define UNS_RACE_ATTEMPTS 5

/* No attempt. */
#define UNS_RACE_NOBODY 0xff

enum uns_race_state {
    UNS_RACE_OPEN,
    UNS_RACE_HELD,
    UNS_RACE_DUEL,
    UNS_RACE_COMMITTED,
    UNS_RACE_ENDED,
    UNS_RACE_STATE_COUNT
};

enum uns_attempt_state {
    UNS_ATTEMPT_NONE, /* slot not used yet */
    UNS_ATTEMPT_WAIT, /* sent, no byte yet */
    UNS_ATTEMPT_RUN,  /* bytes, but no content */
    UNS_ATTEMPT_LIVE, /* content or structural event seen */
    UNS_ATTEMPT_FIN,  /* finish seen */
    UNS_ATTEMPT_DONE, /* complete */
    UNS_ATTEMPT_LOST,
    UNS_ATTEMPT_CANCELLED,
    UNS_ATTEMPT_STATE_COUNT
};

enum uns_race_event {
    UNS_EV_BYTES,    /* first byte; only moves WAIT to RUN */
    UNS_EV_PROGRESS, /* content or structural event */
    UNS_EV_FINISH,
    UNS_EV_COMPLETE,
    UNS_EV_REFUSED, /* attempt 0 only: its status is the answer */
    UNS_EV_LOST,
    UNS_EV_OVERFLOW, /* held too much, or the body cannot be read */
    UNS_EV_COUNT
};

/* Why a rival is wanted; stored as hedge_reason. */
enum uns_why {
    UNS_WHY_NOTHING,
    UNS_WHY_FIRST_TOKEN,
    UNS_WHY_STALL,
    UNS_WHY_FAILURE,
    UNS_WHY_TIED,
    UNS_WHY_RETRY,
    UNS_WHY_RESUME,
    UNS_WHY_COUNT
};

/* How the call ends, once the driver is told to end it. */
enum uns_race_end {
    UNS_END_NONE,     /* not yet */
    UNS_END_LEAD,     /* with the lead's own bytes and code */
    UNS_END_FALLBACK, /* all failed: todo.lead's own bytes and code (18,
                         CURLE_PARTIAL_FILE, when it was cancelled) */
    UNS_END_TTFT,     /* 28: ttft_timeout_s of todo.lead ran out */
    UNS_END_STALL,    /* 28: stall_timeout_s of todo.lead ran out */
    UNS_END_TIMEOUT,  /* 28: the application's total timeout */
    UNS_END_ABORT,    /* the application's own: libcurl's code for it */
    UNS_END_COUNT
};

/* Durations: UNS_NEVER is off. */
struct uns_race_rules {
    uns_ns after_ns;         /* R2; 0: one tied rival at the start */
    uns_ns stall_after_ns;   /* R4 */
    uns_ns hold_ns;          /* R5; 0: commit at once; UNS_NEVER: hold all */
    uns_ns ttft_timeout_ns;  /* R8, from an attempt's start */
    uns_ns stall_timeout_ns; /* R8, after its last progress */
    uns_ns total_ns;         /* R9, the application's timeout for the call */
    uint8_t max_attempts;    /* 1..UNS_RACE_ATTEMPTS, attempt 0 included */
    bool failover;           /* R3: a lost attempt starts the next */
    bool first_complete;     /* decide: first_complete (needs hold all) */
};

/* What the driver has to do now.  Filled by events, emptied by take(). */
struct uns_race_todo {
    bool launch;      /* start the next usable source ... */
    enum uns_why why; /* ... for this reason; answer with launched/none */
    bool give;        /* hand the lead's held bytes over, then pass
                         everything of it through */
    uint8_t lead;     /* UNS_RACE_NOBODY: nobody leads */
    uint8_t cancel;   /* bit a: cancel attempt a after this pass */
    enum uns_race_end end;
};

struct uns_race_attempt {
    enum uns_attempt_state state;
    uns_ns start_ns;
    uns_ns progress_ns; /* last progress; start_ns before the first */
    uint64_t bytes;     /* body bytes so far: the driver keeps it current, to
                           let FALLBACK find the fullest */
};

struct uns_race {
    /* private, but for attempt[].bytes; sizes are public for embedding */
    struct uns_race_rules rules;
    struct uns_race_todo todo;
    struct uns_race_attempt attempt[UNS_RACE_ATTEMPTS];
    enum uns_race_state state;
    uint8_t attempts; /* launched so far, attempt 0 included */
    uint8_t lead;
    uint8_t none;      /* a launch was refused: timers ask no more */
    uint8_t truncated; /* the answer given is known to be incomplete */
    uns_ns begin_ns;
    uns_ns launch_ns; /* last launch, or the start */
    uns_ns window_ns; /* hold window opened */
    uns_ns paused_ns; /* application paused since; UNS_NEVER: it is not */
};

/* Start: attempt 0 is in flight.  A race owns nothing and needs no done(). */
void uns_race_init(struct uns_race *race, const struct uns_race_rules *rules,
                   uns_ns now_ns);

/* One event of attempt `a`.  Meaningless, late and duplicate events are normal
 * and ignored. */
void uns_race_event(struct uns_race *race, enum uns_race_event event,
                    unsigned a, uns_ns now_ns);

/* Deadlines; last in a pass. */
void uns_race_tick(struct uns_race *race, uns_ns now_ns);

/* Answers to todo.launch: it is in flight (returns its attempt number), or
 * there is no source that can be used. */
unsigned uns_race_launched(struct uns_race *race, uns_ns now_ns);
void uns_race_none(struct uns_race *race, uns_ns now_ns);

/* The application's own doings: its total timeout struck inside libcurl (R9);
 * it aborted or removed the call (P6). */
void uns_race_timeout(struct uns_race *race, uns_ns now_ns);
void uns_race_abort(struct uns_race *race, uns_ns now_ns);

/* A fault of our own after something was sent: rivals go (unless one leads),
 * what was held is given, the rest passes through, nothing is sent again. */
void uns_race_fault(struct uns_race *race, uns_ns now_ns);

/* The application paused or unpaused the lead: its clocks stand still. */
void uns_race_pause(struct uns_race *race, uns_ns now_ns);
void uns_race_unpause(struct uns_race *race, uns_ns now_ns);

/* What is to be done, once: the todo is empty afterwards. */
struct uns_race_todo uns_race_take(struct uns_race *race);

/* When tick() has to be called at the latest; UNS_NEVER: no need. */
uns_ns uns_race_deadline(const struct uns_race *race);

#endif
