/* SPDX-License-Identifier: MIT */
/* Moments as people give them. */
#include "cli/when.h"

#include "check.h"

#include <stdlib.h>
#include <time.h>

#define SECOND INT64_C(1000000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)

/* 2026-07-30 11:57:25 UTC, a summer's day: 13:57:25 in Berlin. */
#define NOW      (INT64_C(1785412645) * SECOND)
#define MIDNIGHT (NOW - 13 * HOUR - 57 * MINUTE - 25 * SECOND)

static const struct {
    const char *text;
    int64_t at_us;
} good[] = {
    {"0s", NOW},
    {"90s", NOW - 90 * SECOND},
    {"15m", NOW - 15 * MINUTE},
    {"2h", NOW - 2 * HOUR},
    {"7d", NOW - 7 * DAY},
    {"2w", NOW - 14 * DAY},
    {"1h30m", NOW - 90 * MINUTE},
    {"2026-07-30", MIDNIGHT},
    {"2026-01-30", MIDNIGHT - 181 * DAY + HOUR}, /* winter time */
    {"2026-07-29 14:03", MIDNIGHT - DAY + 14 * HOUR + 3 * MINUTE},
    {"2026-07-29T14:03:11",
     MIDNIGHT - DAY + 14 * HOUR + 3 * MINUTE + 11 * SECOND},
    {"2026-07-29 14:03:11",
     MIDNIGHT - DAY + 14 * HOUR + 3 * MINUTE + 11 * SECOND},
    {"10:00", MIDNIGHT + 10 * HOUR},
    {"10:00:30", MIDNIGHT + 10 * HOUR + 30 * SECOND},
    {"2026-07-30T10:00:00Z", MIDNIGHT + 12 * HOUR},
    {"2026-07-30Z", MIDNIGHT + 2 * HOUR},
    {"10:00Z", MIDNIGHT + 12 * HOUR},
};

static const char *const bad[] = {
    "",
    "s",
    "5",
    "3x",
    "-1h",
    "1h-",
    "1h 5m",
    "2026-13-01",
    "yesterday",
    "2026-07-30T",
    "25:00",
    "10:0 ",
    "10:00Zulu",
    "1hZ",
    "99999999999999999999s",
    "99999w",
    "999999999w999999999w",
};

static int setup(void **state)
{
    (void)state;
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1);
    tzset();
    return 0;
}

static void test_when_takes_spans_and_times(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(good); i++) {
        int64_t at_us = -1;

        CHECK_INT(good[i].text, uns_when_parse(good[i].text, NOW, &at_us), 1);
        CHECK_INT(good[i].text, at_us / SECOND, good[i].at_us / SECOND);
    }
}

static void test_when_refuses_anything_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(bad); i++) {
        int64_t at_us = 4711;

        CHECK_INT(bad[i], uns_when_parse(bad[i], NOW, &at_us), 0);
        CHECK_INT(bad[i], at_us, 4711);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_when_takes_spans_and_times),
        cmocka_unit_test(test_when_refuses_anything_else),
    };

    return cmocka_run_group_tests_name("when", tests, setup, NULL);
}
