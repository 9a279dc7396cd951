/* SPDX-License-Identifier: MIT */
/* What reaches the terminal, in how many columns; spans and moments. */
#include "cli/text.h"

#include "check.h"

#include <stdlib.h>
#include <time.h>

static const struct {
    const char *name, *text, *utf8, *ascii;
} cleaned[] = {
    {"plain", "gpt-4o", "gpt-4o", "gpt-4o"},
    {"empty", "", "", ""},
    {"escape", "a\x1b[31mb", "a\\x1b[31mb", "a\\x1b[31mb"},
    {"newline", "a\nb", "a\\nb", "a\\nb"},
    {"return, bell", "\r\a", "\\x0d\\x07", "\\x0d\\x07"},
    {"delete", "\x7f", "\\x7f", "\\x7f"},
    {"bare C1",
     "\x9b"
     "31m",
     "\\x9b31m", "\\x9b31m"},
    {"C1 in UTF-8",
     "\xc2\x9b"
     "31m",
     "\\u{9b}31m", "\\u{9b}31m"},
    {"accents", "é", "é", "\\u{e9}"},
    {"wide", "模型", "模型", "\\u{6a21}\\u{578b}"},
    {"emoji", "😀", "😀", "\\u{1f600}"},
    {"override", "a\u202egpj", "a\\u{202e}gpj", "a\\u{202e}gpj"},
    {"zero width", "a\u200b", "a\\u{200b}", "a\\u{200b}"},
    {"byte order", "\ufeff", "\\u{feff}", "\\u{feff}"},
    {"cut short", "\xe6\xa8", "\\xe6\\xa8", "\\xe6\\xa8"},
    {"too long a form", "\xc0\xaf", "\\xc0\\xaf", "\\xc0\\xaf"},
    {"surrogate", "\xed\xa0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80"},
    {"beyond", "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80",
     "\\xf4\\x90\\x80\\x80"},
};

static void test_text_sends_nothing_dangerous_to_a_terminal(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(cleaned); i++) {
        char clean[100];

        CHECK_TEXT(cleaned[i].name,
                   uns_text_clean(clean, sizeof clean, cleaned[i].text, true),
                   cleaned[i].utf8);
        CHECK_TEXT(cleaned[i].name,
                   uns_text_clean(clean, sizeof clean, cleaned[i].text, false),
                   cleaned[i].ascii);
    }
}

/* Every pair of bytes: no control byte, and never more than was promised. */
static void test_text_bounds_what_cleaning_makes(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 0x10000; i++) {
        const char text[] = {(char)(i >> 8 | 1), (char)i, 'x', '\0'};
        const size_t cap = UNS_TEXT_CLEAN_BYTES(strlen(text));
        char *clean = malloc(cap);

        uns_text_clean(clean, cap, text, i & 1);
        assert_int_equal(strlen(text) < 3 || clean[strlen(clean) - 1] == 'x',
                         1);
        for (const char *at = clean; *at != '\0'; at++)
            assert_true((unsigned char)*at >= ' ' && *at != 0x7f);
        free(clean);
    }
}

static void test_text_is_cut_between_characters(void **state)
{
    static const struct {
        size_t cap;
        const char *clean;
    } rows[] = {
        {1, ""}, {2, "a"}, {3, "a"}, {4, "aé"}, {7, "aé"}, {8, "aé\\x1b"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char clean[16];

        CHECK_TEXT(rows[i].clean,
                   uns_text_clean(clean, rows[i].cap, "aé\x1b", true),
                   rows[i].clean);
    }
}

static void test_text_counts_columns(void **state)
{
    static const struct {
        const char *text;
        int columns;
        int fit; /* bytes that fill three columns */
    } rows[] = {
        {"", 0, 0},      {"abcd", 4, 3},       {"é─█x", 4, 8}, {"模型", 4, 3},
        {"a模型", 5, 4}, {"e\u0301abc", 4, 5}, {"😀😀", 4, 4},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        CHECK_INT(rows[i].text, uns_text_columns(rows[i].text),
                  rows[i].columns);
        CHECK_INT(rows[i].text, uns_text_fit(rows[i].text, 3), rows[i].fit);
    }
}

/* P8: cut off, never rounded up to more than was measured. */
static void test_text_writes_spans(void **state)
{
    static const struct {
        int64_t ms;
        const char *text;
    } rows[] = {
        {UNS_NULL, "-"},        {0, "0 ms"},           {999, "999 ms"},
        {1000, "1.00 s"},       {1019, "1.01 s"},      {99999, "99.99 s"},
        {100000, "100.0 s"},    {599999, "599.9 s"},   {600000, "10 m 00 s"},
        {3599999, "59 m 59 s"}, {3600000, "1 h 00 m"}, {90061000, "25 h 01 m"},
        {-5, "-5 ms"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char text[UNS_TEXT_TIME];

        CHECK_TEXT(rows[i].text, uns_text_ms(text, rows[i].ms), rows[i].text);
    }
}

#define DAY (INT64_C(86400) * 1000000)

/* 2026-07-30 11:57:25 UTC. */
#define NOW INT64_C(1785412645123456)

static void test_text_writes_moments_as_short_as_tells_them(void **state)
{
    static const struct {
        int64_t at_us;
        const char *when, *moment;
    } rows[] = {
        {NOW, "11:57:25", "2026-07-30 11:57:25"},
        {NOW - DAY / 2, "07-29 23:57", "2026-07-29 23:57:25"},
        {NOW - 181 * DAY, "01-30 11:57", "2026-01-30 11:57:25"},
        {NOW - 183 * DAY, "2026-01-28", "2026-01-28 11:57:25"},
        {NOW + DAY, "07-31 11:57", "2026-07-31 11:57:25"},
        {0, "1970-01-01", "1970-01-01 00:00:00"},
        {UNS_NULL, "-", "-"},
        {INT64_MAX, "294247-01-10 04:00:54", "294247-01-10 04:00:54"},
    };

    (void)state;
    setenv("TZ", "UTC", 1);
    tzset();
    for (size_t i = 0; i < ROWS(rows); i++) {
        char text[UNS_TEXT_TIME];

        CHECK_TEXT(rows[i].when, uns_text_when(text, rows[i].at_us, NOW),
                   rows[i].when);
        CHECK_TEXT(rows[i].when, uns_text_moment(text, rows[i].at_us),
                   rows[i].moment);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_sends_nothing_dangerous_to_a_terminal),
        cmocka_unit_test(test_text_bounds_what_cleaning_makes),
        cmocka_unit_test(test_text_is_cut_between_characters),
        cmocka_unit_test(test_text_counts_columns),
        cmocka_unit_test(test_text_writes_spans),
        cmocka_unit_test(test_text_writes_moments_as_short_as_tells_them),
    };

    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
