/* SPDX-License-Identifier: MIT */
/* span - a few small parsers over one cursor; each takes all of the text or
 * nothing. */
#include "span.h"

#include "ascii.h"

/* What is left of the text. */
struct cursor {
    const char *at, *end;
};

static struct cursor over(struct uns_slice text)
{
    return (struct cursor){text.data, text.data + text.len};
}

static bool is_digit(const struct cursor *cursor)
{
    return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}

static bool skip(struct cursor *cursor, const char *text)
{
    size_t len = strlen(text);

    if ((size_t)(cursor->end - cursor->at) < len ||
        !uns_same_fold((struct uns_slice){cursor->at, len}, uns_slice_of(text)))
        return false;
    cursor->at += len;
    return true;
}

static uns_ns capped(uns_ns ns)
{
    return ns < UNS_SPAN_MAX ? ns : UNS_SPAN_MAX;
}

/* "12.5": what stands before the point, and behind it. */
static bool read_amount(struct cursor *cursor, struct uns_slice *ret_whole,
                        struct uns_slice *ret_part)
{
    const char *from = cursor->at;

    while (is_digit(cursor))
        cursor->at++;
    *ret_whole = (struct uns_slice){from, (size_t)(cursor->at - from)};
    *ret_part = (struct uns_slice){cursor->at, 0};
    if (ret_whole->len == 0)
        return false;
    if (!skip(cursor, "."))
        return true;
    from = cursor->at;
    while (is_digit(cursor))
        cursor->at++;
    *ret_part = (struct uns_slice){from, (size_t)(cursor->at - from)};
    return ret_part->len > 0;
}

static uns_ns times(struct uns_slice whole, struct uns_slice part,
                    uns_ns unit_ns)
{
    uns_ns ns = 0, digit_ns = unit_ns;

    for (size_t i = 0; i < whole.len; i++) {
        ns = ns * 10 + (whole.data[i] - '0') * unit_ns;
        if (ns >= UNS_SPAN_MAX)
            return UNS_SPAN_MAX;
    }
    for (size_t i = 0; i < part.len; i++) {
        digit_ns /= 10;
        ns += (part.data[i] - '0') * digit_ns;
    }
    return capped(ns);
}

bool uns_span_number(struct uns_slice text, uns_ns unit_ns, uns_ns *ret_ns)
{
    struct cursor cursor = over(text);
    struct uns_slice whole, part;

    if (!read_amount(&cursor, &whole, &part) || cursor.at != cursor.end)
        return false;
    *ret_ns = times(whole, part, unit_ns);
    return true;
}

/* Longer names before those that they begin with. */
static const struct {
    const char *name;
    uns_ns ns;
} units[] = {
    {"ms",        UNS_MS       },
    {"us",        UNS_MS / 1000},
    {"\xc2\xb5s", UNS_MS / 1000},
    {"ns",        1            },
    {"d",         86400 * UNS_S},
    {"h",         3600 * UNS_S },
    {"m",         60 * UNS_S   },
    {"s",         UNS_S        },
};

static uns_ns read_unit(struct cursor *cursor)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (skip(cursor, units[i].name))
            return units[i].ns;
    return 0;
}

static bool read_duration(struct uns_slice text, uns_ns *ret_ns)
{
    struct cursor cursor = over(text);
    struct uns_slice whole, part;
    uns_ns sum = 0;

    do {
        uns_ns unit;

        if (!read_amount(&cursor, &whole, &part))
            return false;
        unit = read_unit(&cursor);
        if (unit == 0)
            return false;
        sum = capped(sum + times(whole, part, unit));
    } while (cursor.at < cursor.end);
    *ret_ns = sum;
    return true;
}

struct moment {
    int64_t year, month, day, hour, minute, second;
    int64_t east_min; /* of Greenwich */
};

/* Exactly so many digits. */
static bool digits(struct cursor *cursor, int count, int64_t *ret_value)
{
    int64_t value = 0;

    for (; count > 0; count--) {
        if (!is_digit(cursor))
            return false;
        value = value * 10 + (*cursor->at++ - '0');
    }
    *ret_value = value;
    return true;
}

static bool clock_time(struct cursor *cursor, struct moment *moment)
{
    return digits(cursor, 2, &moment->hour) && skip(cursor, ":") &&
           digits(cursor, 2, &moment->minute) && skip(cursor, ":") &&
           digits(cursor, 2, &moment->second);
}

static bool month_name(struct cursor *cursor, int64_t *ret_month)
{
    static const char names[][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                    "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

    for (int month = 0; month < 12; month++) {
        if (!skip(cursor, names[month]))
            continue;
        *ret_month = month + 1;
        return true;
    }
    return false;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" */
static bool read_http_date(struct uns_slice text, struct moment *moment)
{
    struct cursor cursor = over(text);

    if (text.len < 5 || text.data[3] != ',')
        return false;
    cursor.at += 4;
    return skip(&cursor, " ") && digits(&cursor, 2, &moment->day) &&
           skip(&cursor, " ") && month_name(&cursor, &moment->month) &&
           skip(&cursor, " ") && digits(&cursor, 4, &moment->year) &&
           skip(&cursor, " ") && clock_time(&cursor, moment) &&
           skip(&cursor, " GMT") && cursor.at == cursor.end;
}

static bool read_zone(struct cursor *cursor, struct moment *moment)
{
    int64_t hours, minutes, sign;

    if (skip(cursor, "Z"))
        return true;
    sign = skip(cursor, "-") ? -1 : 1;
    if (sign > 0 && !skip(cursor, "+"))
        return false;
    if (!digits(cursor, 2, &hours) || !skip(cursor, ":") ||
        !digits(cursor, 2, &minutes))
        return false;
    moment->east_min = sign * (hours * 60 + minutes);
    return true;
}

/* "1994-11-06T08:49:37Z"; a fraction of a second is dropped. */
static bool read_timestamp(struct uns_slice text, struct moment *moment)
{
    struct cursor cursor = over(text);
    struct uns_slice whole, part;

    if (!digits(&cursor, 4, &moment->year) || !skip(&cursor, "-") ||
        !digits(&cursor, 2, &moment->month) || !skip(&cursor, "-") ||
        !digits(&cursor, 2, &moment->day) ||
        !(skip(&cursor, "T") || skip(&cursor, " ")) ||
        !clock_time(&cursor, moment))
        return false;
    if (skip(&cursor, ".")) {
        (void)read_amount(&cursor, &whole, &part);
        if (whole.len == 0)
            return false;
    }
    return read_zone(&cursor, moment) && cursor.at == cursor.end;
}

/* Days since 1970-01-01 in the Gregorian calendar: years that begin in March
 * have their leap day last. */
static int64_t days_since_epoch(const struct moment *moment)
{
    int64_t year = moment->year - (moment->month <= 2);
    int64_t month = (moment->month + 9) % 12;

    return year * 365 + year / 4 - year / 100 + year / 400 +
           (month * 153 + 2) / 5 + moment->day - 1 - 719468;
}

static int64_t epoch_us(const struct moment *moment)
{
    int64_t minutes = (days_since_epoch(moment) * 24 + moment->hour) * 60 +
                      moment->minute - moment->east_min;

    return (minutes * 60 + moment->second) * 1000000;
}

bool uns_span_read(struct uns_slice text, int64_t now_us, uns_ns *ret_ns)
{
    struct moment moment = {0};
    int64_t us;

    if (uns_span_number(text, UNS_S, ret_ns) || read_duration(text, ret_ns))
        return true;
    if (!read_http_date(text, &moment) && !read_timestamp(text, &moment))
        return false;
    us = epoch_us(&moment) - now_us;
    us = us < 0 ? 0 : us;
    *ret_ns = us < UNS_SPAN_MAX / 1000 ? us * 1000 : UNS_SPAN_MAX;
    return true;
}
