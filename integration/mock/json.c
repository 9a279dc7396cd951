/* SPDX-License-Identifier: MIT */
/*
 * json - one key of an object, and escaping.  Not a validator: of text that
 * is no JSON it finds nothing or something, but reads no byte outside it.
 */
#include "json.h"

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

void mock_json_put(struct mock_buf *out, struct mock_str text)
{
    static const char from[] = "\"\\\n\r\t";
    static const char to[] = "\"\\nrt";

    for (size_t i = 0; i < text.len; i++) {
        char c = text.at[i];
        const char *at = c ? strchr(from, c) : NULL;

        if (at) {
            char pair[2] = {'\\', to[at - from]};

            mock_buf_put(out, pair, 2);
        } else if ((unsigned char)c < 0x20 || c == 0x7f) {
            mock_buf_fmt(out, "\\u%04x", (unsigned)c);
        } else {
            mock_buf_put(out, &c, 1);
        }
    }
}
