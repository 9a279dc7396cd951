/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_DRAW_H
#define UNS_TESTS_DRAW_H

/* draw - numbers that look random and are the same in every run: first-token
 * times as servers have them. */

#include <math.h>
#include <stdint.h>

struct draw {
    uint64_t state;
};

/* In (0, 1): splitmix64. */
static inline double draw_share(struct draw *draw)
{
    uint64_t z = draw->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return ((double)(z >> 11) + 0.5) / 9007199254740992.0;
}

/* Lognormal with this mean and standard deviation. */
static inline double draw_lognormal(struct draw *draw, double mean, double sd)
{
    double variance = log(1 + sd * sd / (mean * mean));
    double normal = sqrt(-2 * log(draw_share(draw))) *
                    cos(2 * 3.14159265358979324 * draw_share(draw));

    return exp(log(mean) - variance / 2 + sqrt(variance) * normal);
}

/* One in so many calls is slow: mean and deviation of the others, and how
 * much slower that is, or what the slow ones are. */
struct draw_kind {
    double mean, sd;
    double slow; /* share */
    double times;
    double slow_mean, slow_sd; /* with times 0 */
};

static inline double draw_time(struct draw *draw, const struct draw_kind *kind)
{
    if (draw_share(draw) >= kind->slow)
        return draw_lognormal(draw, kind->mean, kind->sd);
    if (kind->times > 0)
        return kind->times * draw_lognormal(draw, kind->mean, kind->sd);
    return draw_lognormal(draw, kind->slow_mean, kind->slow_sd);
}

#endif
