/* SPDX-License-Identifier: MIT */
/* Two arms: differences that are there are found, others are not claimed. */
#include "arms.h"
#include "check.h"

#define SEEDS 200

/* At most 5 % of the seeds may find what is not there; chance may make it two
 * standard errors more. */
#define MOST_FALSE 16

static bool claims(const struct uns_comparison *comparison)
{
    return comparison->verdict == UNS_VERDICT_LESS ||
           comparison->verdict == UNS_VERDICT_MORE;
}

/* How many of the seeds' experiments claim a difference. */
static int count_claims(const struct arm_plan *control,
                        const struct arm_plan *treated, unsigned seeds)
{
    int count = 0;

    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct uns_comparison comparison =
            arms_compare(control, treated, seed * 7919);

        count += claims(&comparison);
    }
    return count;
}

static const struct {
    const char *name;
    struct arm_plan plan;
} equal[] = {
    {"few calls", {100, 1, 0, 0, 0}},
    {"200 calls an arm", {200, 1, 0, 0, 0}},
    {"some of which never answer", {300, 1, 0, 0.02, 0}},
    {"40 processes of ten", {400, 10, 0, 0, 0}},
};

static void test_compare_claims_nothing_between_equal_arms(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(equal); i++) {
        int count = count_claims(&equal[i].plan, &equal[i].plan, SEEDS);

        if (count > MOST_FALSE)
            fail_msg("%s: %d of %d seeds", equal[i].name, count, SEEDS);
    }
}

/* Calls of one process are alike: taken one by one they claim far too much. */
static void
test_compare_would_err_if_calls_of_a_process_were_units(void **state)
{
    static const struct arm_plan alike = {400, 20, 0, 0, 0};
    int wrong = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct uns_dice dice = {seed};
        struct arm arm[UNS_ARMS] = {arm_make(&alike, &dice),
                                    arm_make(&alike, &dice)};
        struct uns_arm_calls calls[UNS_ARMS];
        struct uns_comparison comparison;

        for (unsigned i = 0; i < UNS_ARMS; i++) {
            for (size_t k = 0; k < arm[i].calls; k++)
                arm[i].unit[k] = (uint32_t)k;
            arm[i].units = arm[i].calls;
            calls[i] = arm_calls(&arm[i]);
        }
        assert_true(uns_compare(calls, 1, &comparison));
        wrong += claims(&comparison);
        arm_free(&arm[0]);
        arm_free(&arm[1]);
    }
    assert_in_range(wrong, 8, 40);
}

static void test_compare_finds_thirty_percent_in_400_calls(void **state)
{
    static const struct arm_plan control = {200, 1, 0, 0, 0};
    static const struct arm_plan treated = {200, 1, 0.3, 0, 0.1};
    int found = count_claims(&control, &treated, SEEDS);

    (void)state;
    assert_in_range(found, SEEDS * 9 / 10, SEEDS);
}

static void test_compare_says_which_way_and_how_far(void **state)
{
    static const struct arm_plan control = {5000, 1, 0, 0, 0};
    static const struct arm_plan treated = {5000, 1, 0.3, 0, 0.1};
    struct uns_comparison less = arms_compare(&control, &treated, 3);
    struct uns_comparison more = arms_compare(&treated, &control, 3);
    const struct uns_effect *effect = &less.effect[UNS_STAT_PRIMARY];

    (void)state;
    CHECK_INT("less", less.verdict, UNS_VERDICT_LESS);
    CHECK_INT("more", more.verdict, UNS_VERDICT_MORE);
    assert_true(effect->low < -0.3 && -0.3 < effect->high);
    assert_true(effect->high - effect->low < 0.15);
    assert_true(effect->low <= effect->change);
    assert_true(effect->change <= effect->high);
    effect = &less.effect[UNS_STAT_REQUESTS];
    assert_true(effect->clear && effect->low > 0.08 && effect->high < 0.12);
}

static void test_compare_gives_the_same_answer_each_time(void **state)
{
    static const struct arm_plan plan = {150, 1, 0, 0.01, 0.1};
    struct uns_comparison one = arms_compare(&plan, &plan, 11);
    struct uns_comparison other = arms_compare(&plan, &plan, 11);

    (void)state;
    assert_memory_equal(&one.effect[UNS_STAT_PRIMARY],
                        &other.effect[UNS_STAT_PRIMARY], sizeof one.effect[0]);
    CHECK_INT("more", one.more, other.more);
}

static const struct {
    const char *name;
    struct arm_plan control, treated;
    size_t more;
} scarce[] = {
    {"no call in an arm", {1, 1, 0, 0, 0}, {0, 1, 0, 0, 0}, 200},
    {"half of what is needed", {50, 1, 0, 0, 0}, {50, 1, 0, 0, 0}, 100},
    {"the smaller arm decides", {300, 1, 0, 0, 0}, {50, 1, 0, 0, 0}, 350},
    {"few processes", {200, 20, 0, 0, 0}, {200, 20, 0, 0, 0}, 400},
};

static void test_compare_refuses_too_little_and_says_how_much(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(scarce); i++) {
        struct uns_comparison comparison =
            arms_compare(&scarce[i].control, &scarce[i].treated, 5);

        CHECK_INT(scarce[i].name, comparison.verdict, UNS_VERDICT_TOO_FEW);
        CHECK_INT(scarce[i].name, comparison.more, scarce[i].more);
    }
}

/* Four times in five, with as many calls as it asked for: the estimate of
 * one experiment is rough, that of many is right on the average. */
static void test_compare_asks_for_as_many_calls_as_it_takes(void **state)
{
    static const struct arm_plan small = {120, 1, 0, 0, 0};
    double more = 0;
    int asked = 0, found = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct uns_comparison comparison = arms_compare(&small, &small, seed);

        if (comparison.verdict != UNS_VERDICT_UNSURE)
            continue;
        more += (double)comparison.more;
        asked++;
    }
    assert_true(asked > 30);
    struct arm_plan control = small, treated = small;

    control.calls += (size_t)(more / asked / 2);
    treated.calls = control.calls;
    treated.effect = UNS_COMPARE_DETECT;
    found = count_claims(&control, &treated, 60);
    assert_in_range(found, 60 * 65 / 100, 60 * 95 / 100);
}

static void test_compare_says_when_there_is_no_difference(void **state)
{
    static const struct arm_plan plan = {4000, 1, 0, 0, 0};
    struct uns_comparison comparison = arms_compare(&plan, &plan, 2);

    (void)state;
    CHECK_INT("verdict", comparison.verdict, UNS_VERDICT_NONE);
    CHECK_INT("more", comparison.more, 0);
}

/* More than one call in twenty never answers: there is no 95th percentile. */
static void test_compare_cannot_tell_where_most_wait_for_ever(void **state)
{
    static const struct arm_plan plan = {400, 1, 0, 0.2, 0};
    struct uns_comparison comparison = arms_compare(&plan, &plan, 2);

    (void)state;
    CHECK_INT("verdict", comparison.effect[UNS_STAT_PRIMARY].clear, false);
}

/* The treatment makes answers of calls that had none. */
static void test_compare_counts_calls_that_never_answer(void **state)
{
    static const struct arm_plan control = {400, 1, 0, 0.15, 0};
    static const struct arm_plan treated = {400, 1, 0, 0, 0.15};
    struct uns_comparison comparison = arms_compare(&control, &treated, 2);
    const struct uns_effect *effect = &comparison.effect[UNS_STAT_PRIMARY];

    (void)state;
    CHECK_INT("verdict", comparison.verdict, UNS_VERDICT_LESS);
    assert_true(isinf(effect->value[UNS_CONTROL]));
    assert_true(effect->change == -1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_compare_claims_nothing_between_equal_arms),
        cmocka_unit_test(
            test_compare_would_err_if_calls_of_a_process_were_units),
        cmocka_unit_test(test_compare_finds_thirty_percent_in_400_calls),
        cmocka_unit_test(test_compare_says_which_way_and_how_far),
        cmocka_unit_test(test_compare_gives_the_same_answer_each_time),
        cmocka_unit_test(test_compare_refuses_too_little_and_says_how_much),
        cmocka_unit_test(test_compare_asks_for_as_many_calls_as_it_takes),
        cmocka_unit_test(test_compare_says_when_there_is_no_difference),
        cmocka_unit_test(test_compare_cannot_tell_where_most_wait_for_ever),
        cmocka_unit_test(test_compare_counts_calls_that_never_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
