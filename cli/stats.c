/* SPDX-License-Identifier: MIT */
/*
 * stats - the dice are SplitMix64 (Steele, Lea and Flood, 2014): one word of
 * state, any seed is a good one, and it passes the usual batteries.
 */
#include "stats.h"

#include <math.h>

/* What rounding may do to a probability. */
#define ROUNDING 1e-7

static uint64_t next(struct uns_dice *dice)
{
    uint64_t z = dice->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Scaled, not divided; no side is likelier than another by more than 2^-32. */
uint32_t uns_stats_roll(struct uns_dice *dice, uint64_t sides)
{
    return (uint32_t)(((next(dice) >> 32) * sides) >> 32);
}

double uns_stats_uniform(struct uns_dice *dice)
{
    return (double)(next(dice) >> 11) * 0x1p-53;
}

static double log_likelihood(size_t hits, size_t tries, double p)
{
    double n = (double)tries, k = (double)hits;

    return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) +
           (n - k) * log1p(-p);
}

double uns_stats_binomial(size_t hits, size_t tries, double p)
{
    double seen, sum = 0;

    if (p <= 0)
        return hits == 0;
    if (p >= 1)
        return hits == tries;
    seen = log_likelihood(hits, tries, p) + ROUNDING;
    for (size_t k = 0; k <= tries; k++) {
        double likelihood = log_likelihood(k, tries, p);

        if (likelihood <= seen)
            sum += exp(likelihood);
    }
    return sum < 1 ? sum : 1;
}
