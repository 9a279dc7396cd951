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
 *    |  <--> RESUME (stall, or lead lost: a rival has to get beyond)
 *    v complete
 *   ENDED
 *
 * An attempt runs WAIT -> RUN -> LIVE -> FIN and ends DONE, LOST or
 * CANCELLED; events of an ended attempt are ignored.
 */

#include "race_rules.h"
#include "race_words.h"

/* No attempt. */
#define UNS_RACE_NOBODY 0xff

/* What the driver has to do now.  Filled by events, emptied by take(). */
struct uns_race_todo {
    bool launch;           /* start the next usable source ... */
    enum uns_why why;      /* ... for this reason; answer with launched/none */
    bool spent;            /* a rival was due, but max_attempts were sent */
    bool give;             /* hand the lead's held bytes over, then pass
                              everything of it through */
    bool join;             /* the lead goes on where a given one stopped */
    uint8_t lead;          /* UNS_RACE_NOBODY: nobody leads */
    uint8_t cancel;        /* bit a: cancel attempt a after this pass */
    enum uns_race_end end; /* not UNS_END_NONE: told once, the call is over */
};

struct uns_race_attempt {
    enum uns_attempt_state state;
    enum uns_attempt_state reached; /* the last of WAIT..FIN that it was in */
    enum uns_why why;               /* it was launched for this */
    enum uns_race_end killed;       /* TTFT, STALL: its watchdog ended it */
    uns_ns start_ns;
    uns_ns progress_ns; /* last progress; start_ns before the first */
    uns_ns alive_ns;    /* last sign of life, for the watchdogs (R8) */
    uint64_t bytes;     /* body bytes so far: the driver keeps it current, to
                           let FALLBACK find the fullest */
    uns_ns wait_ns;     /* before RETRY, by the driver: how long its origin
                           has to be left alone */
};

struct uns_race {
    /* private, but for attempt[].bytes, .wait_ns; sizes are public for
     * embedding */
    struct uns_race_rules rules;
    struct uns_race_todo todo;
    struct uns_race_attempt attempt[UNS_RACE_ATTEMPTS];
    enum uns_race_state state;
    enum uns_why want; /* a launch is asked for, and not answered yet */
    uint8_t attempts;  /* launched so far, attempt 0 included */
    uint8_t lead;
    uint8_t lost;    /* the attempt that was lost last */
    uint8_t stopped; /* bit a: its cancel bit was set once */
    bool none;       /* no rival to be had until a lead progresses */
    bool given;      /* todo.give was set once */
    bool truncated;
    uns_ns begin_ns;
    uns_ns launch_ns; /* last launch, or the start */
    uns_ns window_ns; /* hold window opened */
    uns_ns retry_ns;  /* a retry is due then; UNS_NEVER: none is */
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

/* Answers to todo.launch: it is in flight (returns its attempt number, or
 * UNS_RACE_NOBODY: it was withdrawn, drop it), or no source can be used.  Take
 * again afterwards.  wants: it is neither answered nor withdrawn. */
unsigned uns_race_launched(struct uns_race *race, uns_ns now_ns);
void uns_race_none(struct uns_race *race, uns_ns now_ns);
bool uns_race_wants(const struct uns_race *race);

/* The origin that is about to be asked again will not do after all: as if its
 * attempt had just been lost. */
void uns_race_forgo(struct uns_race *race, uns_ns now_ns);

/* The application's own doings: its total timeout struck inside libcurl (R9);
 * it aborted or removed the call (P6). */
void uns_race_timeout(struct uns_race *race, uns_ns now_ns);
void uns_race_abort(struct uns_race *race, uns_ns now_ns);

/* The application has another total timeout from now on (R9); UNS_NEVER: none.
 * It counts from the start as before. */
void uns_race_limit(struct uns_race *race, uns_ns total_ns);

/* A fault of our own after something was sent: rivals go (unless one leads),
 * what was held is given, the rest passes through without watchdogs, nothing
 * is sent again. */
void uns_race_fault(struct uns_race *race, uns_ns now_ns);

/* The application paused or unpaused the lead (nobody leads: attempt 0): its
 * clocks, and those that would launch a rival, stand still. */
void uns_race_pause(struct uns_race *race, uns_ns now_ns);
void uns_race_unpause(struct uns_race *race, uns_ns now_ns);

/* What is to be done, once: the todo is empty afterwards. */
struct uns_race_todo uns_race_take(struct uns_race *race);

/* When tick() has to be called at the latest; UNS_NEVER: no need. */
uns_ns uns_race_deadline(const struct uns_race *race);

/* R10: how often its own origin could still be asked again, and the wait that
 * is too long for that. */
unsigned uns_race_retries_left(const struct uns_race *race);
uns_ns uns_race_patience(const struct uns_race *race);

/* Attempt `a` was launched and has not ended. */
bool uns_race_alive(const struct uns_race *race, unsigned a);

/* The attempt that leads, or UNS_RACE_NOBODY.  After the end: the attempt
 * whose result the call got. */
unsigned uns_race_lead(const struct uns_race *race);

/* The answer that was given is known to be incomplete; tells at the end. */
bool uns_race_truncated(const struct uns_race *race);

#endif
