/* SPDX-License-Identifier: MIT */
/* JSON that any parser takes, whatever the database holds. */
#include "cli/json.h"

#include "check.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

static char printed[1 << 16];

static FILE *begin(void)
{
    memset(printed, 0, sizeof printed);
    return fmemopen(printed, sizeof printed, "w");
}

static const char *print_text(const char *text)
{
    FILE *out = begin();

    uns_json_text(out, text);
    fclose(out);
    return printed;
}

static const char *print_rows(const char *sql)
{
    FILE *out = begin();
    sqlite3 *db;
    sqlite3_stmt *stmt;

    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(uns_json_rows(out, stmt), SQLITE_DONE);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    fclose(out);
    return printed;
}

static void test_json_escapes_texts(void **state)
{
    static const struct {
        const char *text, *json;
    } rows[] = {
        {"gpt-4o", "\"gpt-4o\""},
        {"", "\"\""},
        {"a\"b\\c/", "\"a\\\"b\\\\c/\""},
        {"\n\r\t\b\f\x1b\x7f", "\"\\n\\r\\t\\b\\f\\u001b\\u007f\""},
        {"é模😀", "\"é模😀\""},
        {"\xff"
         "a\xe6\xa8",
         "\"\ufffd"
         "a\ufffd\ufffd\""},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(rows[i].json, print_text(rows[i].text), rows[i].json);
}

static void test_json_of_any_bytes_is_valid(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 0x10000; i++) {
        const char text[] = {(char)(i >> 8), (char)i, '\0'};
        cJSON *json = cJSON_Parse(print_text(text));

        assert_true(cJSON_IsString(json));
        cJSON_Delete(json);
    }
}

/* P8: NULL is null, never 0. */
static void test_json_prints_values_by_their_type(void **state)
{
    static const struct {
        const char *sql, *json;
    } rows[] = {
        {"SELECT 1 AS a, NULL AS b, 'x' AS \"c d\"",
         "[\n  {\"a\": 1, \"b\": null, \"c d\": \"x\"}\n]\n"},
        {"SELECT 1785412645123456 AS us",
         "[\n  {\"us\": 1785412645123456}\n]\n"},
        {"SELECT 0.5 AS half, 9e999 AS inf",
         "[\n  {\"half\": 0.5, \"inf\": null}\n]\n"},
        {"SELECT x'00ff' AS blob, 1 AS a, x'' AS empty, 2 AS b",
         "[\n  {\"a\": 1, \"b\": 2}\n]\n"},
        {"SELECT 1 AS a WHERE 0", "[]\n"},
        {"VALUES (1), (2)", "[\n  {\"column1\": 1},\n  {\"column1\": 2}\n]\n"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(rows[i].sql, print_rows(rows[i].sql), rows[i].json);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json_escapes_texts),
        cmocka_unit_test(test_json_of_any_bytes_is_valid),
        cmocka_unit_test(test_json_prints_values_by_their_type),
    };

    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
