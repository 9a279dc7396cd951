/* SPDX-License-Identifier: MIT */
/* Members and elements of JSON text, and text that ends too early. */
#include "core/item.h"
#include "guard.h"

#include <stdio.h>

static struct uns_slice text_of(const char *text)
{
    return guard_copy(text, strlen(text));
}

static void test_item_finds_where_a_value_ends(void **state)
{
    static const struct {
        const char *text;
        size_t len;
    } rows[] = {
        {"", 0},           {"1.5e3,", 5},
        {"true}", 4},      {"null", 4},
        {"\"a\" ", 3},     {"\"\\\"\" ", 4},
        {"\"\\\\\"\"", 4}, {"\"a", 0},
        {"\"a\\", 0},      {"\"a\\\"", 0},
        {"{}x", 2},        {"{\"a\":[\"}]\",{}]},", 15},
        {"[[1],[2]]]", 9}, {"[1,", 0},
        {"{\"a\":\"", 0},  {"a long word that fills a vector {", 1},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].text, uns_item_extent(text_of(rows[i].text)),
                  rows[i].len);
}

static void list(const char *text, bool named, char out[100])
{
    struct uns_slice inside = uns_item_inside(text_of(text));
    struct uns_item item;
    int len = 0;

    out[0] = '\0';
    while (uns_item_next(&inside, named, &item))
        len += snprintf(out + len, 100 - (size_t)len, "%.*s=%.*s;",
                        (int)item.key.len, item.key.len ? item.key.data : "",
                        (int)item.value.len, item.value.data);
}

static void test_item_yields_one_after_the_other(void **state)
{
    static const struct {
        const char *text;
        bool named;
        const char *want;
    } rows[] = {
        {"{}", true, ""},
        {"[]", false, ""},
        {"{\"a\":1}", true, "a=1;"},
        {"{ \"a\" : 1 , \"b\":\n[1,2] }", true, "a=1;b=[1,2];"},
        {"{\"\":\"\",\"x\\\"\":null}", true, "=\"\";x\\\"=null;"},
        {"[1, \"a\",{\"b\":2} ]", false, "=1;=\"a\";={\"b\":2};"},
        {"{1}", true, ""},
        {"{\"a\"}", true, ""},
        {"{\"a\":}", true, ""},
        {"{\"a\":1,\"b", true, "a=1;"},
    };

    char got[100];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        list(rows[i].text, rows[i].named, got);
        CHECK_TEXT(rows[i].text, got, rows[i].want);
    }
}

static void test_item_gets_the_last_of_a_name(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{\"a\":1,\"b\":{\"a\":2},\"a\":3}", "3"},
        {"{\"b\":1}", ""},
        {"[\"a\"]", ""},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_SLICE(rows[i].text, uns_item_get(text_of(rows[i].text), "a"),
                    rows[i].want);
}

static void test_item_tells_kinds(void **state)
{
    static const struct {
        const char *text;
        char kind;
    } rows[] = {
        {"{}", '{'},   {"[]", '['},    {"\"\"", '"'}, {"null", 'n'},
        {"true", 't'}, {"false", 'f'}, {"-1", '0'},   {"", '\0'},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].text, uns_item_kind(text_of(rows[i].text)),
                  rows[i].kind);
    assert_true(uns_item_is(uns_item_trim(text_of(" \t\r\na")), "a"));
    assert_int_equal(uns_item_trim(text_of("  ")).len, 0);
    assert_int_equal(uns_item_inside(text_of("{")).len, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_item_finds_where_a_value_ends),
        cmocka_unit_test(test_item_yields_one_after_the_other),
        cmocka_unit_test(test_item_gets_the_last_of_a_name),
        cmocka_unit_test(test_item_tells_kinds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
