/* SPDX-License-Identifier: MIT */

/*
 * told_mend - a stream that stopped in the middle of a frame.  The frame can be
 * completed only with bytes of the same stream: what is missing is taken from
 * its last frame of text, if the beginning is that frame's beginning, or if
 * the end fits behind the text that was cut.  Else it has to be the rival's
 * next frame that begins like the tail.
 */

#include "told.h"

#include "ascii.h"
#include "chars.h"

#include <string.h>

/* So far behind its text a tail is looked for in the pattern, and so often it
 * is read to see if it fits there: an end that repeats itself fits anywhere. */
#define PAST_BYTES 4096
#define PAST_TRIES 16

/* A comment needs no more than its line's end, and the blank line. */
static const char comment_end[] = "\n\n";

/* How the tail is completed. */
enum way {
    NO_WAY,
    NO_TAIL, /* nothing but line ends and commas */
    COMMENT,
    INSERT, /* the rest of the pattern, without its text */
    APPEND  /* what stands behind the pattern's text */
};

/* Each of its lines begins with a colon. */
static bool is_comment(const struct uns_told *told)
{
    bool fresh = true;

    for (size_t i = 0; i < told->tail.len; i++) {
        char c = told->tail.data[i];

        if (fresh && c != ':')
            return false;
        fresh = c == '\n' || c == '\r';
    }
    return told->cut.kind == UNS_CUT_EVENTS;
}

static struct uns_slice pattern_end(const struct uns_told *told)
{
    return (struct uns_slice){told->pattern.bytes.data + told->pattern.end,
                              told->pattern.bytes.len - told->pattern.end};
}

static bool is_beginning(const struct uns_told *told)
{
    return told->tail.len <= told->pattern.at &&
           memcmp(told->tail.data, told->pattern.bytes.data, told->tail.len) ==
               0;
}

/* The pattern is to be the next frame: no number may be said twice. */
static bool count_on(struct uns_told *told)
{
    struct uns_told_pattern *pattern = &told->pattern;
    char room[UNS_DECIMAL_BYTES];
    struct uns_slice digits = uns_decimal(told->serial + 1, room);
    struct uns_run next = {0};
    const char *text = pattern->bytes.data;
    size_t behind = pattern->serial_at + pattern->digits;

    if (!pattern->digits)
        return true;
    if (!uns_run_add(&next, told->heap, text, pattern->serial_at) ||
        !uns_run_add(&next, told->heap, digits.data, digits.len) ||
        !uns_run_add(&next, told->heap, text + behind,
                     pattern->bytes.len - behind)) {
        uns_run_free(&next, told->heap);
        return false;
    }
    uns_run_free(&pattern->bytes, told->heap);
    pattern->bytes = next;
    if (pattern->at > pattern->serial_at) {
        pattern->at += digits.len - pattern->digits;
        pattern->end += digits.len - pattern->digits;
    }
    pattern->digits = digits.len;
    return true;
}

/* Is the tail a frame, once the pattern's end but for its first `past` bytes
 * stands behind it?  Its text, in `whole`, which is freed by the caller. */
static bool read_appended(const struct uns_told *told, size_t past,
                          struct uns_run *whole, struct uns_part *ret_text)
{
    struct uns_slice end = pattern_end(told);
    struct uns_parts parts;
    bool found = false;

    if (!uns_run_add(whole, told->heap, told->tail.data, told->tail.len) ||
        !uns_run_add(whole, told->heap, end.data + past, end.len - past))
        return false;
    uns_parts_read(&parts, told->dialect, uns_run_slice(whole), 0);
    for (unsigned i = 0; i < parts.count; i++)
        if (parts.part[i].verb == UNS_PART_TEXT &&
            parts.part[i].at + parts.part[i].len - 1 == told->tail.len - past) {
            *ret_text = parts.part[i];
            found = true;
        }
    return found && parts.json && !parts.opaque;
}

/* It ends in the first half of a pair of escapes that is one character. */
static bool ends_in_half(struct uns_slice text)
{
    return text.len >= 3 && text.data[text.len - 3] == '\xed' &&
           ((unsigned char)text.data[text.len - 2] & 0xf0) == 0xa0;
}

static bool take_text(struct uns_told *told, struct uns_run *text,
                      struct uns_slice raw)
{
    char c[UNS_CHARS_BYTES];
    size_t at = 0, len;

    while ((len = uns_chars_next(raw, &at, c)))
        if (!uns_run_add(text, told->heap, c, len))
            return false;
    return true;
}

/* The part of a text that was cut is known, and has to be found again in the
 * other stream. */
static bool lend(struct uns_told *told, struct uns_slice raw, uint64_t key)
{
    struct uns_strand *strand = uns_told_strand(told, key);

    if (!strand)
        return false;
    told->lent = strand;
    told->lent_len = strand->text.len;
    if (take_text(told, &strand->text, raw) &&
        !ends_in_half(uns_run_slice(&strand->text)))
        return true;
    uns_told_take_back(told);
    return false;
}

/* With so many bytes of the pattern's end in the tail? */
static bool append(struct uns_told *told, size_t past)
{
    struct uns_run whole = {0};
    struct uns_part text;
    bool good = read_appended(told, past, &whole, &text) &&
                lend(told, uns_part_text(&text, whole.data), text.key);

    uns_run_free(&whole, told->heap);
    told->past = past;
    return good;
}

static bool ends_with(struct uns_slice text, struct uns_slice end)
{
    return text.len >= end.len &&
           memcmp(text.data + text.len - end.len, end.data, end.len) == 0;
}

static bool can_append(struct uns_told *told)
{
    struct uns_slice end = pattern_end(told);
    struct uns_slice tail = uns_run_slice(&told->tail);
    size_t most = end.len < PAST_BYTES ? end.len : PAST_BYTES;
    unsigned tries = 0;

    for (size_t past = 0; past < most && tries < PAST_TRIES; past++) {
        if (!ends_with(tail, (struct uns_slice){end.data, past}))
            continue;
        if (append(told, past))
            return true;
        tries++;
    }
    return false;
}

static enum way way_of(const struct uns_told *told)
{
    if (uns_told_is_blank(uns_run_slice(&told->tail)))
        return NO_TAIL;
    if (is_comment(told))
        return COMMENT;
    if (told->lent)
        return APPEND;
    return told->pattern.bytes.len && is_beginning(told) ? INSERT : NO_WAY;
}

const char *uns_told_ready(struct uns_told *told)
{
    if (told->off || told->known)
        return told->off;
    if (!count_on(told))
        return "no_memory";
    told->known = true;
    told->match = way_of(told) == NO_WAY &&
                  !(told->pattern.bytes.len && can_append(told));
    return NULL;
}

bool uns_told_mend(const struct uns_told *told, struct uns_slice text,
                   struct uns_run *out)
{
    enum way way = way_of(told);
    size_t from = told->tail.len, past = way == APPEND ? told->past : 0;
    struct uns_slice end;

    if (way == NO_TAIL || way == NO_WAY)
        return true;
    if (way == COMMENT)
        return uns_run_add(out, told->heap, comment_end,
                           sizeof comment_end - 1);
    end = pattern_end(told);
    if (way == INSERT &&
        !uns_run_add(out, told->heap, told->pattern.bytes.data + from,
                     told->pattern.at - from))
        return false;
    return uns_run_add(out, told->heap, text.data, text.len) &&
           uns_run_add(out, told->heap, end.data + past, end.len - past);
}
