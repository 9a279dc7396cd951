/* SPDX-License-Identifier: MIT */
/* Quantiles of a spread are those of the lengths, cut off; classes are what
 * their bounds say. */
#include "cli/spread.h"

#include "check.h"
#include "cli/quantile.h"
#include "draw.h"

#include <stdlib.h>

static struct uns_spread *new_spread(void)
{
    struct uns_spread *spread = calloc(1, sizeof *spread);

    assert_non_null(spread);
    return spread;
}

/* By shifting: the first eleven binary digits. */
static int64_t first_digits(int64_t us)
{
    int digits = 0;

    while (us >> digits >= 2048)
        digits++;
    return us >> digits << digits;
}

static void test_spread_cuts_after_eleven_digits(void **state)
{
    static const struct {
        const char *name;
        int64_t us, want;
    } rows[] = {
        {"nothing", 0, 0},
        {"below nothing", -5, 0},
        {"small ones are exact", 2047, 2047},
        {"the first step of two", 2049, 2048},
        {"odd ones fall", 4095, 4094},
        {"a second", 1000000, 999936},
        {"the longest", UNS_SPREAD_LONGEST, INT64_C(0x7ff) << 31},
        {"beyond", INT64_MAX, INT64_C(0x7ff) << 31},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].name, uns_spread_cut(rows[i].us), rows[i].want);
    for (int64_t us = 1; us < UNS_SPREAD_LONGEST; us = us * 9 / 8 + 1) {
        assert_int_equal(uns_spread_cut(us), first_digits(us));
        assert_true(us - uns_spread_cut(us) <= us / 1024);
    }
}

static void test_spread_has_the_quantiles_of_all_samples(void **state)
{
    struct uns_spread *spread = new_spread();
    struct uns_samples samples = {0};
    struct draw draw = {7};

    (void)state;
    for (int i = 0; i < 5000; i++) {
        int64_t us = (int64_t)draw_lognormal(&draw, 30000, 90000);
        uint64_t times = 1 + (uint64_t)i % 3;

        uns_spread_add(spread, us, times);
        while (times-- > 0)
            uns_samples_add_int(&samples, us);
    }
    uns_samples_sort(&samples);
    assert_int_equal(spread->count, samples.count);
    for (unsigned q = 0; q <= 1000; q += 5)
        assert_int_equal(uns_spread_quantile(spread, q),
                         first_digits((int64_t)uns_quantile(&samples, q)));
    uns_samples_free(&samples);
    free(spread);
}

static void test_spread_of_nothing_is_nothing(void **state)
{
    struct uns_spread *spread = new_spread();

    (void)state;
    assert_int_equal(uns_spread_quantile(spread, 500), 0);
    free(spread);
}

static void test_classes_begin_where_they_say(void **state)
{
    static const struct {
        const char *name;
        int64_t us;
        int64_t from, to;
    } rows[] = {
        {"nothing", 0, 0, 10},
        {"less than nothing", -1, 0, 10},
        {"below the second", 9, 0, 10},
        {"the second", 10, 10, 15},
        {"a millisecond", 1000, 1000, 1500},
        {"just less", 999, 700, 1000},
        {"a second", 1000000, 1000000, 1500000},
        {"the last but one", 999999999, 700000000, 1000000000},
        {"the last", 1000000000, 1000000000, INT64_MAX},
        {"any longer", INT64_MAX - 1, 1000000000, INT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_classes classes = {{0}};
        size_t in = 0;

        uns_classes_add(&classes, rows[i].us, 3);
        while (classes.count[in] == 0)
            in++;
        CHECK_INT(rows[i].name, (int64_t)classes.count[in], 3);
        CHECK_INT(rows[i].name, uns_classes_from(in), rows[i].from);
        CHECK_INT(rows[i].name, uns_classes_from(in + 1), rows[i].to);
    }
    for (size_t i = 0; i < UNS_CLASSES; i++)
        assert_true(uns_classes_from(i) < uns_classes_from(i + 1));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spread_cuts_after_eleven_digits),
        cmocka_unit_test(test_spread_has_the_quantiles_of_all_samples),
        cmocka_unit_test(test_spread_of_nothing_is_nothing),
        cmocka_unit_test(test_classes_begin_where_they_say),
    };

    return cmocka_run_group_tests_name("spread", tests, NULL, NULL);
}
