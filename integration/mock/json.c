/* SPDX-License-Identifier: MIT */
/*
 * json - one key of an object, and escaping.  Not a validator: of text that
 * is no JSON it finds nothing or something, but reads no byte outside it.
 */
#include "json.h"

#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *p, const char *end)
{
    while (p < end && memchr(" \t\r\n,:", *p, 7))
        p++;
    return p;
}

static const char *skip_string(const char *p, const char *end)
{
    for (p++; p < end && *p != '"'; p++)
        if (*p == '\\')
            p++;
    return p < end ? p + 1 : end;
}

static const char *skip_nested(const char *p, const char *end)
{
    int depth = 0;

    while (p < end) {
        if (*p == '"') {
            p = skip_string(p, end);
            continue;
        }
        if (*p == '{' || *p == '[')
            depth++;
        if ((*p == '}' || *p == ']') && --depth == 0)
            return p + 1;
        p++;
    }
    return end;
}

static const char *skip_value(const char *p, const char *end)
{
    if (p >= end)
        return end;
    if (*p == '"')
        return skip_string(p, end);
    if (*p == '{' || *p == '[')
        return skip_nested(p, end);
    while (p < end && !memchr(",]} \t\r\n", *p, 7))
        p++;
    return p;
}

static struct mock_str bare(const char *from, const char *to)
{
    if (from < to && *from == '"' && to - from >= 2)
        return (struct mock_str){from + 1, (size_t)(to - from) - 2};
    return (struct mock_str){from, (size_t)(to - from)};
}

struct mock_str mock_json_get(struct mock_str object, const char *key)
{
    const char *end = object.at + object.len;
    const char *p = object.len > 0 ? skip_space(object.at, end) : end;

    if (p == end || *p != '{')
        return (struct mock_str){NULL, 0};
    p = skip_space(p + 1, end);
    while (p < end && *p == '"') {
        const char *key_end = skip_string(p, end);
        const char *value = skip_space(key_end, end);
        const char *value_end = skip_value(value, end);

        if (mock_str_is(bare(p, key_end), key))
            return bare(value, value_end);
        p = skip_space(value_end, end);
    }
    return (struct mock_str){NULL, 0};
}

struct mock_str mock_json_last(struct mock_str array)
{
    const char *end = array.at + array.len;
    const char *p = array.len > 0 ? skip_space(array.at, end) : end;
    struct mock_str last = {NULL, 0};

    if (p == end || *p != '[')
        return last;
    p = skip_space(p + 1, end);
    while (p < end && *p != ']') {
        const char *value_end = skip_value(p, end);

        if (value_end == p)
            break;
        last = (struct mock_str){p, (size_t)(value_end - p)};
        p = skip_space(value_end, end);
    }
    return last;
}

/* Reads \uXXXX at the start of the text; 0 when there is none. */
static unsigned long unit_at(struct mock_str text)
{
    char hex[5] = "";

    if (text.len < 6 || text.at[0] != '\\' || text.at[1] != 'u')
        return 0;
    memcpy(hex, text.at + 2, 4);
    return strtoul(hex, NULL, 16);
}

static void put_utf8(struct mock_buf *out, unsigned long point)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    char bytes[4];
    size_t len = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;

    for (size_t i = len; i-- > 1; point >>= 6)
        bytes[i] = (char)(0x80 | (point & 0x3f));
    bytes[0] = (char)(lead[len == 1 ? 0 : len] | point);
    mock_buf_put(out, bytes, len);
}

/* One escape; returns how long it was. */
static size_t decode_escape(struct mock_buf *out, struct mock_str text)
{
    static const char from[] = "nrtbf";
    static const char to[] = "\n\r\t\b\f";
    unsigned long unit = unit_at(text);
    const char *at;

    if (unit >= 0xd800 && unit < 0xdc00 && text.len >= 12) {
        unsigned long low =
            unit_at((struct mock_str){text.at + 6, text.len - 6});

        put_utf8(out, 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff));
        return 12;
    }
    if (unit > 0) {
        put_utf8(out, unit);
        return 6;
    }
    at = strchr(from, text.at[1]);
    mock_buf_put(out, at ? to + (at - from) : text.at + 1, 1);
    return 2;
}

void mock_json_decode(struct mock_buf *out, struct mock_str inside)
{
    while (inside.len > 0) {
        size_t len = 1;

        if (*inside.at == '\\' && inside.len > 1)
            len = decode_escape(out, inside);
        else
            mock_buf_put(out, inside.at, 1);
        inside.at += len;
        inside.len -= len;
    }
}

static bool is_safe(char c)
{
    return (unsigned char)c >= 0x20 && c != '"' && c != '\\' && c != 0x7f;
}

static void put_unsafe(struct mock_buf *out, char c)
{
    static const char from[] = "\"\\\n\r\t";
    static const char to[] = "\"\\nrt";
    const char *at = c ? strchr(from, c) : NULL;

    if (at) {
        char pair[2] = {'\\', to[at - from]};

        mock_buf_put(out, pair, 2);
    } else {
        mock_buf_fmt(out, "\\u%04x", (unsigned)(unsigned char)c);
    }
}

void mock_json_put(struct mock_buf *out, struct mock_str text)
{
    while (text.len > 0) {
        size_t safe = 0;

        while (safe < text.len && is_safe(text.at[safe]))
            safe++;
        mock_buf_put(out, text.at, safe);
        text.at += safe;
        text.len -= safe;
        if (text.len > 0) {
            put_unsafe(out, *text.at++);
            text.len--;
        }
    }
}
