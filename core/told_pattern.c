/* SPDX-License-Identifier: MIT */

/*
 * The stream's own way of knowing an event again (repeat.h) is used for frames,
 * narrowed to what may differ for a rival, too: a role, say, means nothing to
 * the stream, but has to be told.  Of a run of such frames only the last one
 * is copied.
 */

#include "told_pattern.h"

#include "repeat.h"

#include <string.h>

#define NO_HOLE UINT8_MAX

static void note_serial(struct uns_told_pattern *pattern,
                        const struct uns_parts *parts)
{
    pattern->digits = 0;
    for (unsigned i = 0; i < parts->count; i++)
        if (parts->part[i].verb == UNS_PART_SERIAL) {
            pattern->serial_at = parts->part[i].at;
            pattern->digits = parts->part[i].len;
        }
}

/* --- what may differ ------------------------------------------------------ */

static bool is_serial(const struct uns_told_pattern *pattern, size_t at)
{
    return pattern->digits && at == pattern->serial_at;
}

/* The holes of the last event, as bits, that may differ for a rival, too. */
static unsigned open_holes(const struct uns_told_pattern *pattern,
                           const struct uns_stream *stream,
                           const struct uns_parts *parts,
                           struct uns_slice frame)
{
    const struct uns_repeat *repeat = &stream->repeat;
    struct uns_walk walk;
    struct uns_walk_value value;
    unsigned open = 0, i = 0;

    uns_walk_init(&walk, frame.data + parts->at, parts->len, false);
    while (uns_walk_next(&walk, &value)) {
        size_t at = (size_t)(value.text.data - frame.data);

        while (i < repeat->holes && repeat->hole[i].at < at)
            i++;
        if (i < repeat->holes && repeat->hole[i].at == at &&
            (at == pattern->at || is_serial(pattern, at) ||
             uns_parts_may_vary(stream->dialect, &walk, &value)))
            open |= 1U << i;
    }
    return open;
}

static uint8_t hole_at(const struct uns_repeat *repeat, size_t at)
{
    for (uint8_t i = 0; i < repeat->holes; i++)
        if (repeat->hole[i].at == at)
            return i;
    return NO_HOLE;
}

/* False: frames like this one have to be read. */
static bool can_repeat(struct uns_told_pattern *pattern,
                       struct uns_stream *stream, const struct uns_parts *parts,
                       struct uns_slice frame)
{
    struct uns_repeat *repeat = &stream->repeat;

    if (uns_parts_are_marked(parts) || repeat->len == 0 ||
        uns_repeat_length(repeat) != frame.len ||
        repeat->hole[repeat->text].at != pattern->at)
        return false;
    uns_repeat_narrow(repeat, frame.data,
                      open_holes(pattern, stream, parts, frame));
    pattern->serial = hole_at(repeat, pattern->serial_at);
    return repeat->len != 0 && (!pattern->digits || pattern->serial != NO_HOLE);
}

void uns_told_pattern_keep(struct uns_told_pattern *pattern,
                           struct uns_stream *stream,
                           const struct uns_parts *parts,
                           struct uns_slice frame)
{
    const struct uns_part *text = uns_parts_only_text(parts);

    if (!text)
        return;
    pattern->frame = frame;
    pattern->at = text->at + 1;
    pattern->end = text->at + text->len - 1;
    pattern->key = text->key;
    pattern->block = parts->block;
    note_serial(pattern, parts);
    pattern->repeats = can_repeat(pattern, stream, parts, frame);
}

void uns_told_pattern_leave(struct uns_told_pattern *pattern)
{
    pattern->repeats = false;
}

/* --- the next frame ------------------------------------------------------- */

size_t uns_told_pattern_meet(struct uns_told_pattern *pattern,
                             struct uns_stream *stream, struct uns_slice bytes)
{
    const struct uns_repeat_hole *hole = stream->repeat.hole;
    const struct uns_repeat_hole *text = &hole[stream->repeat.text];
    size_t len = pattern->repeats ? uns_repeat_find(stream, bytes) : 0;

    if (len == 0)
        return 0;
    (void)uns_repeat_use(stream, bytes.data, len);
    pattern->frame = (struct uns_slice){bytes.data, len};
    pattern->at = text->at;
    pattern->end = text->at + text->len;
    if (pattern->digits) {
        pattern->serial_at = hole[pattern->serial].at;
        pattern->digits = hole[pattern->serial].len;
    }
    return len;
}

bool uns_told_pattern_settle(struct uns_told_pattern *pattern,
                             const struct uns_heap *heap)
{
    struct uns_slice frame = pattern->frame;

    if (!frame.data)
        return true;
    pattern->frame = (struct uns_slice){0};
    pattern->bytes.len = 0;
    return uns_run_add(&pattern->bytes, heap, frame.data, frame.len);
}
