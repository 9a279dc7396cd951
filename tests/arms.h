/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_ARMS_H
#define UNS_TESTS_ARMS_H

/* arms - the calls of an arm that a seed makes: waits like those of real
 * providers, some stalls, some failures. */

#include "cli/compare.h"
#include "cli/stats.h"

#include <math.h>
#include <stdlib.h>

struct arm_plan {
    size_t calls;
    size_t each;     /* calls of a unit, which are alike */
    double effect;   /* the share by which its first tokens are faster */
    double never;    /* share of calls without a first token */
    double requests; /* extra ones, a call */
};

struct arm {
    size_t calls, units;
    uint32_t *unit;
    double *value[UNS_COLUMN_COUNT];
};

static inline double arm_normal(struct uns_dice *dice)
{
    double radius = sqrt(-2 * log(1 - uns_stats_uniform(dice)));

    return radius * cos(6.283185307179586 * uns_stats_uniform(dice));
}

static inline double arm_chance(struct uns_dice *dice, double p)
{
    return uns_stats_uniform(dice) < p;
}

static inline void arm_fill(struct arm *arm, const struct arm_plan *plan,
                            struct uns_dice *dice)
{
    double unit = 0;

    for (size_t i = 0; i < plan->calls; i++) {
        double ms;

        if (i % plan->each == 0)
            unit = plan->each > 1 ? 0.4 * arm_normal(dice) : 0;
        ms = 800 * (1 - plan->effect) * exp(unit + 0.4 * arm_normal(dice));
        arm->unit[i] = (uint32_t)(i / plan->each);
        arm->value[UNS_COLUMN_TTFT][i] =
            arm_chance(dice, plan->never) ? (double)INFINITY : ms;
        arm->value[UNS_COLUMN_WALL][i] = ms + 4000 + 500 * arm_normal(dice);
        arm->value[UNS_COLUMN_STALLED][i] = arm_chance(dice, 0.1);
        arm->value[UNS_COLUMN_STALL][i] =
            arm->value[UNS_COLUMN_STALLED][i] * 3000 * uns_stats_uniform(dice);
        arm->value[UNS_COLUMN_FAILED][i] = arm_chance(dice, 0.03);
        arm->value[UNS_COLUMN_REQUESTS][i] = arm_chance(dice, plan->requests);
        arm->value[UNS_COLUMN_TOKENS][i] =
            300 * arm->value[UNS_COLUMN_REQUESTS][i];
    }
}

static inline struct arm arm_make(const struct arm_plan *plan,
                                  struct uns_dice *dice)
{
    struct arm arm = {plan->calls,
                      (plan->calls + plan->each - 1) / plan->each,
                      calloc(plan->calls + 1, sizeof(uint32_t)),
                      {NULL}};

    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++)
        arm.value[i] = calloc(plan->calls + 1, sizeof(double));
    arm_fill(&arm, plan, dice);
    return arm;
}

static inline struct uns_arm_calls arm_calls(const struct arm *arm)
{
    struct uns_arm_calls calls = {arm->calls, arm->units, arm->unit, {NULL}};

    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++)
        calls.value[i] = arm->value[i];
    return calls;
}

static inline void arm_free(struct arm *arm)
{
    free(arm->unit);
    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++)
        free(arm->value[i]);
}

/* Make two arms and compare them. */
static inline struct uns_comparison arms_compare(const struct arm_plan *control,
                                                 const struct arm_plan *treated,
                                                 uint64_t seed)
{
    struct uns_dice dice = {seed};
    struct arm arm[UNS_ARMS] = {arm_make(control, &dice),
                                arm_make(treated, &dice)};
    const struct uns_arm_calls calls[UNS_ARMS] = {arm_calls(&arm[0]),
                                                  arm_calls(&arm[1])};
    struct uns_comparison comparison;

    if (!uns_compare(calls, 1, &comparison))
        abort();
    arm_free(&arm[0]);
    arm_free(&arm[1]);
    return comparison;
}

#endif
