/* SPDX-License-Identifier: MIT */
/*
 * buf - a byte queue that grows, and borrowed slices of bytes.  Not a parser
 * of anything.  Invariant: head <= len <= cap.
 */
#include "buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

char *mock_buf_room(struct mock_buf *buf, size_t more)
{
    if (buf->cap - buf->len < more && buf->head > 0) {
        memmove(buf->at, buf->at + buf->head, buf->len - buf->head);
        buf->len -= buf->head;
        buf->head = 0;
    }
    if (buf->cap - buf->len < more) {
        size_t cap = buf->cap > 0 ? buf->cap : 512;

        while (cap - buf->len < more)
            cap *= 2;
        buf->at = realloc(buf->at, cap);
        if (!buf->at)
            abort();
        buf->cap = cap;
    }
    return buf->at + buf->len;
}

void mock_buf_put(struct mock_buf *buf, const void *bytes, size_t len)
{
    if (len == 0)
        return;
    memcpy(mock_buf_room(buf, len), bytes, len);
    buf->len += len;
}

void mock_buf_text(struct mock_buf *buf, const char *text)
{
    mock_buf_put(buf, text, strlen(text));
}

void mock_buf_num(struct mock_buf *buf, uint64_t value)
{
    char digits[20];
    size_t n = sizeof(digits);

    do {
        digits[--n] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    mock_buf_put(buf, digits + n, sizeof(digits) - n);
}

void mock_buf_fmt(struct mock_buf *buf, const char *format, ...)
{
    const size_t most = 1024;
    va_list args;

    va_start(args, format);
    int n = vsnprintf(mock_buf_room(buf, most), most, format, args);
    va_end(args);
    if (n > 0)
        buf->len += (size_t)n < most ? (size_t)n : most - 1;
}

struct mock_str mock_buf_view(const struct mock_buf *buf)
{
    if (buf->len == buf->head)
        return (struct mock_str){NULL, 0};
    return (struct mock_str){buf->at + buf->head, buf->len - buf->head};
}

void mock_buf_drop(struct mock_buf *buf, size_t len)
{
    buf->head += len;
    if (buf->head == buf->len)
        buf->head = buf->len = 0;
}

void mock_buf_clear(struct mock_buf *buf)
{
    buf->head = buf->len = 0;
}

void mock_buf_free(struct mock_buf *buf)
{
    free(buf->at);
    *buf = (struct mock_buf){0};
}

struct mock_str mock_str_of(const char *text)
{
    return (struct mock_str){text, text ? strlen(text) : 0};
}

bool mock_str_is(struct mock_str str, const char *text)
{
    return str.at && str.len == strlen(text) &&
           memcmp(str.at, text, str.len) == 0;
}

bool mock_str_like(struct mock_str str, struct mock_str other)
{
    return str.at && other.at && str.len == other.len &&
           strncasecmp(str.at, other.at, str.len) == 0;
}

bool mock_str_ends(struct mock_str str, const char *tail)
{
    size_t len = strlen(tail);

    return str.len >= len && memcmp(str.at + str.len - len, tail, len) == 0;
}

bool mock_str_has(struct mock_str str, const char *part)
{
    size_t len = strlen(part);

    for (size_t i = 0; i + len <= str.len; i++)
        if (strncasecmp(str.at + i, part, len) == 0)
            return true;
    return false;
}

struct mock_str mock_str_cut(struct mock_str *rest, char sep)
{
    const char *at = rest->len > 0 ? memchr(rest->at, sep, rest->len) : NULL;
    struct mock_str part = *rest;

    if (!at) {
        *rest = (struct mock_str){NULL, 0};
        return part;
    }
    part.len = (size_t)(at - rest->at);
    rest->len -= part.len + 1;
    rest->at = at + 1;
    return part;
}
