/* SPDX-License-Identifier: MIT */
/*
 * timer - a binary heap of deadlines, counted from 1.  Invariant: no timer is
 * due before its parent, and heap[t->place] == t for each that runs.
 */
#include "timer.h"

#include <stdlib.h>
#include <time.h>

int64_t mock_timer_now(void)
{
    struct timespec ts;

    (void)clock_gettime(CLOCK_MONOTONIC, &ts);
    return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void put(struct mock_timers *timers, size_t place,
                struct mock_timer *timer)
{
    timers->heap[place] = timer;
    timer->place = place;
}

static void sift_up(struct mock_timers *timers, struct mock_timer *timer)
{
    size_t at = timer->place;

    while (at > 1 && timers->heap[at / 2]->due_ns > timer->due_ns) {
        put(timers, at, timers->heap[at / 2]);
        at /= 2;
    }
    put(timers, at, timer);
}

static void sift_down(struct mock_timers *timers, struct mock_timer *timer)
{
    size_t at = timer->place;

    for (;;) {
        size_t child = at * 2;

        if (child > timers->count)
            break;
        if (child < timers->count &&
            timers->heap[child + 1]->due_ns < timers->heap[child]->due_ns)
            child++;
        if (timers->heap[child]->due_ns >= timer->due_ns)
            break;
        put(timers, at, timers->heap[child]);
        at = child;
    }
    put(timers, at, timer);
}

static void insert(struct mock_timers *timers, struct mock_timer *timer)
{
    if (timers->count + 1 >= timers->cap) {
        timers->cap = timers->cap > 0 ? timers->cap * 2 : 64;
        timers->heap =
            realloc(timers->heap, timers->cap * sizeof(timers->heap[0]));
        if (!timers->heap)
            abort();
    }
    put(timers, ++timers->count, timer);
}

static void take_out(struct mock_timers *timers, struct mock_timer *timer)
{
    struct mock_timer *last = timers->heap[timers->count--];

    if (last != timer) {
        put(timers, timer->place, last);
        sift_up(timers, last);
        sift_down(timers, last);
    }
    timer->place = 0;
}

void mock_timer_set(struct mock_timers *timers, struct mock_timer *timer,
                    int64_t due_ns)
{
    timer->due_ns = due_ns;
    if (due_ns == MOCK_NEVER) {
        if (timer->place > 0)
            take_out(timers, timer);
        return;
    }
    if (timer->place == 0)
        insert(timers, timer);
    sift_up(timers, timer);
    sift_down(timers, timer);
}

int64_t mock_timer_next(const struct mock_timers *timers)
{
    return timers->count > 0 ? timers->heap[1]->due_ns : MOCK_NEVER;
}

void mock_timer_run(struct mock_timers *timers, int64_t now_ns)
{
    while (timers->count > 0 && timers->heap[1]->due_ns <= now_ns) {
        struct mock_timer *timer = timers->heap[1];

        take_out(timers, timer);
        timer->fire(timer->owner);
    }
}

void mock_timer_done(struct mock_timers *timers)
{
    free(timers->heap);
    *timers = (struct mock_timers){0};
}
