/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_FIGURES_H
#define UNS_CLI_FIGURES_H

/* figures - what figures.def makes of one call.  Pure. */

#include "engine/store.h"

/* No count of one call is beyond: what says more is damaged. */
#define UNS_FIGURES_MOST (INT64_C(1) << 42)

/* When the call began, in microseconds since the epoch; UNS_NULL: it is not
 * known, or cannot be. */
int64_t uns_figures_began(const struct uns_call_record *call);

/* The answer's tokens: as its usage told, else its chunks; UNS_NULL: neither.
 * *ret_counted: they are chunks. */
int64_t uns_figures_tokens(const struct uns_call_record *call,
                           bool *ret_counted);

/* tpot_ms; NAN: NULL. */
double uns_figures_tpot(const struct uns_call_record *call);

/* tokens_per_s; NAN: NULL. */
double uns_figures_rate(const struct uns_call_record *call);

enum uns_phase {
    UNS_PHASE_CONNECT,
    UNS_PHASE_TLS,
    UNS_PHASE_HEADERS,
    UNS_PHASE_STATUS,
    UNS_PHASE_FIRST_TOKEN,
    UNS_PHASE_STREAMING,
    UNS_PHASE_UNKNOWN,
    UNS_PHASE_COUNT /* it did not fail */
};

/* How far a call came that failed, or UNS_PHASE_COUNT. */
enum uns_phase uns_figures_phase(const struct uns_entry *entry);

/* The attempt whose answer the program got, else its own; UNS_RACE_ATTEMPTS:
 * there is no such row. */
unsigned uns_figures_answer(const struct uns_entry *entry);

/* No stall, and yet a silence that did not end by itself: what else the
 * condition of select.h selects as stalled.  `call` is the entry's, with a
 * threshold of its own. */
bool uns_figures_is_silent(const struct uns_entry *entry,
                           const struct uns_call_record *call);

/* What became of a hedge that was sent and lost; in the order of tally.h. */
enum uns_loss {
    UNS_LOSS_LATE,
    UNS_LOSS_UNAUTHORIZED,
    UNS_LOSS_RATE_LIMITED,
    UNS_LOSS_STATUS,
    UNS_LOSS_CONNECT,
    UNS_LOSS_BROKEN,
    UNS_LOSS_DIVERGED,
};

enum uns_loss uns_figures_loss(const struct uns_attempt_record *hedge);

/* Gaps mean something in the answer: stall_ms is known. */
bool uns_figures_can_stall(const struct uns_call_record *call);

/* Set what follows from stalls by another threshold: stall_ms, stall_count,
 * active_generation_ms, net_ms, by the timeline of the answer; NULL where it
 * has none. */
void uns_figures_set_threshold(const struct uns_entry *entry,
                               uns_ns threshold_ns,
                               struct uns_call_record *call);

#endif
