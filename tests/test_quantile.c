/* SPDX-License-Identifier: MIT */
/* Ranks, quantiles and means, by the definition in the header (P8). */
#include "cli/quantile.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>

#define LIST(...)          \
    .list = {__VA_ARGS__}, \
    .count = sizeof((double[]){__VA_ARGS__}) / sizeof(double)

/* Each in thousandths, so that they can be compared as numbers. */
static int64_t milli(double value)
{
    return isnan(value) ? INT64_MIN : llround(value * 1000);
}

static struct uns_samples samples_of(const double *list, size_t count)
{
    struct uns_samples samples = {0};

    for (size_t i = 0; i < count; i++)
        uns_samples_add(&samples, list[i]);
    uns_samples_sort(&samples);
    return samples;
}

static void test_quantile_is_the_nearest_rank(void **state)
{
    static const struct {
        const char *name;
        double list[8];
        size_t count;
        double p50, p90, p95, p99;
    } rows[] = {
        {"one sample is all of them", LIST(7), 7, 7, 7, 7},
        {"of two the median is the lesser", LIST(9, 3), 3, 9, 9, 9},
        {"of three the middle one", LIST(3, 1, 2), 2, 3, 3, 3},
        {"of four the second", LIST(4, 3, 2, 1), 2, 4, 4, 4},
        {"equal ones", LIST(5, 5, 5, 5, 5), 5, 5, 5, 5},
        {"what is negative", LIST(-1, -3, 0), -1, 0, 0, 0},
        {"what is no whole number", LIST(0.25, 0.5), 0.25, 0.5, 0.5, 0.5},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_samples samples = samples_of(rows[i].list, rows[i].count);
        const char *name = rows[i].name;

        CHECK_INT(name, milli(uns_quantile(&samples, 500)), milli(rows[i].p50));
        CHECK_INT(name, milli(uns_quantile(&samples, 900)), milli(rows[i].p90));
        CHECK_INT(name, milli(uns_quantile(&samples, 950)), milli(rows[i].p95));
        CHECK_INT(name, milli(uns_quantile(&samples, 990)), milli(rows[i].p99));
        uns_samples_free(&samples);
    }
}

/* The least one such that the share is reached, for every count. */
static void test_quantile_rank_is_the_least_that_suffices(void **state)
{
    (void)state;
    for (uint64_t count = 1; count <= 1200; count++)
        for (unsigned q = 0; q <= 1000; q += 5) {
            uint64_t rank = uns_quantile_rank(count, q);

            assert_true(rank < count);
            assert_true((rank + 1) * 1000 >= count * q);
            assert_true(rank == 0 || rank * 1000 < count * q);
        }
}

static void test_quantile_rank_bears_any_number(void **state)
{
    (void)state;
    assert_int_equal(uns_quantile_rank(0, 500), 0);
    assert_int_equal(uns_quantile_rank(10, 5000), 9);
    assert_true(uns_quantile_rank(UINT64_MAX, 1000) == UINT64_MAX - 1);
    assert_true(uns_quantile_rank(UINT64_MAX, 500) == UINT64_MAX / 2);
}

static void test_quantile_of_nothing_is_none(void **state)
{
    struct uns_samples none = {0};

    (void)state;
    uns_samples_sort(&none);
    assert_true(isnan(uns_quantile(&none, 500)));
    assert_true(isnan(uns_samples_mean(&none)));
    assert_true(isnan(uns_weighted_quantile(NULL, 0, 500)));
    uns_samples_free(&none);
}

static void test_samples_leave_out_what_could_not_be_told(void **state)
{
    struct uns_samples samples = {0};

    (void)state;
    uns_samples_add_int(&samples, 4);
    uns_samples_add_int(&samples, UNS_NULL);
    uns_samples_add_int(&samples, 0);
    assert_int_equal(samples.count, 2);
    assert_int_equal(milli(uns_samples_mean(&samples)), 2000);
    uns_samples_clear(&samples);
    assert_int_equal(samples.count, 0);
    assert_true(isnan(uns_samples_mean(&samples)));
    uns_samples_free(&samples);
    assert_null(samples.list);
}

static void test_samples_are_sorted_again_after_one_more(void **state)
{
    struct uns_samples samples = {0};

    (void)state;
    for (int i = 0; i < 1000; i++) {
        uns_samples_add(&samples, (i * 7919) % 1000);
        uns_samples_sort(&samples);
    }
    assert_int_equal(samples.count, 1000);
    assert_false(samples.lost);
    for (int i = 0; i < 1000; i++)
        assert_int_equal((int)samples.list[i], i);
    uns_samples_free(&samples);
}

static void test_weighted_counts_a_sample_so_often(void **state)
{
    static const struct {
        const char *name;
        struct uns_weighted list[4];
        size_t count;
        double p50, p90;
    } rows[] = {
        {"all alike: as without", {{1, 1}, {2, 1}, {3, 1}}, 3, 2, 3},
        {"one has it all", {{3, 8}, {1, 1}, {2, 1}}, 3, 3, 3},
        {"just reached", {{1, 5}, {2, 5}}, 2, 1, 2},
        {"just not", {{1, 4}, {2, 6}}, 2, 2, 2},
        {"without weight it is not there", {{1, 0}, {2, 1}, {3, 0}}, 3, 2, 2},
        {"nothing weighs", {{1, 0}}, 1, NAN, NAN},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_weighted list[4];

        memcpy(list, rows[i].list, sizeof list);
        uns_weighted_sort(list, rows[i].count);
        CHECK_INT(rows[i].name,
                  milli(uns_weighted_quantile(list, rows[i].count, 500)),
                  milli(rows[i].p50));
        CHECK_INT(rows[i].name,
                  milli(uns_weighted_quantile(list, rows[i].count, 900)),
                  milli(rows[i].p90));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quantile_is_the_nearest_rank),
        cmocka_unit_test(test_quantile_rank_is_the_least_that_suffices),
        cmocka_unit_test(test_quantile_rank_bears_any_number),
        cmocka_unit_test(test_quantile_of_nothing_is_none),
        cmocka_unit_test(test_samples_leave_out_what_could_not_be_told),
        cmocka_unit_test(test_samples_are_sorted_again_after_one_more),
        cmocka_unit_test(test_weighted_counts_a_sample_so_often),
    };

    return cmocka_run_group_tests_name("quantile", tests, NULL, NULL);
}
