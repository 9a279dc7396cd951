/* SPDX-License-Identifier: MIT */

/*
 * A blank line's CR waits for its LF, if that is still to come: a frame is
 * passed on whole or not at all, and half a line end must not stay behind.
 */

#include "cut.h"

#include "bytes.h"

#include <string.h>

void uns_cut_again(struct uns_cut *cut)
{
    *cut = (struct uns_cut){.kind = cut->kind};
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The byte order mark is a part of what follows it. */
static void guess(struct uns_cut *cut, struct uns_slice bytes)
{
    static const char bom[] = "\xef\xbb\xbf";
    size_t i = cut->at;

    while (i < bytes.len &&
           (is_blank(bytes.data[i]) || (i < 3 && bytes.data[i] == bom[i])))
        i++;
    cut->at = i;
    if (i == bytes.len)
        return;
    cut->at = 0;
    cut->kind = bytes.data[i] == '{'   ? UNS_CUT_LINES
                : bytes.data[i] == '[' ? UNS_CUT_ARRAY
                                       : UNS_CUT_EVENTS;
}

static size_t ended(struct uns_cut *cut, size_t len)
{
    uns_cut_again(cut);
    return len;
}

static size_t next_event(struct uns_cut *cut, struct uns_slice bytes)
{
    const char *end = bytes.data + bytes.len;

    while (cut->at < bytes.len) {
        const char *from = bytes.data + cut->at;
        const char *stop = uns_bytes_find2(from, end, '\n', '\r');
        bool last = end - stop < 2;
        bool pair = !last && stop[0] == '\r' && stop[1] == '\n';

        cut->at += (size_t)(stop - from);
        cut->filled = cut->filled || stop > from;
        if (stop == end || (*stop == '\r' && last))
            return 0;
        cut->at += pair ? 2 : 1;
        if (!cut->filled)
            return ended(cut, cut->at);
        cut->filled = false;
    }
    return 0;
}

static size_t next_line(struct uns_cut *cut, struct uns_slice bytes)
{
    const char *from = bytes.data + cut->at;
    const char *end = memchr(from, '\n', bytes.len - cut->at);

    cut->at = bytes.len;
    return end ? ended(cut, (size_t)(end - bytes.data) + 1) : 0;
}

static void in_string(struct uns_cut *cut, char c)
{
    if (cut->escape)
        cut->escape = false;
    else if (c == '\\')
        cut->escape = true;
    else
        cut->text = c != '"';
}

/* The array's own brackets count for nothing: they stand where no element is
 * open. */
static size_t next_element(struct uns_cut *cut, struct uns_slice bytes)
{
    while (cut->at < bytes.len) {
        char c = bytes.data[cut->at++];

        if (cut->text) {
            in_string(cut, c);
        } else if (c == '"') {
            cut->text = true;
        } else if (c == '{' || (c == '[' && cut->nest)) {
            cut->nest++;
        } else if (c == '}' || c == ']') {
            cut->nest -= cut->nest ? 1 : 0;
            if (cut->nest == 0)
                return ended(cut, cut->at);
        }
    }
    return 0;
}

size_t uns_cut_next(struct uns_cut *cut, struct uns_slice bytes)
{
    static size_t (*const nexts[])(struct uns_cut * cut,
                                   struct uns_slice bytes) = {
        [UNS_CUT_EVENTS] = next_event,
        [UNS_CUT_LINES] = next_line,
        [UNS_CUT_ARRAY] = next_element,
    };

    if (cut->kind == UNS_CUT_UNKNOWN)
        guess(cut, bytes);
    return cut->kind == UNS_CUT_UNKNOWN || bytes.len == 0
               ? 0
               : nexts[cut->kind](cut, bytes);
}

struct uns_slice uns_cut_line(struct uns_slice *rest)
{
    struct uns_slice line = {rest->data, 0};
    size_t end;

    while (line.len < rest->len && line.data[line.len] != '\n' &&
           line.data[line.len] != '\r')
        line.len++;
    end = line.len + (line.len < rest->len);
    *rest = (struct uns_slice){rest->data + end, rest->len - end};
    return line;
}
