/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_LANE_H
#define UNS_ENGINE_LANE_H

/*
 * lane - one real multi and the calls that run in it.  It drives races and
 * never waits: whoever owns the wait (an easy perform today) calls
 *
 *   begin - { run - next? - wait until deadline } - end
 *
 * Invariant: a handle is added and removed between libcurl's calls, never
 * inside one of its callbacks.
 */

#include "shim/abi.h"

#include "core/units.h"

struct uns_call;

struct uns_lane {
    const struct uns_real *real;
    CURLM *multi;
    struct uns_call *calls; /* begun and not ended */
    unsigned inreal;        /* depth inside the real library */
    unsigned incb;          /* depth inside the application's callbacks that
                               we call from outside the library */
};

/* A lane on a private multi for one easy handle.  OK, or what the multi
 * interface says. */
CURLMcode uns_lane_open(struct uns_lane *lane, const struct uns_app *app);

/* Close it with its connections.  Takes one that was never opened. */
void uns_lane_close(struct uns_lane *lane);

/* Put attempt 0 in: the race is on.  On error nothing was sent and nothing is
 * left behind. */
CURLMcode uns_lane_begin(struct uns_lane *lane, struct uns_call *call);

/* Let libcurl work, then let every race look at what came of it. */
CURLMcode uns_lane_run(struct uns_lane *lane);

/* When to run again at the latest: 0 for at once, UNS_NEVER for when there is
 * traffic. */
uns_ns uns_lane_deadline(const struct uns_lane *lane);

/* A call that has finished and was not ended yet, or NULL. */
struct uns_call *uns_lane_next(struct uns_lane *lane);

/* Take a call out, finished or not: nothing of it runs afterwards. */
void uns_lane_end(struct uns_lane *lane, struct uns_call *call);

#endif
