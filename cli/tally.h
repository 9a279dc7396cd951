/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_TALLY_H
#define UNS_CLI_TALLY_H

/*
 * tally - counts the calls of one group, and then tells its figures: the
 * quantities with their quantiles, and the counts.  Memory grows with the
 * calls, never with their chunks.
 */

#include "figures.h"
#include "quantile.h"
#include "spread.h"

/* Quantities with quantiles, by their names in metrics.def and figures.def. */
#define UNS_TALLY_QUANTITIES(X) \
    X(ttft_ms)                  \
    X(gap_ms)                   \
    X(tpot_ms)                  \
    X(tpot_token_ms)            \
    X(tokens_per_s)             \
    X(stall_ms)                 \
    X(net_ms)                   \
    X(wall_ms)

/* Counts; those of outcomes, phases, whys and reasons in the order of their
 * tables. */
#define UNS_TALLY_COUNTS(X)      \
    X(calls)                     \
    X(calls_streaming)           \
    X(calls_ok)                  \
    X(calls_refused)             \
    X(calls_failed)              \
    X(calls_truncated)           \
    X(calls_timeout)             \
    X(calls_aborted)             \
    X(calls_killed)              \
    X(stalled_calls)             \
    X(stalls)                    \
    X(silent_calls)              \
    X(failed_calls)              \
    X(calls_without_first_token) \
    X(gaps_merged)               \
    X(no_timeline)               \
    X(counted_chunks)            \
    X(failures)                  \
    X(failed_connect)            \
    X(failed_tls)                \
    X(failed_headers)            \
    X(failed_status)             \
    X(failed_first_token)        \
    X(failed_streaming)          \
    X(failed_unknown)            \
    X(rescued)                   \
    X(hedges_fired)              \
    X(hedges_won)                \
    X(hedges_wasted)             \
    X(won_first_token)           \
    X(won_stall)                 \
    X(won_failure)               \
    X(won_tied)                  \
    X(won_resume)                \
    X(wasted_first_token)        \
    X(wasted_stall)              \
    X(wasted_failure)            \
    X(wasted_tied)               \
    X(wasted_resume)             \
    X(lost_late)                 \
    X(lost_unauthorized)         \
    X(lost_rate_limited)         \
    X(lost_status)               \
    X(lost_connect)              \
    X(lost_broken)               \
    X(lost_diverged)             \
    X(unsent)                    \
    X(unsent_budget_exhausted)   \
    X(unsent_budget_unreadable)  \
    X(unsent_pushback)           \
    X(unsent_no_key)             \
    X(unsent_not_movable)        \
    X(unsent_not_replayable)     \
    X(unsent_same_origin_failed) \
    X(unsent_launch_failed)      \
    X(unsent_max_attempts)       \
    X(unsent_not_resumable)      \
    X(unsent_mid_frame)          \
    X(unsent_opaque)             \
    X(unsent_too_long)           \
    X(unsent_too_many)           \
    X(unsent_paused)             \
    X(extra_requests)            \
    X(extra_tokens_in)           \
    X(extra_tokens_out)          \
    X(extra_untold)

enum uns_quantity {
#define X(name) UNS_QUANTITY_##name,
    UNS_TALLY_QUANTITIES(X)
#undef X
    UNS_QUANTITIES
};

enum uns_count {
#define X(name) UNS_COUNT_##name,
    UNS_TALLY_COUNTS(X)
#undef X
    UNS_COUNTS
};

const char *uns_tally_quantity_name(enum uns_quantity quantity);
const char *uns_tally_count_name(enum uns_count count);

/* NAN where n is 0. */
struct uns_summary {
    uint64_t n;
    double mean, p50, p90, p95, p99, most;
};

struct uns_figures {
    struct uns_summary quantity[UNS_QUANTITIES];
    int64_t count[UNS_COUNTS];
    int64_t first_us, last_us; /* UNS_NULL: no calls */
    struct uns_classes ttft, gaps;
};

struct uns_tally;

/* NULL: no memory. */
struct uns_tally *uns_tally_new(void);

/* Count one call more; with a threshold (else UNS_NULL) its stalls by that. */
void uns_tally_add(struct uns_tally *tally, const struct uns_entry *entry,
                   const struct uns_call_record *call);

/* The figures of what was counted.  False: memory was short, and they would
 * be wrong. */
bool uns_tally_close(struct uns_tally *tally, struct uns_figures *ret_figures);

/* Nothing is counted any more; the room stays. */
void uns_tally_clear(struct uns_tally *tally);

void uns_tally_free(struct uns_tally *tally);

#endif
