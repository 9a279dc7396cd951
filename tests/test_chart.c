/* SPDX-License-Identifier: MIT */
/* Bars are as high as their values, on either scale. */
#include "cli/chart.h"

#include "check.h"

#include <stdlib.h>

static char *svg;
static size_t svg_len;

static const char *drawing(const struct uns_chart *chart)
{
    FILE *out;

    free(svg);
    out = open_memstream(&svg, &svg_len);
    uns_chart_draw(chart, out);
    fclose(out);
    return svg;
}

/* Of the n-th rectangle of that look; -1: there is none. */
static double height_of(const char *text, const char *look, int n)
{
    char want[64];
    double height = -1;

    snprintf(want, sizeof want, "class=\"%s\"", look);
    for (;; n--) {
        text = strstr(text, want);
        if (text == NULL)
            return -1;
        if (n == 0)
            break;
        text += strlen(want);
    }
    while (strncmp(text, "height=", 7) != 0)
        text--;
    assert_int_equal(sscanf(text, "height=\"%lf", &height), 1);
    return height;
}

static const struct uns_chart_bar bars[] = {
    {.value = 10, .title = "ten & more", .edge = "1 s"},
    {.value = 0, .title = "none", .middle = "none"},
    {.value = 5,
     .more = 5,
     .title = "half",
     .edge = "end",
     .edge_at_end = true},
    {.value = 1000, .title = "a thousand"},
};

static struct uns_chart chart_of(size_t first, size_t count, bool log)
{
    return (struct uns_chart){
        .name = "a \"chart\"",
        .bar = bars + first,
        .bars = count,
        .look = "good",
        .more_look = "wait",
        .log = log,
    };
}

static void test_chart_bars_are_as_high_as_their_values(void **state)
{
    struct uns_chart chart = chart_of(0, 3, false);
    const char *text = drawing(&chart);
    double ten = height_of(text, "good", 0);

    (void)state;
    assert_true(ten > 100);
    assert_true(height_of(text, "good", 1) == ten / 2);
    assert_true(height_of(text, "wait", 0) == ten / 2);
    assert_true(height_of(text, "good", 2) < 0); /* none for 0 */
}

static void test_chart_decades_are_equal_steps(void **state)
{
    struct uns_chart chart = chart_of(0, 4, true);
    const char *text = drawing(&chart);
    double ten = height_of(text, "good", 0);
    double thousand = height_of(text, "good", 2);

    (void)state;
    /* half a decade, and one; half a decade, and three */
    assert_true(thousand / ten > 3.5 / 1.5 - 0.02);
    assert_true(thousand / ten < 3.5 / 1.5 + 0.02);
}

/* One among many thousands is not nothing. */
static void test_chart_shows_what_is_little(void **state)
{
    static const struct uns_chart_bar few[] = {{.value = 1}, {.value = 1e9}};
    struct uns_chart chart = chart_of(0, 2, false);

    (void)state;
    chart.bar = few;
    assert_true(height_of(drawing(&chart), "good", 0) >= 1);
}

static void test_chart_has_its_texts(void **state)
{
    static const struct uns_chart_rule rules[] = {{0.5, "p50"}, {2.9, "p99"}};
    struct uns_chart chart = chart_of(0, 3, false);
    const char *text;

    (void)state;
    chart.rule = rules;
    chart.rules = ROWS(rules);
    text = drawing(&chart);
    assert_non_null(strstr(text, "aria-label=\"a &quot;chart&quot;\""));
    assert_non_null(strstr(text, "<title>ten &amp; more</title>"));
    assert_non_null(strstr(text, "class=\"start\">1 s</text>"));
    assert_non_null(strstr(text, "class=\"mid\">none</text>"));
    assert_non_null(strstr(text, "x=\"100.00%\" y=\"188.0\" class=\"end\""));
    assert_non_null(strstr(text, "class=\"mark\">p50</text>"));
    assert_non_null(strstr(text, "class=\"mark end\">p99</text>"));
}

/* The texts stand above the bars, a line each, and no rule strikes one. */
static void test_chart_rules_hide_no_bar(void **state)
{
    static const struct uns_chart_rule rules[] = {
        {0.5, "p50"}, {0.6, "p95"}, {0.6, "p99"}};
    struct uns_chart chart = chart_of(0, 3, false);
    const char *text;

    (void)state;
    chart.rule = rules;
    chart.rules = ROWS(rules);
    text = drawing(&chart);
    assert_non_null(strstr(text, "height=\"248\""));
    assert_non_null(strstr(text, "y=\"-36.0\" class=\"mark\">p50<"));
    assert_non_null(strstr(text, "y=\"-20.0\" class=\"mark\">p95<"));
    assert_non_null(strstr(text, "y=\"-4.0\" class=\"mark\">p99<"));
    assert_non_null(strstr(text, "y1=\"-32.0\" y2=\"170.0\" class=\"rule\""));
    chart.rules = 0;
    assert_non_null(strstr(drawing(&chart), "height=\"200\""));
}

static void test_chart_bears_any_value(void **state)
{
    static const double values[] = {0, 1, 2, 7, 999, 1e5, 1e12, 9e18};

    (void)state;
    for (size_t i = 0; i < ROWS(values); i++)
        for (int log = 0; log < 2; log++) {
            const struct uns_chart_bar bar = {.value = values[i]};
            struct uns_chart chart = chart_of(0, 1, log);
            const char *text;

            chart.bar = &bar;
            text = drawing(&chart);
            assert_null(strstr(text, "nan"));
            assert_null(strstr(text, "inf"));
            assert_null(strstr(text, "height=\"-"));
        }
}

static int teardown(void **state)
{
    (void)state;
    free(svg);
    return 0;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chart_bars_are_as_high_as_their_values),
        cmocka_unit_test(test_chart_decades_are_equal_steps),
        cmocka_unit_test(test_chart_shows_what_is_little),
        cmocka_unit_test(test_chart_has_its_texts),
        cmocka_unit_test(test_chart_rules_hide_no_bar),
        cmocka_unit_test(test_chart_bears_any_value),
    };

    return cmocka_run_group_tests_name("chart", tests, NULL, teardown);
}
