/* SPDX-License-Identifier: MIT */
/* Dice that are fair and the same everywhere; the binomial test. */
#include "cli/stats.h"

#include "check.h"

#include <math.h>

static void test_stats_rolls_the_same_each_time(void **state)
{
    struct uns_dice one = {7}, other = {7};

    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(uns_stats_roll(&one, 1000),
                         uns_stats_roll(&other, 1000));
}

/* SplitMix64's first word for seed 0 is e220a8397b1dcdaf. */
static void test_stats_rolls_what_splitmix64_says(void **state)
{
    struct uns_dice dice = {0};

    (void)state;
    assert_int_equal(uns_stats_roll(&dice, UINT64_C(1) << 32), 0xe220a839);
}

static void test_stats_rolls_every_side_about_as_often(void **state)
{
    static const uint64_t sides[] = {1, 2, 6, 7, 100};

    (void)state;
    for (size_t i = 0; i < ROWS(sides); i++) {
        struct uns_dice dice = {i};
        int seen[100] = {0};

        for (uint64_t roll = 0; roll < 1000 * sides[i]; roll++)
            seen[uns_stats_roll(&dice, sides[i])]++;
        for (uint64_t side = 0; side < sides[i]; side++) {
            assert_in_range(seen[side], 850, 1150);
        }
    }
}

static void test_stats_spreads_uniform_numbers_over_all_of_one(void **state)
{
    struct uns_dice dice = {3};
    int below[4] = {0};

    (void)state;
    for (int i = 0; i < 40000; i++) {
        double number = uns_stats_uniform(&dice);

        assert_true(number >= 0 && number < 1);
        below[(int)(number * 4)]++;
    }
    for (int i = 0; i < 4; i++)
        assert_in_range(below[i], 9600, 10400);
}

/* Two-sided, exact; the odds by exact fractions. */
static const struct {
    const char *name;
    size_t hits, tries;
    double p, odds;
} binomials[] = {
    {"what is expected is no surprise", 5, 10, 0.5, 1},
    {"nothing was tried", 0, 0, 0.5, 1},
    {"both tails count", 1, 10, 0.5, 0.021484375},
    {"as the other side", 9, 10, 0.5, 0.021484375},
    {"all of few", 4, 4, 0.5, 0.125},
    {"a small share", 0, 30, 0.1, 0.0682179},
    {"uneven share, far above", 10, 30, 0.1, 0.0004544},
    {"many", 5200, 10000, 0.5, 0.0000659352},
    {"never, as it must be", 0, 10, 0, 1},
    {"once, although it cannot be", 1, 10, 0, 0},
    {"always, as it must be", 10, 10, 1, 1},
    {"not always, although it must be", 9, 10, 1, 0},
};

static void test_stats_tells_how_unlikely_a_share_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(binomials); i++) {
        double odds = uns_stats_binomial(binomials[i].hits, binomials[i].tries,
                                         binomials[i].p);

        if (fabs(odds - binomials[i].odds) > 0.001 * binomials[i].odds + 1e-9)
            fail_msg("%s: %.7f, not %.7f", binomials[i].name, odds,
                     binomials[i].odds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stats_rolls_the_same_each_time),
        cmocka_unit_test(test_stats_rolls_what_splitmix64_says),
        cmocka_unit_test(test_stats_rolls_every_side_about_as_often),
        cmocka_unit_test(test_stats_spreads_uniform_numbers_over_all_of_one),
        cmocka_unit_test(test_stats_tells_how_unlikely_a_share_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
