/* SPDX-License-Identifier: MIT */
/*
 * text - cleans, measures and formats.  It decodes UTF-8 itself: the locale's
 * functions stop at the first byte that they do not like.
 */
#include "text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

/* Lengths in "2026-07-30 14:03:11". */
#define LONG_TIME 19
#define DATE      10

#define HALF_YEAR_US (INT64_C(182) * 86400 * 1000000)

struct range {
    int32_t from, to;
};

/* Characters that move, reorder or show nothing: never sent to a terminal. */
static const struct range hidden[] = {
    {0x00,    0x1f   }, /* C0 */
    {0x7f,    0x9f   }, /* DEL, C1: a terminal may take 0x9b for ESC [ */
    {0xad,    0xad   }, /* soft hyphen */
    {0x61c,   0x61c  }, /* Arabic letter mark */
    {0x200b,  0x200f }, /* zero width, direction marks */
    {0x2028,  0x202e }, /* separators, embeddings and overrides */
    {0x2060,  0x206f }, /* invisible operators, isolates */
    {0xfeff,  0xfeff }, /* byte order mark */
    {0xfff9,  0xfffb }, /* annotations */
    {0xfffe,  0xffff }, /* no characters; no document may have them */
    {0xe0000, 0xe0fff}, /* tags */
};

/* Two columns wide; and, by the second table, none. */
static const struct range wide[] = {
    {0x1100,  0x115f },
    {0x2e80,  0xa4cf },
    {0xac00,  0xd7a3 },
    {0xf900,  0xfaff },
    {0xfe30,  0xfe6f },
    {0xff00,  0xff60 },
    {0xffe0,  0xffe6 },
    {0x1f300, 0x1faff},
    {0x20000, 0x3fffd},
};

static const struct range combining[] = {
    {0x300,  0x36f },
    {0x483,  0x489 },
    {0x591,  0x5bd },
    {0x610,  0x61a },
    {0x64b,  0x65f },
    {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff},
    {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f},
    {0xfe20, 0xfe2f},
};

#define IN(table, c) is_in((table), sizeof(table) / sizeof *(table), (c))

static bool is_in(const struct range *table, size_t count, int32_t c)
{
    for (size_t i = 0; i < count; i++)
        if (c >= table[i].from && c <= table[i].to)
            return true;
    return false;
}

/* Bytes that follow a first byte, the bits that it gives, and the smallest
 * character that may be written so long. */
static const struct lead {
    unsigned char mask, mark;
    int more;
    int32_t least;
} leads[] = {
    {0x80, 0x00, 0, 0      },
    {0xe0, 0xc0, 1, 0x80   },
    {0xf0, 0xe0, 2, 0x800  },
    {0xf8, 0xf0, 3, 0x10000},
};

static const struct lead *find_lead(unsigned char byte)
{
    for (size_t i = 0; i < sizeof leads / sizeof *leads; i++)
        if ((byte & leads[i].mask) == leads[i].mark)
            return &leads[i];
    return NULL;
}

int32_t uns_text_next(const char **text)
{
    const unsigned char *at = (const unsigned char *)*text;
    const struct lead *lead = find_lead(*at);
    int32_t c;

    if (*at == '\0')
        return 0;
    ++*text;
    if (lead == NULL)
        return -1;
    c = *at & ~lead->mask & 0xff;
    for (int i = 1; i <= lead->more; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return -1;
        c = c << 6 | (at[i] & 0x3f);
    }
    if (c < lead->least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return -1;
    *text += lead->more;
    return c;
}

/* One character as it may be shown; its length in `out`. */
static size_t show(char out[16], const char *from, const char *to, int32_t c,
                   bool utf8)
{
    if (c == '\n')
        return (size_t)snprintf(out, 16, "\\n");
    if (c < 0 || (c < 0x80 && IN(hidden, c)))
        return (size_t)snprintf(out, 16, "\\x%02x", (unsigned char)*from);
    if (IN(hidden, c) || (c > 0x7e && !utf8))
        return (size_t)snprintf(out, 16, "\\u{%x}", (unsigned)c);
    memcpy(out, from, (size_t)(to - from));
    return (size_t)(to - from);
}

const char *uns_text_clean(char *ret_clean, size_t cap, const char *text,
                           bool utf8)
{
    size_t used = 0;
    const char *from = text;
    int32_t c;

    while ((c = uns_text_next(&text)) != 0) {
        char out[16];
        size_t len = show(out, from, text, c, utf8);

        if (used + len >= cap)
            break;
        memcpy(ret_clean + used, out, len);
        used += len;
        from = text;
    }
    ret_clean[used] = '\0';
    return ret_clean;
}

static int columns_of(int32_t c)
{
    if (c < 0x300)
        return 1;
    if (IN(combining, c))
        return 0;
    return IN(wide, c) ? 2 : 1;
}

size_t uns_text_fit(const char *text, int columns)
{
    const char *at = text, *next = text;
    int32_t c;

    while ((c = uns_text_next(&next)) != 0) {
        columns -= columns_of(c);
        if (columns < 0)
            break;
        at = next;
    }
    return (size_t)(at - text);
}

int uns_text_columns(const char *text)
{
    int columns = 0;
    int32_t c;

    while ((c = uns_text_next(&text)) != 0)
        columns += columns_of(c);
    return columns;
}

const char *uns_text_ms(char ret_text[UNS_TEXT_TIME], int64_t ms)
{
    long long s = ms / 1000;
    int fraction = (int)(ms % 1000);

    if (ms == UNS_NULL)
        memcpy(ret_text, "-", sizeof "-");
    else if (ms < 1000)
        snprintf(ret_text, UNS_TEXT_TIME, "%lld ms", (long long)ms);
    else if (s < 100)
        snprintf(ret_text, UNS_TEXT_TIME, "%lld.%02d s", s, fraction / 10);
    else if (s < 600)
        snprintf(ret_text, UNS_TEXT_TIME, "%lld.%d s", s, fraction / 100);
    else if (s < 3600)
        snprintf(ret_text, UNS_TEXT_TIME, "%lld m %02lld s", s / 60, s % 60);
    else
        snprintf(ret_text, UNS_TEXT_TIME, "%lld h %02lld m", s / 3600,
                 s / 60 % 60);
    return ret_text;
}

const char *uns_text_moment(char ret_text[UNS_TEXT_TIME], int64_t epoch_us)
{
    time_t moment = (time_t)(epoch_us / 1000000);
    struct tm tm;

    if (epoch_us == UNS_NULL || localtime_r(&moment, &tm) == NULL ||
        strftime(ret_text, UNS_TEXT_TIME, "%Y-%m-%d %H:%M:%S", &tm) == 0)
        memcpy(ret_text, "-", sizeof "-");
    return ret_text;
}

const char *uns_text_when(char ret_text[UNS_TEXT_TIME], int64_t epoch_us,
                          int64_t now_us)
{
    char now[UNS_TEXT_TIME];
    int64_t age_us;

    uns_text_moment(ret_text, epoch_us);
    if (epoch_us == UNS_NULL || strlen(ret_text) != LONG_TIME)
        return ret_text;
    age_us = now_us - epoch_us;
    uns_text_moment(now, now_us);
    if (memcmp(ret_text, now, DATE) == 0)
        return memmove(ret_text, ret_text + DATE + 1, LONG_TIME - DATE);
    if (age_us > HALF_YEAR_US || age_us < -HALF_YEAR_US) {
        ret_text[DATE] = '\0';
        return ret_text;
    }
    ret_text[LONG_TIME - 3] = '\0'; /* without seconds */
    return memmove(ret_text, ret_text + 5, LONG_TIME - 7);
}
