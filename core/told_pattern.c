/* SPDX-License-Identifier: MIT */

/*
 * told_pattern - the last frame that was one text.  Most of those that follow
 * are the same but for the text, and need not be read; and what one that was
 * cut lacks stands in it (told_mend.c).
 */

#include "told.h"

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

void uns_told_keep_pattern(struct uns_told *told, const struct uns_parts *parts,
                           struct uns_slice frame)
{
    const struct uns_part *text = only_text(parts);

    if (!text)
        return;
    told->pattern.len = 0;
    if (!uns_run_add(&told->pattern, told->heap, frame.data, frame.len))
        uns_told_give_up(told, "no_memory");
    told->pattern_at = text->at + 1;
    told->pattern_end = text->at + text->len - 1;
    told->pattern_key = text->key;
    note_serial(told, parts);
    told->plain = !uns_told_is_marked(parts) && !told->digits;
}

struct uns_slice uns_told_alike(const struct uns_told *told,
                                struct uns_slice frame)
{
    const struct uns_run *pattern = &told->pattern;
    size_t behind = pattern->len - told->pattern_end;
    struct uns_slice text = {frame.data + told->pattern_at, 0};

    if (!told->plain || frame.len <= told->pattern_at + behind)
        return (struct uns_slice){0};
    text.len = frame.len - behind - told->pattern_at;
    if (memcmp(frame.data, pattern->data, told->pattern_at) != 0 ||
        memcmp(text.data + text.len, pattern->data + told->pattern_end,
               behind) != 0)
        return (struct uns_slice){0};
    for (size_t i = 0; i < text.len; i++)
        if ((unsigned char)text.data[i] < ' ' || text.data[i] == '"' ||
            text.data[i] == '\\')
            return (struct uns_slice){0};
    return text;
}
