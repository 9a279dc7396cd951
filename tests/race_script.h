/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_RACE_SCRIPT_H
#define UNS_TESTS_RACE_SCRIPT_H

/*
 * race_script - a call as one line of text, and what the race made of it as
 * another.  Words of a script:
 *
 *   b0 p0 f0 c0 r0 l0 o0   attempt 0: bytes, progress, finish, complete,
 *                          refused, lost, overflow; m0 is repeat, y0 a
 *                          status that may heal
 *   @3.5                   the time is now 3.5 s (and nothing happens)
 *   T                      a pass ends: tick
 *   + -                    the launch is in flight; there is no source
 *   X A F                  total timeout, abort, fault
 *   Z U                    pause, unpause
 *   n1=20                  attempt 1 has 20 bytes
 *   w0=1.5                 attempt 0 asks for 1.5 s of rest before y0
 *   t=12                   the total timeout is another one now
 *   G                      forgo: no retry after all
 *
 * After each word the driver takes what is to be done; that is the answer:
 *
 *   launch(stall) spent give(0) join(1) cancel(1) end(lead 0)
 *
 * Words of the rules: after, stall, hold, ttft, quiet (stall_timeout), total
 * with seconds or "all"; max, retries with a number; failover; complete;
 * resume.
 */

#include "check.h"
#include "core/race.h"

#define SCRIPT_TEXT 512

struct script_case {
    const char *name, *rules, *script, *answer;
    const char *state; /* of the call at the end */
};

/* "1.5" or "all". */
uns_ns script_seconds(const char *text);

/* Nothing is set but what the text says; hold 0, at most 2 attempts. */
struct uns_race_rules script_rules(const char *text);

/* Plays a script from time 0; `out` gets what was to be done. */
void script_play(struct uns_race *race, const char *rules, const char *script,
                 char out[SCRIPT_TEXT]);

/* Plays each case, and compares. */
void script_check(const struct script_case *cases, size_t count);

#endif
