/* SPDX-License-Identifier: MIT */
/* What was drawn into the arms: calls, or processes. */
#include "check.h"
#include "trials.h"

/* `pids` tells the process of each call, a digit a call. */
static const struct {
    const char *name, *calls, *pids;
    bool by_process;
    size_t control, treatment;
} draws[] = {
    {"no calls at all", "", "", false, 0, 0},
    {"a process a call", "aAaA", "1234", false, 2, 2},
    {"one process, calls in both arms", "aAaA", "1111", false, 2, 2},
    {"processes that lie in one arm each", "aaAAa", "11223", true, 2, 1},
    {"calls of two processes by turns", "aAaA", "1212", true, 1, 1},
    {"one process in both arms is enough", "aaAAaA", "112233", false, 3, 3},
    {"the same number of another program", "aaBB", "1111", true, 1, 1},
};

static void test_trial_sees_what_was_drawn(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(draws); i++) {
        struct uns_trial trial;

        trial_make(&trial, draws[i].calls, 1);
        for (size_t k = 0; k < trial.count; k++)
            trial.call[k].pid = draws[i].pids[k];
        assert_true(uns_trial_divide(&trial));
        CHECK_INT(draws[i].name, trial.by_process, draws[i].by_process);
        CHECK_INT(draws[i].name, trial.units[UNS_CONTROL], draws[i].control);
        CHECK_INT(draws[i].name, trial.units[UNS_TREATMENT],
                  draws[i].treatment);
        uns_trial_clear(&trial);
    }
}

static void test_trial_numbers_units_within_their_arm(void **state)
{
    struct uns_trial trial;

    (void)state;
    trial_make(&trial, "aAaAaA", 50);
    for (size_t k = 0; k < trial.count; k++)
        trial.call[k].pid = (int64_t)(k % 10);
    assert_true(uns_trial_divide(&trial));
    assert_true(trial.by_process);
    for (size_t k = 0; k < trial.count; k++) {
        const struct uns_trial_call *call = &trial.call[k];

        assert_true(call->unit < trial.units[call->arm]);
        CHECK_INT("same process, same unit", call->unit,
                  trial.call[k % 10].unit);
    }
    uns_trial_clear(&trial);
}

static void test_trial_keeps_the_calls_in_order_of_time(void **state)
{
    struct uns_trial trial;

    (void)state;
    trial_make(&trial, "zAbY", 100);
    assert_true(uns_trial_divide(&trial));
    for (size_t k = 1; k < trial.count; k++)
        assert_true(trial.call[k - 1].started_us < trial.call[k].started_us);
    uns_trial_clear(&trial);
}

static void test_trial_keeps_a_name_once(void **state)
{
    struct uns_trial trial = {0};

    (void)state;
    CHECK_INT("first", trial_name(&trial, "curl"), 0);
    CHECK_INT("second", trial_name(&trial, "php"), 1);
    CHECK_INT("first again", trial_name(&trial, "curl"), 0);
    CHECK_INT("an empty one", trial_name(&trial, ""), 2);
    CHECK_INT("names", trial.name_count, 3);
    CHECK_TEXT("second", trial.names[1], "php");
    uns_trial_clear(&trial);
    CHECK_INT("cleared", trial.name_count, 0);
}

static void test_trial_gives_each_arm_its_values(void **state)
{
    struct uns_trial trial;
    struct uns_comparison comparison;

    (void)state;
    trial_make(&trial, "aA", 300);
    for (size_t k = 0; k < trial.count; k++)
        for (unsigned i = 0; i < UNS_COLUMN_COUNT; i++)
            trial.call[k].value[i] = trial.call[k].arm ? 50 : 100;
    assert_true(uns_trial_divide(&trial));
    assert_true(uns_trial_compare(&trial, 1, &comparison));
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++) {
        CHECK_INT(uns_stats[i].name, comparison.effect[i].value[0], 100);
        CHECK_INT(uns_stats[i].name, comparison.effect[i].value[1], 50);
    }
    CHECK_INT("verdict", comparison.verdict, UNS_VERDICT_LESS);
    uns_trial_clear(&trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trial_sees_what_was_drawn),
        cmocka_unit_test(test_trial_numbers_units_within_their_arm),
        cmocka_unit_test(test_trial_keeps_the_calls_in_order_of_time),
        cmocka_unit_test(test_trial_keeps_a_name_once),
        cmocka_unit_test(test_trial_gives_each_arm_its_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
