/* SPDX-License-Identifier: MIT */

/*
 * Strings are skipped with their escapes, brackets are counted, and all else
 * ends where a comma, a bracket or white space stands.
 */

#include "item.h"

#include "bytes.h"

#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct uns_slice skip(struct uns_slice text, size_t len)
{
    return (struct uns_slice){text.data + len, text.len - len};
}

struct uns_slice uns_item_trim(struct uns_slice text)
{
    while (text.len && is_blank(*text.data))
        text = skip(text, 1);
    return text;
}

/* Length of the string that begins at `from`; 0: its end is not there. */
static size_t string_extent(const char *from, const char *end)
{
    const char *at = from + 1;

    while (at < end) {
        at = uns_bytes_find2(at, end, '"', '\\');
        if (at == end)
            return 0;
        if (*at == '"')
            return (size_t)(at - from) + 1;
        if (end - at < 2)
            return 0;
        at += 2;
    }
    return 0;
}

static size_t nest_extent(struct uns_slice text)
{
    const char *at = text.data;
    const char *end = text.data + text.len;
    size_t open = 0;

    for (;;) {
        size_t len = 1;

        at = uns_bytes_find_nest(at, end);
        if (at == end)
            return 0;
        if (*at == '"')
            len = string_extent(at, end);
        else if (*at == '{' || *at == '[')
            open++;
        else if (--open == 0)
            return (size_t)(at - text.data) + 1;
        if (len == 0)
            return 0;
        at += len;
    }
}

static bool ends_word(char c)
{
    return is_blank(c) || c == ',' || c == '}' || c == ']' || c == ':' ||
           c == '"' || c == '{' || c == '[';
}

size_t uns_item_extent(struct uns_slice text)
{
    size_t len = 0;

    if (text.len == 0)
        return 0;
    if (*text.data == '"')
        return string_extent(text.data, text.data + text.len);
    if (*text.data == '{' || *text.data == '[')
        return nest_extent(text);
    while (len < text.len && !ends_word(text.data[len]))
        len++;
    return len;
}

struct uns_slice uns_item_inside(struct uns_slice container)
{
    if (container.len < 2)
        return (struct uns_slice){0};
    return (struct uns_slice){container.data + 1, container.len - 2};
}

/* Past white space, and one of `c`. */
static struct uns_slice past(struct uns_slice text, char c)
{
    text = uns_item_trim(text);
    if (text.len && *text.data == c)
        text = uns_item_trim(skip(text, 1));
    return text;
}

bool uns_item_next(struct uns_slice *inside, bool named,
                   struct uns_item *ret_item)
{
    struct uns_slice rest = past(*inside, ',');
    struct uns_slice key = {0};
    size_t len;

    if (named) {
        len = uns_item_extent(rest);
        if (len < 2 || *rest.data != '"')
            return false;
        key = (struct uns_slice){rest.data + 1, len - 2};
        rest = past(skip(rest, len), ':');
    }
    len = uns_item_extent(rest);
    if (len == 0)
        return false;
    *ret_item = (struct uns_item){
        key, {rest.data, len}
    };
    *inside = skip(rest, len);
    return true;
}

bool uns_item_is(struct uns_slice raw, const char *text)
{
    return raw.len == strlen(text) && memcmp(raw.data, text, raw.len) == 0;
}

struct uns_slice uns_item_get(struct uns_slice object, const char *name)
{
    struct uns_slice inside = uns_item_inside(object);
    struct uns_slice found = {0};
    struct uns_item item;

    if (uns_item_kind(object) != '{')
        return found;
    while (uns_item_next(&inside, true, &item))
        if (uns_item_is(item.key, name))
            found = item.value;
    return found;
}

char uns_item_kind(struct uns_slice value)
{
    if (value.len == 0)
        return '\0';
    return strchr("{[\"ntf", *value.data) ? *value.data : '0';
}

static bool is_value(struct uns_slice value)
{
    char kind = uns_item_kind(value);

    if (kind == '"')
        return !uns_item_is(value, "\"\"");
    return kind != 'n' && kind != 'f' && !uns_item_is(value, "0") &&
           !uns_item_is(value, "[]") && !uns_item_is(value, "{}");
}

bool uns_item_told(struct uns_slice value)
{
    struct uns_slice inside = uns_item_inside(value);
    struct uns_item item;
    bool told = false;

    if (uns_item_kind(value) != '{')
        return is_value(value);
    while (inside.len && !told && uns_item_next(&inside, true, &item))
        told = is_value(item.value);
    return told;
}
