/* SPDX-License-Identifier: MIT */
/*
 * delay - the window keeps its times sorted, so an estimate is one walk.  A
 * time and its being censored are one key, 2 * us + censored: equal times sort
 * with the samples first, as the product-limit estimate wants them.
 */
#include "delay.h"

#include <string.h>

/* What rounding may do to a sum of 512 fractions. */
#define ROUNDING 1e-9

/* auto: the share of the ratio that it plans to spend.  With all of it the
 * budget would be empty every now and then by chance alone, and the slowest
 * calls go unhedged; and stalls have to be paid for, too. */
#define PLANNED 0.8

/* auto: how much the mean has to gain, and what the 99th percentile may lose,
 * for a wait that hedges a little more than the ratio. */
#define MEAN_GAIN 0.9
#define TAIL_LOSS 1.05

/* auto: so much more of the ratio may be spent to come from the longest sample
 * of a mode to its edge: two samples of 512 where a fifth is hedged. */
#define EDGE 0.02

static bool is_censored(int64_t key)
{
    return key & 1;
}

/* Where `key` stands, or has to be put. */
static size_t place_of(const struct uns_delay_window *window, int64_t key)
{
    size_t low = 0, high = window->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (window->sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void forget_oldest(struct uns_delay_window *window)
{
    int64_t key = window->age[window->next];
    size_t at = place_of(window, key);

    window->count--;
    window->samples = (uint16_t)(window->samples - !is_censored(key));
    memmove(window->sorted + at, window->sorted + at + 1,
            (window->count - at) * sizeof *window->sorted);
}

void uns_delay_add(struct uns_delay_window *window, int64_t us, bool censored)
{
    int64_t least = us < 0 ? 0 : us;
    int64_t key = (least > INT64_MAX / 4 ? INT64_MAX / 4 : least) * 2 +
                  (censored ? 1 : 0);
    size_t at;

    if (window->count == UNS_DELAY_TIMES)
        forget_oldest(window);
    at = place_of(window, key);
    memmove(window->sorted + at + 1, window->sorted + at,
            (window->count - at) * sizeof *window->sorted);
    window->sorted[at] = key;
    window->age[window->next] = key;
    window->next = (uint16_t)((window->next + 1) % UNS_DELAY_TIMES);
    window->count++;
    window->samples = (uint16_t)(window->samples + !censored);
}

void uns_delay_estimate(const struct uns_delay_window *window,
                        struct uns_delay_curve *ret_curve)
{
    double later = 1;
    size_t steps = 0;

    for (size_t i = 0; i < window->count; i++) {
        int64_t us = window->sorted[i] / 2;

        if (is_censored(window->sorted[i]))
            continue;
        later *= 1 - 1 / (double)(window->count - i);
        if (steps == 0 || ret_curve->at_us[steps - 1] != us)
            steps++;
        ret_curve->at_us[steps - 1] = us;
        ret_curve->later[steps - 1] = later;
    }
    ret_curve->steps = steps;
    ret_curve->times = window->count;
}

/* The first step at which no more than `share` are later; the last one when
 * there is no such. */
static size_t step_to(const struct uns_delay_curve *curve, double share)
{
    size_t low = 0, high = curve->steps - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (curve->later[middle] > share + ROUNDING)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t uns_delay_quantile(const struct uns_delay_curve *curve, double q)
{
    return curve->steps ? curve->at_us[step_to(curve, 1 - q)] : 0;
}

/* A walk over the times at which P(min(X, wait + Y) > t) falls. */
struct walk {
    const struct uns_delay_hedge *hedge;
    size_t x, y;         /* steps that lie behind */
    double paid;         /* share of the hedges that the budget pays for */
    int64_t at_us;       /* now */
    double later;        /* the probability from now on */
    double first, rival; /* of it: X's and, once hedged, Y's share */
};

static double later_at(const struct uns_delay_curve *curve, int64_t us)
{
    double later = 1;
    size_t low = 0, high = curve->steps;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (curve->at_us[middle] <= us) {
            later = curve->later[middle];
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return later;
}

static struct walk walk_begin(const struct uns_delay_hedge *hedge)
{
    double hedged = later_at(hedge->primary, hedge->wait_us);

    return (struct walk){
        .hedge = hedge,
        .paid = hedged > hedge->ratio ? hedge->ratio / hedged : 1,
        .later = 1,
        .first = 1,
        .rival = 1,
    };
}

/* To the next step of X, or of Y, whichever comes first.  False: X has no
 * more. */
static bool walk_on(struct walk *walk)
{
    const struct uns_delay_curve *x = walk->hedge->primary;
    const struct uns_delay_curve *y = walk->hedge->rival;
    int64_t y_us = walk->y < y->steps ? walk->hedge->wait_us + y->at_us[walk->y]
                                      : INT64_MAX;

    if (walk->x == x->steps)
        return false;
    if (x->at_us[walk->x] <= y_us) {
        walk->at_us = x->at_us[walk->x];
        walk->first = x->later[walk->x++];
    } else {
        walk->at_us = y_us;
        walk->rival = y->later[walk->y++];
    }
    walk->later = walk->first * (1 - walk->paid + walk->paid * walk->rival);
    return true;
}

int64_t uns_delay_hedged(const struct uns_delay_hedge *hedge, double q)
{
    struct walk walk = walk_begin(hedge);

    while (walk.later > 1 - q + ROUNDING && walk_on(&walk))
        continue;
    return walk.at_us;
}

double uns_delay_hedged_mean(const struct uns_delay_hedge *hedge)
{
    struct walk walk = walk_begin(hedge);
    double later = 1, mean = 0;
    int64_t at_us = 0;

    while (walk_on(&walk)) {
        mean += later * (double)(walk.at_us - at_us);
        later = walk.later;
        at_us = walk.at_us;
    }
    return mean;
}

/* No more than the ratio, or no more than chance could have made of it: within
 * two standard errors, squared since the core has no root. */
static bool is_payable(double later, double ratio, size_t times)
{
    double over = later - ratio;

    return over <= 0 || over * over * (double)times <= 4 * ratio * (1 - ratio);
}

/* Of the waits that hedge more than is planned: is any much better than
 * `best`, which does not?  What a wait can gain at most is told
 * without a walk, and is next to nothing where the times lie close. */
static struct uns_delay_hedge try_more(const struct uns_delay_hedge *best,
                                       size_t at)
{
    const struct uns_delay_curve *x = best->primary;
    struct uns_delay_hedge found = *best, other = *best;
    double mean = uns_delay_hedged_mean(best);
    double least = MEAN_GAIN * mean;
    int64_t tail = uns_delay_hedged(best, 0.99);

    while (at-- > 0 && is_payable(x->later[at], best->ratio, x->times)) {
        double gain = x->later[at] * (double)(best->wait_us - x->at_us[at]);
        double other_mean;

        other.wait_us = x->at_us[at];
        if (mean - gain > least)
            continue;
        other_mean = uns_delay_hedged_mean(&other);
        if (other_mean > least ||
            (double)uns_delay_hedged(&other, 0.99) > TAIL_LOSS * (double)tail)
            continue;
        found = other;
        least = MEAN_GAIN * other_mean; /* a little more is not worth it */
    }
    return found;
}

/* The wait lies between two modes, at the longest sample of the first: where
 * that stands is chance.  The mode's edge is steadier, and sooner. */
static int64_t edge_of(const struct uns_delay_hedge *hedge)
{
    const struct uns_delay_curve *x = hedge->primary;
    double later = later_at(x, hedge->wait_us);

    return x->at_us[step_to(x, later + EDGE * hedge->ratio)];
}

int64_t uns_delay_auto(const struct uns_delay_curve *primary,
                       const struct uns_delay_curve *rival, double ratio)
{
    struct uns_delay_hedge hedge = {primary, rival, 0, ratio}, more;
    size_t at;

    if (primary->steps == 0 || ratio >= 1)
        return 0; /* nothing is known; or every call may be hedged at once */
    at = step_to(primary, PLANNED * ratio);
    hedge.wait_us = primary->at_us[at];
    more = try_more(&hedge, at);
    return more.wait_us < hedge.wait_us ? edge_of(&more) : hedge.wait_us;
}
