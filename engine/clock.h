/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_CLOCK_H
#define UNS_ENGINE_CLOCK_H

/* The two clocks: one to measure with, one to tell people. */

#include "core/units.h"

#include <stdbool.h>
#include <time.h>

/* Now, on CLOCK_MONOTONIC. */
static inline uns_ns uns_clock_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (uns_ns)t.tv_sec * UNS_S + t.tv_nsec;
}

/* The same clock, some milliseconds behind, and much cheaper. */
static inline uns_ns uns_clock_coarse(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uns_ns)t.tv_sec * UNS_S + t.tv_nsec;
}

/* Microseconds since the epoch. */
static inline int64_t uns_clock_wall_us(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

#define UNS_CLOCK_STAMP 32

/* Now in UTC, for the names of files: "20261130T142101Z".  False: the clock
 * is beyond what a calendar can say. */
static inline bool uns_clock_stamp(char ret_stamp[UNS_CLOCK_STAMP])
{
    time_t now = time(NULL);
    struct tm tm;

    return gmtime_r(&now, &tm) != NULL &&
           strftime(ret_stamp, UNS_CLOCK_STAMP, "%Y%m%dT%H%M%SZ", &tm) != 0;
}

#endif
