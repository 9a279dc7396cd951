/* SPDX-License-Identifier: MIT */
#ifndef MOCK_TIMER_H
#define MOCK_TIMER_H

/*
 * timer - what is to happen when, as a binary heap.
 */

#include <stddef.h>
#include <stdint.h>

/* Never. */
#define MOCK_NEVER INT64_MAX

/* Embedded in what it wakes; all zero with `fire` and `owner` set is a timer
 * that is not running. */
struct mock_timer {
    int64_t due_ns;
    size_t place; /* in the heap, from 1; 0 when not running */
    void (*fire)(void *owner);
    void *owner;
};

/* All zero is an empty heap. */
struct mock_timers {
    struct mock_timer **heap; /* from 1 */
    size_t count;
    size_t cap;
};

/* CLOCK_MONOTONIC in nanoseconds. */
int64_t mock_timer_now(void);

/* Starts the timer, or moves it; MOCK_NEVER stops it. */
void mock_timer_set(struct mock_timers *timers, struct mock_timer *timer,
                    int64_t due_ns);

/* When the next one is due; MOCK_NEVER when none runs. */
int64_t mock_timer_next(const struct mock_timers *timers);

/* Fires all that are due at `now_ns`.  They may set and stop timers. */
void mock_timer_run(struct mock_timers *timers, int64_t now_ns);

void mock_timer_done(struct mock_timers *timers);

#endif
