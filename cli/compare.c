/* SPDX-License-Identifier: MIT */
/*
 * compare - from drawn arms to intervals and one verdict.  Ratios are drawn as
 * logarithms: so twice as long is as far from the same as half as long.
 */
#include "compare.h"

#include "bootstrap.h"

#include <math.h>
#include <stdlib.h>

/* The interval's ends lie at the 50th draw from either side; a large
 * experiment takes fewer, being slower to draw. */
#define DRAWS       2000
#define DRAWS_LARGE 500
#define LARGE       20000

/* Of the normal distribution: 95 % two-sided, and 80 % of power. */
#define Z_SURE  1.959964
#define Z_POWER 0.841621

/* clang-format off */
const struct uns_stat uns_stats[UNS_STAT_COUNT] = {
    [UNS_STAT_TTFT_P50] = {"ttft_p50_ms", "first token p50",
        UNS_COLUMN_TTFT, 500, UNS_STAT_MS, true},
    [UNS_STAT_TTFT_P95] = {"ttft_p95_ms", "first token p95",
        UNS_COLUMN_TTFT, 950, UNS_STAT_MS, true},
    [UNS_STAT_TTFT_P99] = {"ttft_p99_ms", "first token p99",
        UNS_COLUMN_TTFT, 990, UNS_STAT_MS, true},
    [UNS_STAT_WALL_P50] = {"wall_p50_ms", "whole call p50",
        UNS_COLUMN_WALL, 500, UNS_STAT_MS, true},
    [UNS_STAT_WALL_P95] = {"wall_p95_ms", "whole call p95",
        UNS_COLUMN_WALL, 950, UNS_STAT_MS, true},
    [UNS_STAT_STALL_P95] = {"stall_p95_ms", "stalled p95",
        UNS_COLUMN_STALL, 950, UNS_STAT_MS, false},
    [UNS_STAT_STALLED] = {"stalled_share", "stalled calls",
        UNS_COLUMN_STALLED, 0, UNS_STAT_SHARE, false},
    [UNS_STAT_FAILED] = {"failed_share", "failed calls",
        UNS_COLUMN_FAILED, 0, UNS_STAT_SHARE, false},
    [UNS_STAT_REQUESTS] = {"extra_requests", "extra requests a call",
        UNS_COLUMN_REQUESTS, 0, UNS_STAT_NUMBER, false},
    [UNS_STAT_TOKENS] = {"extra_tokens", "extra tokens a call",
        UNS_COLUMN_TOKENS, 0, UNS_STAT_NUMBER, false},
};

/* clang-format on */

/* The draws of every statistic's difference. */
struct draws {
    size_t count, cap;
    double *of[UNS_STAT_COUNT];
};

/* On the scale on which differences are drawn.  Both never, or both nothing,
 * are no difference. */
static double distance(const struct uns_stat *stat, double control,
                       double treatment)
{
    if (control == treatment)
        return 0;
    return stat->ratio ? log(treatment) - log(control) : treatment - control;
}

static double as_told(const struct uns_stat *stat, double distance)
{
    return stat->ratio ? expm1(distance) : distance;
}

static bool draws_init(struct draws *draws, size_t calls)
{
    bool good = true;

    draws->count = 0;
    draws->cap = calls > LARGE ? DRAWS_LARGE : DRAWS;
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++) {
        draws->of[i] = calloc(draws->cap, sizeof *draws->of[i]);
        good = good && draws->of[i] != NULL;
    }
    return good;
}

static void draws_done(struct draws *draws)
{
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++)
        free(draws->of[i]);
}

static void draw(struct draws *draws, struct uns_bootstrap *arms[UNS_ARMS],
                 struct uns_dice *dice)
{
    double value[UNS_ARMS][UNS_STAT_COUNT];

    for (unsigned arm = 0; arm < UNS_ARMS; arm++) {
        uns_bootstrap_draw(arms[arm], dice);
        uns_bootstrap_tell(arms[arm], value[arm]);
    }
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++)
        draws->of[i][draws->count] = distance(
            &uns_stats[i], value[UNS_CONTROL][i], value[UNS_TREATMENT][i]);
    draws->count++;
}

/* What is NAN counts as the greatest: one such draw may be, many spoil the
 * interval, as they should. */
static int by_distance(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    if (isnan(a) || isnan(b))
        return (isnan(a) ? 1 : 0) - (isnan(b) ? 1 : 0);
    return (a > b) - (a < b);
}

static void tell_interval(struct draws *draws, enum uns_statistic i,
                          struct uns_effect *effect)
{
    const struct uns_stat *stat = &uns_stats[i];
    size_t cut = draws->cap / 40;
    double low, high;

    qsort(draws->of[i], draws->count, sizeof *draws->of[i], by_distance);
    low = draws->of[i][cut];
    high = draws->of[i][draws->count - 1 - cut];
    effect->change = as_told(stat, distance(stat, effect->value[UNS_CONTROL],
                                            effect->value[UNS_TREATMENT]));
    effect->low = as_told(stat, low);
    effect->high = as_told(stat, high);
    effect->clear = low > 0 || high < 0;
}

static size_t counted(const struct uns_arm_calls *arm)
{
    const double *value = arm->value[uns_stats[UNS_STAT_PRIMARY].column];
    size_t count = 0;

    for (size_t i = 0; i < arm->calls; i++)
        count += isnan(value[i]) ? 0 : 1;
    return count;
}

/* Calls of one arm that are missing; a unit has as many as hitherto. */
static double missing(const struct uns_arm_calls *arm)
{
    double calls = (double)counted(arm), units = (double)arm->units;
    double each = units > 0 ? calls / units : 1;
    double by_calls = UNS_COMPARE_CALLS - calls;
    double by_units = (UNS_COMPARE_UNITS - units) * (each > 1 ? each : 1);

    return fmax(0, fmax(by_calls, by_units));
}

/* In both arms together, while they grow as hitherto.  0: none. */
static size_t missing_together(const struct uns_arm_calls arms[UNS_ARMS])
{
    double total = (double)(arms[0].calls + arms[1].calls), most = 0;

    for (unsigned arm = 0; arm < UNS_ARMS; arm++) {
        double calls = (double)arms[arm].calls;
        double share = calls > 0 ? calls / total : 1.0 / UNS_ARMS;

        most = fmax(most, ceil(missing(&arms[arm]) / share));
    }
    return (size_t)most;
}

/* The error shrinks with the root of the calls.  What would be found is fixed
 * beforehand; to ask whether the difference that was seen would be found is to
 * ask nothing. */
static size_t missing_power(const struct uns_effect *effect, size_t calls)
{
    double error = (log1p(effect->high) - log1p(effect->low)) / (2 * Z_SURE);
    double wanted = -log1p(-UNS_COMPARE_DETECT) / (Z_SURE + Z_POWER);
    double times = (error / wanted) * (error / wanted);

    if (!isfinite(times) || times <= 1)
        return 0;
    return (size_t)ceil((double)calls * (times - 1));
}

static void judge(const struct uns_arm_calls arms[UNS_ARMS],
                  struct uns_comparison *comparison)
{
    const struct uns_effect *effect = &comparison->effect[UNS_STAT_PRIMARY];
    bool wide = !isfinite(effect->low) || !isfinite(effect->high);

    comparison->more = missing_together(arms);
    comparison->verdict = UNS_VERDICT_TOO_FEW;
    if (comparison->more > 0)
        return;
    if (effect->clear) {
        comparison->verdict =
            effect->low > 0 ? UNS_VERDICT_MORE : UNS_VERDICT_LESS;
        return;
    }
    comparison->more = missing_power(effect, counted(&arms[UNS_CONTROL]) +
                                                 counted(&arms[UNS_TREATMENT]));
    comparison->verdict =
        comparison->more > 0 || wide ? UNS_VERDICT_UNSURE : UNS_VERDICT_NONE;
}

static void tell_all(struct draws *draws, struct uns_bootstrap *arms[UNS_ARMS],
                     uint64_t seed, struct uns_comparison *comparison)
{
    struct uns_dice dice = {seed};
    double value[UNS_ARMS][UNS_STAT_COUNT];

    for (unsigned arm = 0; arm < UNS_ARMS; arm++)
        uns_bootstrap_tell(arms[arm], value[arm]);
    while (draws->count < draws->cap)
        draw(draws, arms, &dice);
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++) {
        struct uns_effect *effect = &comparison->effect[i];

        for (unsigned arm = 0; arm < UNS_ARMS; arm++)
            effect->value[arm] = value[arm][i];
        tell_interval(draws, (enum uns_statistic)i, effect);
    }
}

bool uns_compare(const struct uns_arm_calls arms[UNS_ARMS], uint64_t seed,
                 struct uns_comparison *ret_comparison)
{
    struct uns_bootstrap *drawn[UNS_ARMS] = {
        uns_bootstrap_new(&arms[UNS_CONTROL]),
        uns_bootstrap_new(&arms[UNS_TREATMENT]),
    };
    struct draws draws;
    bool good = draws_init(&draws, arms[0].calls + arms[1].calls) && drawn[0] &&
                drawn[1];

    if (good) {
        tell_all(&draws, drawn, seed, ret_comparison);
        judge(arms, ret_comparison);
    }
    draws_done(&draws);
    uns_bootstrap_free(drawn[0]);
    uns_bootstrap_free(drawn[1]);
    return good;
}
