/* SPDX-License-Identifier: MIT */
/* bootstrap - sorts once, then only counts. */
#include "bootstrap.h"
#include "nan.h"

#include "quantile.h"

#include <math.h>
#include <stdlib.h>

struct pair {
    double value;
    uint32_t unit;
};

static int by_value(const void *left, const void *right)
{
    double a = ((const struct pair *)left)->value;
    double b = ((const struct pair *)right)->value;

    return (a > b) - (a < b);
}

static size_t collect(const struct uns_arm_calls *calls, enum uns_column column,
                      struct pair *ret_pairs)
{
    size_t count = 0;

    for (size_t i = 0; i < calls->calls; i++)
        if (!isnan(calls->value[column][i]))
            ret_pairs[count++] =
                (struct pair){calls->value[column][i], calls->unit[i]};
    qsort(ret_pairs, count, sizeof *ret_pairs, by_value);
    return count;
}

static bool rank(struct uns_ranked *ranked, const struct pair *pairs,
                 size_t count)
{
    ranked->value = calloc(count + 1, sizeof *ranked->value);
    ranked->unit = calloc(count + 1, sizeof *ranked->unit);
    if (ranked->value == NULL || ranked->unit == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        ranked->value[i] = pairs[i].value;
        ranked->unit[i] = pairs[i].unit;
    }
    ranked->count = count;
    return true;
}

static bool fill(struct uns_bootstrap *bootstrap,
                 const struct uns_arm_calls *calls)
{
    struct pair *pairs = calloc(calls->calls + 1, sizeof *pairs);
    bool good = pairs != NULL;

    for (unsigned i = 0; good && i < UNS_COLUMN_COUNT; i++)
        good = rank(&bootstrap->column[i], pairs,
                    collect(calls, (enum uns_column)i, pairs));
    free(pairs);
    bootstrap->weight = calloc(calls->units + 1, sizeof *bootstrap->weight);
    for (size_t i = 0; bootstrap->weight != NULL && i < calls->units; i++)
        bootstrap->weight[i] = 1;
    bootstrap->units = calls->units;
    return good && bootstrap->weight != NULL;
}

struct uns_bootstrap *uns_bootstrap_new(const struct uns_arm_calls *calls)
{
    struct uns_bootstrap *bootstrap = calloc(1, sizeof *bootstrap);

    if (bootstrap == NULL || fill(bootstrap, calls))
        return bootstrap;
    uns_bootstrap_free(bootstrap);
    return NULL;
}

void uns_bootstrap_free(struct uns_bootstrap *bootstrap)
{
    if (bootstrap == NULL)
        return;
    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++) {
        free(bootstrap->column[i].value);
        free(bootstrap->column[i].unit);
    }
    free(bootstrap->weight);
    free(bootstrap);
}

void uns_bootstrap_draw(struct uns_bootstrap *bootstrap, struct uns_dice *dice)
{
    for (size_t i = 0; i < bootstrap->units; i++)
        bootstrap->weight[i] = 0;
    for (size_t i = 0; i < bootstrap->units; i++)
        bootstrap->weight[uns_stats_roll(dice, bootstrap->units)]++;
}

/* Calls of the column that are drawn. */
static size_t drawn(const struct uns_bootstrap *bootstrap,
                    enum uns_column column)
{
    const struct uns_ranked *ranked = &bootstrap->column[column];
    size_t total = 0;

    for (size_t i = 0; i < ranked->count; i++)
        total += bootstrap->weight[ranked->unit[i]];
    return total;
}

static double mean(const struct uns_bootstrap *bootstrap,
                   enum uns_column column, size_t total)
{
    const struct uns_ranked *ranked = &bootstrap->column[column];
    double sum = 0;

    for (size_t i = 0; i < ranked->count; i++)
        sum += ranked->value[i] * bootstrap->weight[ranked->unit[i]];
    return sum / (double)total;
}

/* Quantiles lie high as a rule: the walk comes from above. */
static double quantile(const struct uns_bootstrap *bootstrap,
                       enum uns_column column, unsigned per_mille, size_t total)
{
    const struct uns_ranked *ranked = &bootstrap->column[column];
    size_t above = total - uns_quantile_rank(total, per_mille);
    size_t i = ranked->count;

    for (size_t seen = 0; i > 0 && seen < above; i--)
        seen += bootstrap->weight[ranked->unit[i - 1]];
    return ranked->value[i];
}

void uns_bootstrap_tell(const struct uns_bootstrap *bootstrap,
                        double ret_value[UNS_STAT_COUNT])
{
    size_t totals[UNS_COLUMN_COUNT];

    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++)
        totals[i] = drawn(bootstrap, (enum uns_column)i);
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++) {
        const struct uns_stat *stat = &uns_stats[i];
        size_t total = totals[stat->column];

        ret_value[i] =
            total == 0 ? UNS_NAN
            : stat->per_mille > 0
                ? quantile(bootstrap, stat->column, stat->per_mille, total)
                : mean(bootstrap, stat->column, total);
    }
}
