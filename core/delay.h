/* SPDX-License-Identifier: MIT */
#ifndef UNS_DELAY_H
#define UNS_DELAY_H

/*
 * delay - how long to wait before asking a second source, learned from the
 * first-token times of one place.
 *
 * A primary that was cancelled because a rival had answered says "longer than
 * this": a censored time.  Taking such a time for a sample would teach the
 * estimate its own hedges, and leaving it out would forget the slow ones; the
 * product-limit estimate (Kaplan and Meier, 1958) does neither.
 *
 *   P(X > t)  1 +--.
 *               |   '--.
 *   0.8 x ratio +- - - -'-.- - - - - - -.     the first time at which no more
 *               |         :'-----.      :     than that are still silent
 *             0 +---------:-------------+---  t
 *                        auto
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The newest times that count, and the fewest samples worth an estimate. */
#define UNS_DELAY_TIMES 512
#define UNS_DELAY_LEAST 20

/* The newest times of one place.  All zero: empty. */
struct uns_delay_window {
    /* private, but for reading count and samples */
    int64_t age[UNS_DELAY_TIMES];    /* a ring */
    int64_t sorted[UNS_DELAY_TIMES]; /* the same keys, shortest first */
    uint16_t count, next;
    uint16_t samples; /* those that are not censored */
};

/* An estimate: P(first token later than at_us[i]) is later[i] until the next
 * time. */
struct uns_delay_curve {
    int64_t at_us[UNS_DELAY_TIMES]; /* rising */
    double later[UNS_DELAY_TIMES];  /* falling; the last may be over 0 */
    size_t steps;
    size_t times; /* that it was made of */
};

/* One more time; the oldest goes when there are UNS_DELAY_TIMES.  Negative
 * ones are taken for 0. */
void uns_delay_add(struct uns_delay_window *window, int64_t us, bool censored);

void uns_delay_estimate(const struct uns_delay_window *window,
                        struct uns_delay_curve *ret_curve);

/* The least time until which a share of `q` has had its first token.  Where
 * censoring leaves that undefined: the longest sample; 0 without samples. */
int64_t uns_delay_quantile(const struct uns_delay_curve *curve, double q);

/* A primary, and a rival that is started after `wait_us` for a share of at
 * most `ratio` of the calls: beyond that the budget is empty. */
struct uns_delay_hedge {
    const struct uns_delay_curve *primary, *rival;
    int64_t wait_us;
    double ratio;
};

/* Quantile of the first token's time with that hedge, min(X, wait + Y); the
 * longest sample of the primary where it is undefined. */
int64_t uns_delay_hedged(const struct uns_delay_hedge *hedge, double q);

/* Its mean, up to the primary's longest sample. */
double uns_delay_hedged_mean(const struct uns_delay_hedge *hedge);

/* The wait with the least 99th percentile of the first token's time, for at
 * most four fifths of `ratio` of hedged calls: the rest keeps the budget from
 * running dry.  Whatever X and Y are, min(X, wait + Y) grows with the wait: so
 * it is the least wait that this allows.  Only where that is doubtful (a second
 * mode about as large: the wait would jump over the valley before it by the
 * chance of a sample) it may be less, if the mean gains much by it. */
int64_t uns_delay_auto(const struct uns_delay_curve *primary,
                       const struct uns_delay_curve *rival, double ratio);

#endif
