/* SPDX-License-Identifier: MIT */

/*
 * told_pattern - the last frame that was one text.  Most of those that follow
 * are the same but for the text, and for numbers and names that mean nothing
 * here: they need not be read.  And what one that was cut lacks stands in it
 * (told_mend.c).
 *
 *   data: {"created":|digits|,"choices":[..."|text|"..],"padding":"|string|"}
 *
 * Reading a frame is the definition of what a frame that is alike must come to.
 */

#include "told_pattern.h"

#include "bytes.h"
#include "walk.h"

#include <string.h>

/* The text of a frame that has just one; NULL: it has none, or more. */
static const struct uns_part *only_text(const struct uns_parts *parts)
{
    const struct uns_part *text = NULL;

    for (unsigned i = 0; i < parts->count; i++) {
        enum uns_part_verb verb = parts->part[i].verb;

        if (verb == UNS_PART_RAW || (verb == UNS_PART_TEXT && text))
            return NULL;
        if (verb == UNS_PART_TEXT)
            text = &parts->part[i];
    }
    return text;
}

bool uns_told_is_marked(const struct uns_parts *parts)
{
    return parts->mark && (parts->opens || !only_text(parts));
}

static void note_serial(struct uns_told *told, const struct uns_parts *parts)
{
    told->digits = 0;
    for (unsigned i = 0; i < parts->count; i++)
        if (parts->part[i].verb == UNS_PART_SERIAL) {
            told->serial_at = parts->part[i].at;
            told->digits = parts->part[i].len;
        }
}

static void copy(struct uns_told *told, struct uns_slice frame)
{
    told->pattern.len = 0;
    if (uns_run_add(&told->pattern, told->heap, frame.data, frame.len))
        return;
    told->gaps = 0; /* they are in no frame */
    uns_told_give_up(told, "no_memory");
}

/* --- gaps ----------------------------------------------------------------- */

/* Behind the digits at `at`; SIZE_MAX: a number is written otherwise. */
static size_t digits_end(struct uns_slice frame, size_t at)
{
    size_t end = at;

    while (end < frame.len && frame.data[end] >= '0' && frame.data[end] <= '9')
        end++;
    return end == at || (frame.data[at] == '0' && end > at + 1) ? SIZE_MAX
                                                                : end;
}

/* At the quote that ends the string; SIZE_MAX: it has an escape of more than
 * one letter, or is none. */
static size_t string_end(struct uns_slice frame, size_t at)
{
    const char *end = frame.data + frame.len;
    const char *p = uns_bytes_find_quote(frame.data + at, end);

    while (end - p >= 2 && *p == '\\' && memchr("\"\\/bfnrt", p[1], 8))
        p = uns_bytes_find_quote(p + 2, end);
    return p < end && *p == '"' ? (size_t)(p - frame.data) : SIZE_MAX;
}

/* An empty string is none that was told yet, and an empty text is none. */
static size_t gap_end(enum uns_gap_kind kind, struct uns_slice frame, size_t at)
{
    size_t end = kind == UNS_GAP_NUMBER || kind == UNS_GAP_SERIAL
                     ? digits_end(frame, at)
                     : string_end(frame, at);

    return end == at ? SIZE_MAX : end;
}

/* One more, behind the others.  False: there is no room. */
static bool add_gap(struct uns_told *told, enum uns_gap_kind kind, size_t at,
                    size_t len)
{
    if (told->gaps == UNS_TOLD_GAPS)
        return false;
    told->gap[told->gaps++] = (struct uns_gap){kind, at, len};
    return true;
}

/* The text; a member that nothing is told of; one that counts the frames. */
static bool note_gap(struct uns_told *told, struct uns_slice frame,
                     const struct uns_walk_value *value)
{
    size_t at = (size_t)(value->text.data - frame.data);
    enum uns_gap_kind kind =
        value->kind == UNS_WALK_STRING ? UNS_GAP_STRING : UNS_GAP_NUMBER;

    if (at == told->pattern_at)
        return add_gap(told, UNS_GAP_TEXT, at, value->text.len);
    if (told->digits && at == told->serial_at)
        kind = UNS_GAP_SERIAL;
    else if (value->depth != 1 ||
             !uns_parts_may_vary(told->dialect, value->key))
        return true;
    if (gap_end(kind, frame, at) != at + value->text.len)
        return kind != UNS_GAP_SERIAL;
    return add_gap(told, kind, at, value->text.len);
}

static void note_gaps(struct uns_told *told, const struct uns_parts *parts,
                      struct uns_slice frame)
{
    struct uns_walk walk;
    struct uns_walk_value value;
    bool good = true;

    told->gaps = 0;
    if (told->off || uns_told_is_marked(parts))
        return;
    uns_walk_init(&walk, frame.data + parts->at, parts->len, false);
    while (good && uns_walk_next(&walk, &value))
        if (value.kind == UNS_WALK_STRING || value.kind == UNS_WALK_NUMBER)
            good = note_gap(told, frame, &value);
    if (!good)
        told->gaps = 0;
}

void uns_told_keep_pattern(struct uns_told *told, const struct uns_parts *parts,
                           struct uns_slice frame)
{
    const struct uns_part *text = only_text(parts);

    /* What was given up has no strand that the next text could go to. */
    if (!text || told->off)
        return;
    copy(told, frame);
    told->pattern_at = text->at + 1;
    told->pattern_end = text->at + text->len - 1;
    told->pattern_key = text->key;
    note_serial(told, parts);
    note_gaps(told, parts, frame);
}

/* --- the next frame ------------------------------------------------------- */

static bool is_same(const struct uns_run *pattern, size_t from,
                    struct uns_slice frame, size_t at, size_t len)
{
    return frame.len - at >= len &&
           memcmp(frame.data + at, pattern->data + from, len) == 0;
}

/* Fills the gaps with what stands there in the frame. */
static bool match(const struct uns_told *told, struct uns_slice frame,
                  struct uns_gap *ret_gap)
{
    size_t at = 0, from = 0;

    for (unsigned i = 0; i < told->gaps; i++) {
        const struct uns_gap *gap = &told->gap[i];

        if (!is_same(&told->pattern, from, frame, at, gap->at - from))
            return false;
        at += gap->at - from;
        size_t end = gap_end(gap->kind, frame, at);
        if (end == SIZE_MAX)
            return false;
        ret_gap[i] = (struct uns_gap){gap->kind, at, end - at};
        from = gap->at + gap->len;
        at = end;
    }
    return frame.len - at == told->pattern.len - from &&
           is_same(&told->pattern, from, frame, at, frame.len - at);
}

static void move_to(struct uns_told *told, const struct uns_gap *gap,
                    struct uns_slice value)
{
    if (gap->kind == UNS_GAP_TEXT) {
        told->pattern_at = gap->at;
        told->pattern_end = gap->at + gap->len;
    } else if (gap->kind == UNS_GAP_SERIAL) {
        told->serial_at = gap->at;
        told->digits = gap->len;
        told->serial = uns_told_number(value);
    }
}

struct uns_slice uns_told_alike(struct uns_told *told, struct uns_slice frame)
{
    struct uns_gap gap[UNS_TOLD_GAPS];

    if (told->gaps == 0 || !match(told, frame, gap))
        return (struct uns_slice){0};
    for (unsigned i = 0; i < told->gaps; i++)
        move_to(told, &gap[i],
                (struct uns_slice){frame.data + gap[i].at, gap[i].len});
    memcpy(told->gap, gap, told->gaps * sizeof *gap);
    copy(told, frame);
    return (struct uns_slice){frame.data + told->pattern_at,
                              told->pattern_end - told->pattern_at};
}
