/* SPDX-License-Identifier: MIT */
/* JSON strings by what they say. */
#include "check.h"
#include "core/ascii.h"
#include "core/chars.h"

#include <stdlib.h>

static void decode(const char *raw, size_t len, char *out)
{
    size_t at = 0, n;

    while ((n = uns_chars_next((struct uns_slice){raw, len}, &at, out)))
        out += n;
    *out = '\0';
}

static void test_chars_say_the_same_however_escaped(void **state)
{
    static const struct {
        const char *name, *raw, *text;
    } rows[] = {
        {"plain", "tide", "tide"},
        {"none", "", ""},
        {"short escapes", "\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t"},
        {"two bytes", "\\u00f8", "\xc3\xb8"},
        {"capitals", "\\u00F8\\u6F6e", "\xc3\xb8\xe6\xbd\xae"},
        {"a pair", "\\ud83c\\udf0a", "\xf0\x9f\x8c\x8a"},
        {"as it is", "\xf0\x9f\x8c\x8a", "\xf0\x9f\x8c\x8a"},
        {"half a pair", "\\ud83c.", "\xed\xa0\xbc."},
        {"the other half", "\\udf0a", "\xed\xbc\x8a"},
        {"two first halves", "\\ud83c\\ud83c", "\xed\xa0\xbc\xed\xa0\xbc"},
        {"no hex", "\\u00g1", "u00g1"},
        {"cut in an escape", "\\u00", "u00"},
        {"a backslash alone", "a\\", "a\\"},
        {"unknown", "\\x", "x"},
    };

    char out[64];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        decode(rows[i].raw, strlen(rows[i].raw), out);
        CHECK_TEXT(rows[i].name, out, rows[i].text);
    }
}

static void test_chars_step_by_escapes_and_bytes(void **state)
{
    static const struct {
        const char *name, *raw;
        size_t at, bytes;
    } rows[] = {
        {"a letter", "ab", 1, 1},
        {"a byte of a character", "\xc3\xb8", 1, 1},
        {"a short escape", "\\nb", 2, 1},
        {"a long one", "\\u20acb", 6, 3},
        {"a pair", "\\ud83c\\udf0ab", 12, 4},
        {"the end", "", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char out[UNS_CHARS_BYTES];
        size_t at = 0;

        CHECK_INT(rows[i].name,
                  uns_chars_next(uns_slice_of(rows[i].raw), &at, out),
                  rows[i].bytes);
        CHECK_INT(rows[i].name, at, rows[i].at);
    }
}

static void test_chars_escape_what_must_be(void **state)
{
    static const struct {
        const char *name, *text, *raw;
    } rows[] = {
        {"plain", "tide /", "tide /"},
        {"quotes", "\"\\", "\\\"\\\\"},
        {"controls", "\b\f\n\r\t\x01\x1f", "\\b\\f\\n\\r\\t\\u0001\\u001f"},
        {"beyond ASCII", "\xe6\xbd\xae\x7f", "\xe6\xbd\xae\x7f"},
    };

    char out[64], back[64];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_slice text = uns_slice_of(rows[i].text);
        size_t len = uns_chars_escape_all(text, out);

        out[len] = '\0';
        CHECK_TEXT(rows[i].name, out, rows[i].raw);
        CHECK_INT(rows[i].name, uns_chars_escape_all(text, NULL), len);
        decode(out, len, back);
        CHECK_TEXT(rows[i].name, back, rows[i].text);
    }
}

/* Nothing behind the end is read: the sanitizer would see it. */
static void test_chars_end_where_they_end(void **state)
{
    static const char raw[] = "\\ud83c\\udf0a\\n\xf0\x9f\x8c\x8a";

    (void)state;
    for (size_t len = 0; len < sizeof raw; len++) {
        char *exact = malloc(len ? len : 1), out[64];

        memcpy(exact, raw, len);
        decode(exact, len, out);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chars_say_the_same_however_escaped),
        cmocka_unit_test(test_chars_step_by_escapes_and_bytes),
        cmocka_unit_test(test_chars_escape_what_must_be),
        cmocka_unit_test(test_chars_end_where_they_end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
