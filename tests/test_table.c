/* SPDX-License-Identifier: MIT */
/* Tables for people: aligned, narrowed before anything is left out. */
#include "cli/table.h"

#include "check.h"

#include <stdlib.h>

static const struct uns_table_column columns[] = {
    {"ID", true, 0, 0},
    {"NAME", false, 5, 0},
    {"WHY", false, 3, 1},
    {"NOTE", false, 0, 2},
};

static char printed[2048];

static const char *print(const struct uns_table *table)
{
    FILE *out = fmemopen(printed, sizeof printed, "w");

    uns_table_print(table, out);
    fclose(out);
    return printed;
}

static struct uns_table *make(const struct uns_term *term,
                              const char *const *cells)
{
    struct uns_table *table = uns_table_new(columns, ROWS(columns), term);

    assert_non_null(table);
    for (; *cells != NULL; cells++)
        uns_table_add(table, *cells, UNS_HUE_PLAIN);
    return table;
}

static const char *const cells[] = {
    "1", "short", "stall", "x", "100", "a longer name", "", "", NULL,
};

static void test_table_narrows_before_it_leaves_out(void **state)
{
    static const struct {
        const char *name;
        int width;
        const char *text;
    } rows[] = {
        {"no terminal", 0,
         " ID  NAME           WHY    NOTE\n"
         "  1  short          stall  x\n"
         "100  a longer name\n"},
        {"just enough", 31,
         " ID  NAME           WHY    NOTE\n"
         "  1  short          stall  x\n"
         "100  a longer name\n"},
        {"narrowed", 25,
         " ID  NAME     WHY    NOTE\n"
         "  1  short    stall  x\n"
         "100  a long~\n"},
        {"one column less", 18,
         " ID  NAME    WHY\n"
         "  1  short   stall\n"
         "100  a lon~\n"},
        {"two less", 12,
         " ID  NAME\n"
         "  1  short\n"
         "100  a long~\n"},
        {"too narrow for all", 3,
         " ID  NAME\n"
         "  1  short\n"
         "100  a lo~\n"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct uns_term term = {.width = rows[i].width};
        struct uns_table *table = make(&term, cells);

        CHECK_TEXT(rows[i].name, print(table), rows[i].text);
        uns_table_free(table);
    }
}

static void test_table_leaves_out_a_column_that_says_nothing(void **state)
{
    static const char *const empty[] = {"1", "-", "-", "", NULL};
    const struct uns_term term = {0};
    struct uns_table *table = make(&term, empty);

    (void)state;
    CHECK_TEXT("empty", print(table), "ID  NAME\n 1  -\n");
    uns_table_free(table);
}

static void test_table_cleans_and_measures_texts(void **state)
{
    static const char *const odd[] = {"1",     "\x1b[2J", "x", "x", "2",
                                      "模型é", "y",       "y", NULL};
    const struct uns_term term = {.utf8 = true, .width = 22};
    struct uns_table *table = make(&term, odd);

    (void)state;
    CHECK_TEXT("odd", print(table),
               "ID  NAME     WHY  NOTE\n"
               " 1  \\x1b[2J  x    x\n"
               " 2  模型é    y    y\n");
    uns_table_free(table);
}

static void test_table_cuts_with_an_ellipsis_in_utf8(void **state)
{
    static const char *const wide[] = {"1", "模型模型", "x", "", NULL};
    const struct uns_term term = {.utf8 = true, .width = 14};
    struct uns_table *table = make(&term, wide);

    (void)state;
    CHECK_TEXT("wide", print(table),
               "ID  NAME   WHY\n"
               " 1  模型…  x\n");
    uns_table_free(table);
}

static void test_table_colors_texts_and_nothing_else(void **state)
{
    const struct uns_term term = {.color = true};
    struct uns_table *table = uns_table_new(columns, 2, &term);

    (void)state;
    uns_table_add(table, "1", UNS_HUE_BAD);
    uns_table_add(table, "x", UNS_HUE_PLAIN);
    CHECK_TEXT("color", print(table),
               "\x1b[2mID\x1b[0m  \x1b[2mNAME\x1b[0m\n"
               " \x1b[31m1\x1b[0m  x\n");
    uns_table_free(table);
}

static void test_table_prints_whole_rows(void **state)
{
    static const char *const half[] = {"1", "x", "y", "z", "2", NULL};
    const struct uns_term term = {0};
    struct uns_table *table = make(&term, half);

    (void)state;
    CHECK_TEXT("half", print(table),
               "ID  NAME  WHY  NOTE\n"
               " 1  x     y    z\n");
    uns_table_free(table);
    uns_table_free(NULL);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_narrows_before_it_leaves_out),
        cmocka_unit_test(test_table_leaves_out_a_column_that_says_nothing),
        cmocka_unit_test(test_table_cleans_and_measures_texts),
        cmocka_unit_test(test_table_cuts_with_an_ellipsis_in_utf8),
        cmocka_unit_test(test_table_colors_texts_and_nothing_else),
        cmocka_unit_test(test_table_prints_whole_rows),
    };

    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
