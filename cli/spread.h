/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_SPREAD_H
#define UNS_CLI_SPREAD_H

/*
 * spread - how lengths are spread, in memory that does not grow with their
 * number: counted by their first eleven binary digits, so that a quantile is
 * off by less than 0.1 %; and in the few classes of a picture.
 */

#include <stddef.h>
#include <stdint.h>

#define UNS_SPREAD_DIGITS  11
#define UNS_SPREAD_LONGEST ((INT64_C(1) << 42) - 1) /* us: 50 days */
#define UNS_SPREAD_SLOTS   (33 * (1 << (UNS_SPREAD_DIGITS - 1)))

/* Counted lengths, in microseconds.  All zero: none. */
struct uns_spread {
    uint64_t count, sum_us;
    int64_t most_us;
    uint64_t slot[UNS_SPREAD_SLOTS];
};

/* `count` times that length: longer ones than UNS_SPREAD_LONGEST count as
 * that, negative ones as 0. */
void uns_spread_add(struct uns_spread *spread, int64_t us, uint64_t count);

/* By nearest rank (quantile.h), cut off to its first digits; 0 of none. */
int64_t uns_spread_quantile(const struct uns_spread *spread,
                            unsigned per_mille);

/* What uns_spread_quantile() tells of a single length. */
int64_t uns_spread_cut(int64_t us);

/* The classes of a picture: below 10 us; from 10, 15, 20, 30, 50, 70, 100 us
 * on, and so forth; the last has no end. */
#define UNS_CLASSES 50

struct uns_classes {
    uint64_t count[UNS_CLASSES];
};

void uns_classes_add(struct uns_classes *classes, int64_t us, uint64_t count);

/* Where class `i` begins; its end is where the next one does.  INT64_MAX for
 * UNS_CLASSES. */
int64_t uns_classes_from(size_t i);

#endif
