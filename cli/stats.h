/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_STATS_H
#define UNS_CLI_STATS_H

/*
 * stats - chance, for commands that say how sure they are.  Dice are seeded
 * and the same on every machine, so that the same calls give the same answer
 * each time.  Pure.
 */

#include <stddef.h>
#include <stdint.h>

struct uns_dice {
    uint64_t state; /* any seed */
};

/* One of 0..sides-1, all as likely; `sides` is 1..2^32. */
uint32_t uns_stats_roll(struct uns_dice *dice, uint64_t sides);

/* A number from 0 to below 1. */
double uns_stats_uniform(struct uns_dice *dice);

/* How likely is a number of hits at least as unlikely as `hits` of `tries`,
 * when each is one with probability `p`?  The exact two-sided test. */
double uns_stats_binomial(size_t hits, size_t tries, double p);

#endif
