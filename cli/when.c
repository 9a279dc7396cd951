/* SPDX-License-Identifier: MIT */
/* when - spans by unit, times by a table of their forms. */
#include "when.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

#define SECOND_US INT64_C(1000000)
#define LONGEST_S INT64_C(1000000000) /* 31 years */

static int64_t unit_seconds(char unit)
{
    static const struct {
        char unit;
        int64_t seconds;
    } units[] = {
        {'s', 1     },
        {'m', 60    },
        {'h', 3600  },
        {'d', 86400 },
        {'w', 604800},
    };

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (units[i].unit == unit)
            return units[i].seconds;
    return 0;
}

/* "1h30m": numbers, each with its unit. */
static bool parse_span(const char *text, int64_t *ret_seconds)
{
    int64_t total = 0;

    do {
        int64_t number = 0, seconds;
        const char *digits = text;

        for (; *text >= '0' && *text <= '9' && number < LONGEST_S; text++)
            number = number * 10 + (*text - '0');
        seconds = *text ? unit_seconds(*text) : 0;
        if (text++ == digits || seconds == 0)
            return false;
        total += number * seconds;
        if (total > LONGEST_S)
            return false;
    } while (*text != '\0');
    *ret_seconds = total;
    return true;
}

static const char *const forms[] = {
    "%Y-%m-%dT%H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d",
    "%H:%M:%S",
    "%H:%M",
};

/* What a form does not name keeps the day of `now`, at midnight. */
static bool parse_form(const char *text, const char *form, time_t now,
                       int64_t *ret_seconds)
{
    struct tm local, utc;
    const char *end;
    time_t moment;

    if (localtime_r(&now, &local) == NULL || gmtime_r(&now, &utc) == NULL)
        return false;
    local.tm_hour = local.tm_min = local.tm_sec = 0;
    utc.tm_hour = utc.tm_min = utc.tm_sec = 0;
    local.tm_isdst = -1;
    end = strptime(text, form, &local);
    if (end == NULL || strcmp(end, *end == 'Z' ? "Z" : "") != 0)
        return false;
    if (*end == 'Z' && strptime(text, form, &utc) == NULL)
        return false;
    moment = *end == 'Z' ? timegm(&utc) : mktime(&local);
    *ret_seconds = moment;
    return moment != (time_t)-1;
}

bool uns_when_parse(const char *text, int64_t now_us, int64_t *ret_us)
{
    int64_t seconds = 0;

    if (parse_span(text, &seconds)) {
        *ret_us = now_us - seconds * SECOND_US;
        return true;
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (!parse_form(text, forms[i], (time_t)(now_us / SECOND_US), &seconds))
            continue;
        *ret_us = seconds * SECOND_US;
        return true;
    }
    return false;
}

int64_t uns_when_now(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * SECOND_US + now.tv_nsec / 1000;
}
