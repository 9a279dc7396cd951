/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_QUANTILE_H
#define UNS_CLI_QUANTILE_H

/*
 * quantile - the one definition of a quantile, by nearest rank (type 1 of
 * Hyndman and Fan, 1996): the least sample such that at least that share of
 * all samples is not above it.  So every quantile that is told was measured;
 * nothing is interpolated, and with few samples a high quantile is the
 * largest.  Shares are per mille, so that ranks are counted in whole numbers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing list of samples.  All zero: empty. */
struct uns_samples {
    double *list;
    size_t count;
    size_t cap;  /* private */
    bool lost;   /* no memory: some are not in it */
    bool sorted; /* by uns_samples_sort(), and none was added since */
};

/* One sample more. */
void uns_samples_add(struct uns_samples *samples, double value);

/* One more, unless it is UNS_NULL. */
void uns_samples_add_int(struct uns_samples *samples, int64_t value);

/* The least first.  What is sorted is not sorted again. */
void uns_samples_sort(struct uns_samples *samples);

/* No samples, but the room for them stays. */
void uns_samples_clear(struct uns_samples *samples);

void uns_samples_free(struct uns_samples *samples);

/* The rank, from 0 on, of that share among `count` samples (1 at least). */
uint64_t uns_quantile_rank(uint64_t count, unsigned per_mille);

/* Of samples that are sorted; NAN without any. */
double uns_quantile(const struct uns_samples *samples, unsigned per_mille);

/* Their mean; NAN without any. */
double uns_samples_mean(const struct uns_samples *samples);

/* A sample that counts as often as its weight says (0 at least). */
struct uns_weighted {
    double value;
    int64_t weight;
};

/* Sorts `list` by value. */
void uns_weighted_sort(struct uns_weighted *list, size_t count);

/* Of a sorted list, each sample taken as `weight` equal ones; NAN if there is
 * no weight. */
double uns_weighted_quantile(const struct uns_weighted *list, size_t count,
                             unsigned per_mille);

#endif
