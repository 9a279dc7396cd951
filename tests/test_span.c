/* SPDX-License-Identifier: MIT */
/* The ways in which servers say "not before then" (R10). */
#include "core/span.h"

#include "check.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define NOW_US  (INT64_C(784111777) * 1000000) /* 1994-11-06T08:49:37Z */
#define NOTHING (-1)

struct row {
    const char *text;
    uns_ns ns; /* NOTHING: it is none */
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct uns_slice text = {rows[i].text, strlen(rows[i].text)};
        uns_ns ns = NOTHING;

        CHECK_INT(rows[i].text, uns_span_read(text, NOW_US, &ns),
                  rows[i].ns != NOTHING);
        CHECK_INT(rows[i].text, ns, rows[i].ns);
    }
}

static void test_span_reads_seconds(void **state)
{
    static const struct row rows[] = {
        {"0", 0},
        {"2", 2 * UNS_S},
        {"0120", 120 * UNS_S},
        {"0.5", UNS_S / 2},
        {"1.000000001", UNS_S + 1},
        {"1.0000000019", UNS_S + 1},
        {"99999999999999999999999", UNS_SPAN_MAX},
        {"", NOTHING},
        {".5", NOTHING},
        {"5.", NOTHING},
        {"-5", NOTHING},
        {"5 ", NOTHING},
        {"soon", NOTHING},
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

static void test_span_reads_durations(void **state)
{
    static const struct row rows[] = {
        {"1s", UNS_S},
        {"6m0s", 360 * UNS_S},
        {"1h2m3.5s", 3723 * UNS_S + UNS_S / 2},
        {"20ms", 20 * UNS_MS},
        {"17us", 17000},
        {"17\xc2\xb5s", 17000},
        {"3ns", 3},
        {"2d", 172800 * UNS_S},
        {"9999999h9999999999h", UNS_SPAN_MAX},
        {"1m30", NOTHING},
        {"m", NOTHING},
        {"1x", NOTHING},
        {"1s ", NOTHING},
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

static void test_span_reads_moments(void **state)
{
    static const struct row rows[] = {
        {"Sun, 06 Nov 1994 08:49:37 GMT", 0},
        {"Sun, 06 Nov 1994 08:49:38 GMT", UNS_S},
        {"sun, 06 nov 1994 08:50:37 gmt", 60 * UNS_S},
        {"Mon, 07 Nov 1994 08:49:37 GMT", 86400 * UNS_S},
        {"Sun, 06 Nov 1994 08:49:36 GMT", 0},
        {"Thu, 01 Jan 1970 00:00:00 GMT", 0},
        {"Fri, 31 Dec 9999 23:59:59 GMT", UNS_SPAN_MAX},
        {"1994-11-06T08:49:47Z", 10 * UNS_S},
        {"1994-11-06t08:49:47.987z", 10 * UNS_S},
        {"1994-11-06 09:49:47+01:00", 10 * UNS_S},
        {"1994-11-06T06:19:47-02:30", 10 * UNS_S},
        {"1995-03-01T08:49:37Z", 115 * 86400 * UNS_S},
        {"1993-01-01T00:00:00Z", 0},
        {"Sun, 06 Nov 1994 08:49:37", NOTHING},
        {"Sun, 6 Nov 1994 08:49:37 GMT", NOTHING},
        {"Sun, 06 Nix 1994 08:49:37 GMT", NOTHING},
        {"Sun, 06 Nov 1994 08:49:37 GMTx", NOTHING},
        {"1994-11-06T08:49:47", NOTHING},
        {"1994-11-06T08:49:47.Z", NOTHING},
        {"1994-11-06T08:49:47Zx", NOTHING},
        {"1994-11-06T08:49:47+0100", NOTHING},
        {"1994-11-06", NOTHING},
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

/* Leap years, by the rule, over four centuries. */
static void test_span_knows_the_calendar(void **state)
{
    static const int months[] = {31, 28, 31, 30, 31, 30,
                                 31, 31, 30, 31, 30, 31};
    int64_t day = 0;

    (void)state;
    for (int year = 1970; year < 2400; year++)
        for (int month = 0; month < 12; month++) {
            bool leap = year % 4 == 0 && (year % 100 || year % 400 == 0);
            char text[24];
            uns_ns ns = NOTHING;

            sprintf(text, "%04d-%02d-01T00:00:00Z", year, month + 1);
            assert_true(uns_span_read((struct uns_slice){text, strlen(text)},
                                      (day - 1) * 86400 * 1000000, &ns));
            CHECK_INT(text, ns, 86400 * UNS_S);
            day += months[month] + (leap && month == 1);
        }
}

static void test_span_counts_any_unit(void **state)
{
    uns_ns ns = NOTHING;

    (void)state;
    assert_true(uns_span_number((struct uns_slice){"1500.25", 7}, UNS_MS, &ns));
    CHECK_INT("ms", ns, 1500250000);
    assert_false(uns_span_number((struct uns_slice){"15ms", 4}, UNS_MS, &ns));
}

/* No byte beyond the end is looked at. */
static void test_span_stays_within_the_text(void **state)
{
    static const char *const texts[] = {"1h2m3.5s",
                                        "Sun, 06 Nov 1994 08:49:37 GMT",
                                        "1994-11-06T08:49:47.987+01:00"};

    (void)state;
    for (size_t i = 0; i < ROWS(texts); i++)
        for (size_t len = 0; len <= strlen(texts[i]); len++) {
            char *exact = malloc(len + 1);
            uns_ns ns;

            memcpy(exact, texts[i], len);
            exact = realloc(exact, len ? len : 1);
            (void)uns_span_read((struct uns_slice){exact, len}, 0, &ns);
            free(exact);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_span_reads_seconds),
        cmocka_unit_test(test_span_reads_durations),
        cmocka_unit_test(test_span_reads_moments),
        cmocka_unit_test(test_span_knows_the_calendar),
        cmocka_unit_test(test_span_counts_any_unit),
        cmocka_unit_test(test_span_stays_within_the_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
