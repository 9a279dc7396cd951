/* SPDX-License-Identifier: MIT */
/* Statistics of arms as they are, and as they are drawn. */
#include "cli/bootstrap.h"

#include "arms.h"
#include "check.h"

/* An arm whose every column has these values, a unit a call. */
static struct uns_bootstrap *arm_of(const double *values, size_t count)
{
    uint32_t unit[16];
    struct uns_arm_calls calls = {count, count, unit, {NULL}};
    struct uns_bootstrap *bootstrap;

    for (uint32_t i = 0; i < count; i++)
        unit[i] = i;
    for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++)
        calls.value[i] = values;
    bootstrap = uns_bootstrap_new(&calls);
    assert_non_null(bootstrap);
    return bootstrap;
}

#define NO (double)NAN

static const struct {
    const char *name;
    double values[10];
    size_t count;
    double median, p95, mean;
} arms[] = {
    {"nobody", {0}, 0, NO, NO, NO},
    {"one call", {7}, 1, 7, 7, 7},
    {"unsorted", {3, 1, 2, 5, 4}, 5, 3, 5, 3},
    {"an even number", {4, 1, 3, 2}, 4, 2, 4, 2.5},
    {"what does not count", {NO, 1, NO, 3, 2}, 5, 2, 3, 2},
    {"nothing counts", {NO, NO}, 2, NO, NO, NO},
    {"one never came",
     {1, (double)INFINITY, 2},
     3,
     2,
     (double)INFINITY,
     (double)INFINITY},
    {"all the same", {2, 2, 2, 2}, 4, 2, 2, 2},
};

static void check_real(const char *name, double got, double want)
{
    if (got != want && !(isnan(got) && isnan(want)))
        fail_msg("%s: %g, not %g", name, got, want);
}

static void test_bootstrap_tells_an_arm_as_it_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(arms); i++) {
        struct uns_bootstrap *arm = arm_of(arms[i].values, arms[i].count);
        double value[UNS_STAT_COUNT];

        uns_bootstrap_tell(arm, value);
        check_real(arms[i].name, value[UNS_STAT_TTFT_P50], arms[i].median);
        check_real(arms[i].name, value[UNS_STAT_WALL_P95], arms[i].p95);
        check_real(arms[i].name, value[UNS_STAT_FAILED], arms[i].mean);
        uns_bootstrap_free(arm);
    }
}

/* The n-th of as many equal copies. */
static void test_bootstrap_takes_weights_for_copies(void **state)
{
    static const double values[] = {10, 20, 30};
    struct uns_bootstrap *arm = arm_of(values, 3);
    double value[UNS_STAT_COUNT];

    (void)state;
    arm->weight[0] = 0;
    arm->weight[1] = 1;
    arm->weight[2] = 2;
    uns_bootstrap_tell(arm, value);
    check_real("median of 20 30 30", value[UNS_STAT_TTFT_P50], 30);
    check_real("mean", value[UNS_STAT_REQUESTS], 80.0 / 3);
    arm->weight[2] = 0;
    uns_bootstrap_tell(arm, value);
    check_real("p99 of 20", value[UNS_STAT_TTFT_P99], 20);
    uns_bootstrap_free(arm);
}

static void test_bootstrap_draws_as_many_units_as_there_are(void **state)
{
    static const double values[16] = {0};
    struct uns_bootstrap *arm = arm_of(values, 16);
    struct uns_dice dice = {1};
    size_t most = 0;

    (void)state;
    for (int draw = 0; draw < 100; draw++) {
        size_t total = 0;

        uns_bootstrap_draw(arm, &dice);
        for (size_t i = 0; i < 16; i++) {
            total += arm->weight[i];
            most = arm->weight[i] > most ? arm->weight[i] : most;
        }
        CHECK_INT("units", total, 16);
    }
    assert_in_range(most, 3, 9);
    uns_bootstrap_free(arm);
}

/* All calls of a unit are drawn together or not at all. */
static void test_bootstrap_never_divides_a_unit(void **state)
{
    static const struct arm_plan plan = {60, 6, 0, 0, 0};
    struct uns_dice dice = {4};
    struct arm arm = arm_make(&plan, &dice);
    struct uns_arm_calls calls = arm_calls(&arm);
    struct uns_bootstrap *bootstrap;

    (void)state;
    for (size_t i = 0; i < 60; i++)
        arm.value[UNS_COLUMN_FAILED][i] = i % 6 == 0;
    bootstrap = uns_bootstrap_new(&calls);
    for (int draw = 0; draw < 100; draw++) {
        double value[UNS_STAT_COUNT];

        uns_bootstrap_draw(bootstrap, &dice);
        uns_bootstrap_tell(bootstrap, value);
        assert_true(fabs(value[UNS_STAT_FAILED] - 1.0 / 6) < 1e-9);
    }
    uns_bootstrap_free(bootstrap);
    arm_free(&arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bootstrap_tells_an_arm_as_it_is),
        cmocka_unit_test(test_bootstrap_takes_weights_for_copies),
        cmocka_unit_test(test_bootstrap_draws_as_many_units_as_there_are),
        cmocka_unit_test(test_bootstrap_never_divides_a_unit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
