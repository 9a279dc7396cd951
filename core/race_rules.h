/* SPDX-License-Identifier: MIT */
#ifndef UNS_RACE_RULES_H
#define UNS_RACE_RULES_H

/* race_rules - what holds for one race, fixed at its start but for
 * the application's own timeout. */

#include "units.h"

#include <stdbool.h>

/* Requests that one call may ever send. */
#define UNS_RACE_ATTEMPTS 5

/* A retry is worth this wait where after_ns says nothing of patience (R10). */
#define UNS_RACE_PATIENCE (2 * UNS_S)

/* Durations: UNS_NEVER is off. */
struct uns_race_rules {
    uns_ns after_ns;         /* R2; 0: one tied rival at the start */
    uns_ns stall_after_ns;   /* R4 */
    uns_ns hold_ns;          /* R5; 0: commit at once; UNS_NEVER: hold all */
    uns_ns ttft_timeout_ns;  /* R8, from an attempt's start */
    uns_ns stall_timeout_ns; /* R8, after its last progress */
    uns_ns total_ns;         /* R9, the application's timeout for the call */
    uint8_t max_attempts;    /* 1..UNS_RACE_ATTEMPTS, attempt 0 included */
    uint8_t retries;         /* R10: so many of them may ask the application's
                                own origin again after a failed status */
    bool failover;           /* R3: a lost attempt starts the next */
    bool alive_by_bytes;     /* R8: any byte is a sign of life, not only
                                progress */
    bool first_complete;     /* decide: first_complete (needs hold all) */
    bool resume;             /* R4: a committed lead can be continued */
};

#endif
