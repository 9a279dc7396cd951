/* SPDX-License-Identifier: MIT */
/* quantile - lists of samples, and ranks in them. */
#include "quantile.h"
#include "nan.h"

#include "core/units.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_CAP 64

static bool grow(struct uns_samples *samples)
{
    size_t cap = samples->cap ? samples->cap * 2 : FIRST_CAP;
    double *list = realloc(samples->list, cap * sizeof *list);

    if (list == NULL)
        return false;
    samples->list = list;
    samples->cap = cap;
    return true;
}

void uns_samples_add(struct uns_samples *samples, double value)
{
    if (samples->count == samples->cap && !grow(samples)) {
        samples->lost = true;
        return;
    }
    samples->list[samples->count++] = value;
    samples->sorted = false;
}

void uns_samples_add_int(struct uns_samples *samples, int64_t value)
{
    if (value != UNS_NULL)
        uns_samples_add(samples, (double)value);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

void uns_samples_sort(struct uns_samples *samples)
{
    if (!samples->sorted && samples->count > 1)
        qsort(samples->list, samples->count, sizeof *samples->list, compare);
    samples->sorted = true;
}

void uns_samples_clear(struct uns_samples *samples)
{
    samples->count = 0;
    samples->lost = samples->sorted = false;
}

void uns_samples_free(struct uns_samples *samples)
{
    free(samples->list);
    *samples = (struct uns_samples){0};
}

/* count * per_mille / 1000, rounded up, without overflow; counted from 0. */
uint64_t uns_quantile_rank(uint64_t count, unsigned per_mille)
{
    uint64_t share = per_mille < 1000 ? per_mille : 1000;
    uint64_t rank = count / 1000 * share + (count % 1000 * share + 999) / 1000;

    return rank > 0 ? rank - 1 : 0;
}

double uns_quantile(const struct uns_samples *samples, unsigned per_mille)
{
    if (samples->count == 0)
        return UNS_NAN;
    return samples->list[uns_quantile_rank(samples->count, per_mille)];
}

double uns_samples_mean(const struct uns_samples *samples)
{
    double sum = 0;

    if (samples->count == 0)
        return UNS_NAN;
    for (size_t i = 0; i < samples->count; i++)
        sum += samples->list[i];
    return sum / (double)samples->count;
}

static int compare_weighted(const void *a, const void *b)
{
    const struct uns_weighted *x = a, *y = b;

    return (x->value > y->value) - (x->value < y->value);
}

void uns_weighted_sort(struct uns_weighted *list, size_t count)
{
    if (count > 1)
        qsort(list, count, sizeof *list, compare_weighted);
}

double uns_weighted_quantile(const struct uns_weighted *list, size_t count,
                             unsigned per_mille)
{
    uint64_t total = 0, rank;
    size_t i = 0;

    for (size_t each = 0; each < count; each++)
        total += (uint64_t)list[each].weight;
    if (total == 0)
        return UNS_NAN;
    rank = uns_quantile_rank(total, per_mille);
    for (uint64_t before = 0; before + (uint64_t)list[i].weight <= rank; i++)
        before += (uint64_t)list[i].weight;
    return list[i].value;
}
