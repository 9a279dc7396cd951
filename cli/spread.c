/* SPDX-License-Identifier: MIT */
/*
 * spread - a slot for each number of eleven binary digits, with zeros behind
 * it (the idea of HdrHistogram by Tene, with digits to the base of two).
 *
 *   us      0 ... 2047   2048 ... 4095   4096 ... 8191
 *   step    1            2               4
 *   slot    0 ... 2047   2048 ... 3071   3072 ... 4095
 */
#include "spread.h"

#include "quantile.h"

#define HALF  (INT64_C(1) << (UNS_SPREAD_DIGITS - 1))
#define WHOLE (2 * HALF)

static int64_t within(int64_t us)
{
    if (us < 0)
        return 0;
    return us < UNS_SPREAD_LONGEST ? us : UNS_SPREAD_LONGEST;
}

/* How many digits are cut off. */
static unsigned cut_digits(int64_t us)
{
    unsigned digits = 0;

    for (; us >= WHOLE; us >>= 1)
        digits++;
    return digits;
}

static size_t slot_of(int64_t us)
{
    unsigned digits = cut_digits(us);

    return (size_t)(HALF * digits + (us >> digits));
}

static int64_t slot_from(size_t slot)
{
    int64_t digits = (int64_t)slot < WHOLE ? 0 : (int64_t)slot / HALF - 1;

    return ((int64_t)slot - HALF * digits) << digits;
}

void uns_spread_add(struct uns_spread *spread, int64_t us, uint64_t count)
{
    us = within(us);
    spread->count += count;
    spread->sum_us += (uint64_t)us * count;
    if (us > spread->most_us)
        spread->most_us = us;
    spread->slot[slot_of(us)] += count;
}

int64_t uns_spread_cut(int64_t us)
{
    return slot_from(slot_of(within(us)));
}

int64_t uns_spread_quantile(const struct uns_spread *spread, unsigned per_mille)
{
    uint64_t rank = uns_quantile_rank(spread->count, per_mille);
    uint64_t before = 0;
    size_t slot = 0;

    if (spread->count == 0)
        return 0;
    for (; before + spread->slot[slot] <= rank; slot++)
        before += spread->slot[slot];
    return slot_from(slot);
}

#define DECADE(us) \
    10 * (us), 15 * (us), 20 * (us), 30 * (us), 50 * (us), 70 * (us)

static const int64_t classes_from[UNS_CLASSES + 1] = {
    0,
    DECADE(INT64_C(1)),
    DECADE(INT64_C(10)),
    DECADE(INT64_C(100)),
    DECADE(INT64_C(1000)),
    DECADE(INT64_C(10000)),
    DECADE(INT64_C(100000)),
    DECADE(INT64_C(1000000)),
    DECADE(INT64_C(10000000)),
    INT64_C(1000000000),
    INT64_MAX,
};

int64_t uns_classes_from(size_t i)
{
    return classes_from[i < UNS_CLASSES ? i : UNS_CLASSES];
}

void uns_classes_add(struct uns_classes *classes, int64_t us, uint64_t count)
{
    size_t first = 0, end = UNS_CLASSES;

    while (end - first > 1) {
        size_t middle = first + (end - first) / 2;

        if (us >= classes_from[middle])
            first = middle;
        else
            end = middle;
    }
    classes->count[first] += count;
}
