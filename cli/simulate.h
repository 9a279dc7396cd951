/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_SIMULATE_H
#define UNS_CLI_SIMULATE_H

/*
 * simulate - one call under other rules than those under which it was made.
 * It is core/race itself that decides; here its events are made of recorded
 * attempts instead of bytes, and its deadlines are taken as they come.  So
 * there is one definition of what the rules mean.  Pure.
 */

#include "trace.h"

/* Who would answer, in order: the application's own request, then the rivals.
 * None of them is cut.  Borrowed. */
struct uns_lineup {
    const struct uns_trace *trace[UNS_RACE_ATTEMPTS];
    size_t count; /* 1 at least: a rival beyond is not to be had */
};

struct uns_outcome {
    uns_ns first_ns; /* when the application was given the first token; the
                        end if there was none */
    uns_ns wall_ns;
    unsigned requests;
    unsigned winner;
    double wasted; /* tokens that the others had written when they stopped */
};

void uns_simulate(const struct uns_race_rules *rules,
                  const struct uns_lineup *lineup,
                  struct uns_outcome *ret_outcome);

#endif
