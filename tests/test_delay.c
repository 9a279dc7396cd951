/* SPDX-License-Identifier: MIT */
/* The estimate behind learned delays (R2), by hand on few times. */
#include "delay_times.h"
#include "draw.h"

static int permille(double share)
{
    return (int)(share * 1000 + 0.5);
}

/* Textbook values, by the definition. */
static void test_delay_estimates_what_the_textbook_says(void **state)
{
    static const struct row {
        const char *name, *times;
        size_t steps, samples;
        int64_t last_us;
        int last_permille;
    } rows[] = {
        {"none", "", 0, 0, 0, 0},
        {"one", "5", 1, 1, 5, 0},
        {"unsorted", "5 1 3", 3, 3, 5, 0},
        {"ties", "2 2 2 4", 2, 4, 4, 0},
        {"censored last", "1 2 3*", 2, 2, 2, 333},
        {"censored first", "1* 2 3", 2, 2, 3, 0},
        {"sample before it", "2* 2 5*", 1, 1, 2, 667},
        {"all censored", "1* 2* 3*", 0, 0, 0, 0},
        {"Kaplan and Meier", "10 21 35 40* 55 60* 80 90", 6, 6, 90, 0},
        {"and one is left", "10 21 35 40* 55 60* 80*", 4, 4, 55, 381},
        {"zero", "0 0 1*", 1, 2, 0, 333},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct row *row = &rows[i];

        fresh();
        feed(row->times);
        uns_delay_estimate(&window, &curve);
        CHECK_INT(row->name, curve.steps, row->steps);
        CHECK_INT(row->name, window.samples, row->samples);
        if (row->steps == 0)
            continue;
        CHECK_INT(row->name, curve.at_us[curve.steps - 1], row->last_us);
        CHECK_INT(row->name, permille(curve.later[curve.steps - 1]),
                  row->last_permille);
    }
}

static void test_delay_finds_quantiles(void **state)
{
    static const struct row {
        const char *name, *times;
        double q;
        int64_t us;
    } rows[] = {
        {"none", "", 0.5, 0},
        {"one", "7", 0.01, 7},
        {"median of three", "1 2 3", 0.5, 2},
        {"exactly at a step", "1 2 3 4 5 6 7 8 9 10", 0.9, 9},
        {"just above it", "1 2 3 4 5 6 7 8 9 10", 0.901, 10},
        {"ties", "4 4 4 4 9", 0.8, 4},
        {"longer than counts", "1 2 3 4 5* 5* 5* 8 9 10", 0.6, 8},
        {"without that: 6", "1 2 3 4 6 6 6 8 9 10", 0.6, 6},
        {"undefined: longest", "1 2 3 90* 90* 90*", 0.9, 3},
        {"all censored", "1* 2* 3*", 0.5, 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        fresh();
        feed(rows[i].times);
        uns_delay_estimate(&window, &curve);
        CHECK_INT(rows[i].name, uns_delay_quantile(&curve, rows[i].q),
                  rows[i].us);
    }
}

/* What a window must be at any time, the slow way. */
static void check_window(const int64_t *times, size_t count)
{
    size_t first = count > UNS_DELAY_TIMES ? count - UNS_DELAY_TIMES : 0;
    int64_t sum = 0, kept = 0;

    CHECK_INT("count", window.count, count - first);
    for (size_t i = first; i < count; i++)
        sum += times[i];
    for (size_t i = 0; i < window.count; i++) {
        kept += window.sorted[i] / 2;
        assert_true(i == 0 || window.sorted[i - 1] <= window.sorted[i]);
    }
    CHECK_INT("sum", kept, sum);
}

static void test_delay_keeps_the_newest_512(void **state)
{
    static int64_t times[3 * UNS_DELAY_TIMES];
    struct draw draw = {1};

    (void)state;
    fresh();
    for (size_t i = 0; i < ROWS(times); i++) {
        times[i] = (int64_t)(draw_share(&draw) * 300);
        uns_delay_add(&window, times[i], draw_share(&draw) < 0.3);
        check_window(times, i + 1);
    }
    for (size_t i = 0; i < UNS_DELAY_TIMES; i++)
        uns_delay_add(&window, 1, true);
    CHECK_INT("none left", window.samples, 0);
}

static void test_delay_bears_senseless_times(void **state)
{
    (void)state;
    fresh();
    uns_delay_add(&window, -5, false);
    uns_delay_add(&window, INT64_MIN, true);
    uns_delay_add(&window, INT64_MAX, false);
    uns_delay_estimate(&window, &curve);
    CHECK_INT("least", curve.at_us[0], 0);
    assert_true(curve.at_us[1] > INT64_MAX / 8);
    assert_true(uns_delay_auto(&curve, &curve, 0.1) >= 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delay_estimates_what_the_textbook_says),
        cmocka_unit_test(test_delay_finds_quantiles),
        cmocka_unit_test(test_delay_keeps_the_newest_512),
        cmocka_unit_test(test_delay_bears_senseless_times),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
