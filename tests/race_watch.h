/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_RACE_WATCH_H
#define UNS_TESTS_RACE_WATCH_H

/*
 * race_watch - a driver that does what a race asks, and notices when that
 * breaks a promise.  It keeps its own account of who was sent, who has ended
 * and what the application got, from events and todos alone.
 */

#include "core/race.h"

/* What can be done to a race; the events of attempt a come first. */
enum {
    WATCH_TICK = UNS_RACE_ATTEMPTS * UNS_EV_COUNT,
    WATCH_ANSWER, /* a wanted launch succeeds ... */
    WATCH_NONE,   /* ... or does not */
    WATCH_TIMEOUT,
    WATCH_ABORT,
    WATCH_FAULT,
    WATCH_PAUSE,
    WATCH_UNPAUSE,
    WATCH_OPS
};

struct watch {
    struct uns_race race;
    uns_ns now_ns;
    uns_ns wait_ns;      /* that every failed status asks for */
    uns_ns ready_ns;     /* before then no retry */
    uint8_t sent, asked; /* requests sent; launches that await their answer */
    uint8_t over;        /* bit a: it ended or was cancelled */
    uint8_t cancelled;
    uint8_t voice; /* whose bytes the application gets */
    uint8_t lead;
    bool gave, ended;
    uint8_t retries; /* asked for */
};

/* What follows returns what is wrong, or NULL. */

/* A call by those rules is sent.  `wait_ns`: what every failed status asks
 * for. */
const char *watch_start(struct watch *w, const struct uns_race_rules *rules,
                        uns_ns wait_ns);

/* Can that happen now? */
bool watch_possible(const struct watch *w, unsigned op);

/* It does. */
const char *watch_step(struct watch *w, unsigned op);

/* Whatever happened so far: when every attempt ends, the call does, once. */
const char *watch_finish(struct watch w);

#endif
