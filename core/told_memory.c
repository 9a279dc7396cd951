/* SPDX-License-Identifier: MIT */

/*
 * told_memory - what is remembered: texts, values, and how often each type of
 * frame was met; nothing of where a frame begins or ends.  What does not fit
 * gives the whole up.
 */

#include "told.h"

#include "chars.h"

#include <string.h>

/* --- what there is ----------------------------------------------------------
 */

void uns_told_give_up(struct uns_told *told, const char *why)
{
    if (!told->off)
        told->off = why;
}

void uns_told_append(struct uns_told *told, struct uns_run *run,
                     struct uns_slice bytes)
{
    told->used += bytes.len;
    if (told->used > told->limit)
        uns_told_give_up(told, "too_long");
    else if (!uns_run_add(run, told->heap, bytes.data, bytes.len))
        uns_told_give_up(told, "no_memory");
}

struct uns_strand *uns_told_strand(struct uns_told *told, uint64_t key)
{
    for (unsigned i = 0; i < told->strands; i++)
        if (told->strand[i].key == key)
            return &told->strand[i];
    return NULL;
}

struct uns_strand *uns_told_answer(struct uns_told *told)
{
    for (unsigned i = 0; i < told->strands; i++)
        if (told->strand[i].answer)
            return &told->strand[i];
    return NULL;
}

struct uns_slice uns_told_word(const struct uns_told *told, uint64_t key)
{
    for (unsigned i = 0; i < told->words; i++)
        if (told->word[i].key == key)
            return (struct uns_slice){told->bytes.data + told->word[i].at,
                                      told->word[i].len};
    return (struct uns_slice){0};
}

static struct uns_tally *find_mark(struct uns_told *told, uint64_t key)
{
    for (unsigned i = 0; i < told->marks; i++)
        if (told->mark[i].key == key)
            return &told->mark[i];
    return NULL;
}

static struct uns_strand *make_strand(struct uns_told *told,
                                      const struct uns_part *part)
{
    struct uns_strand *strand = uns_told_strand(told, part->key);

    if (strand)
        return strand;
    if (told->strands == UNS_TOLD_STRANDS) {
        uns_told_give_up(told, "too_many");
        return NULL;
    }
    strand = &told->strand[told->strands++];
    *strand = (struct uns_strand){.key = part->key, .answer = part->answer};
    return strand;
}

static void note_mark(struct uns_told *told, uint64_t key)
{
    struct uns_tally *mark = find_mark(told, key);

    if (!mark && told->marks == UNS_TOLD_MARKS) {
        uns_told_give_up(told, "too_many");
        return;
    }
    if (!mark) {
        mark = &told->mark[told->marks++];
        *mark = (struct uns_tally){.key = key};
    }
    mark->count++;
}

static void note_word(struct uns_told *told, const struct uns_part *part,
                      struct uns_slice value)
{
    if (uns_told_word(told, part->key).data)
        return;
    if (told->words == UNS_TOLD_WORDS) {
        uns_told_give_up(told, "too_many");
        return;
    }
    told->word[told->words] = (struct uns_word){
        part->key, told->bytes.len, value.len, part->verb == UNS_PART_SAME};
    uns_told_append(told, &told->bytes, value);
    if (!told->off)
        told->words++;
}

/* --- of a frame ----------------------------------------------------------- */

void uns_told_say(struct uns_told *told, struct uns_strand *strand,
                  struct uns_slice raw)
{
    char c[UNS_CHARS_BYTES];
    size_t at = 0, len;

    if (!memchr(raw.data, '\\', raw.len)) {
        uns_told_append(told, &strand->text, raw);
        return;
    }
    while (!told->off && (len = uns_chars_next(raw, &at, c)))
        uns_told_append(told, &strand->text, (struct uns_slice){c, len});
}

uint64_t uns_told_number(struct uns_slice digits)
{
    uint64_t number = 0;

    for (size_t i = 0; i < digits.len && i < 18; i++)
        if (digits.data[i] >= '0' && digits.data[i] <= '9')
            number = number * 10 + (uint64_t)(digits.data[i] - '0');
    return number;
}

static void take_part(struct uns_told *told, const struct uns_part *part,
                      const char *frame)
{
    struct uns_slice value = {frame + part->at, part->len};
    struct uns_strand *strand;

    switch (part->verb) {
    case UNS_PART_TEXT:
        strand = make_strand(told, part);
        if (strand)
            uns_told_say(told, strand, uns_part_text(part, frame));
        break;
    case UNS_PART_RAW:
        strand = make_strand(told, part);
        if (strand)
            uns_told_append(told, &strand->text, value);
        break;
    case UNS_PART_SWAP:
    case UNS_PART_ONCE:
    case UNS_PART_SAME:
        note_word(told, part, value);
        break;
    case UNS_PART_SERIAL:
        told->serial = uns_told_number(value);
        break;
    default:
        break;
    }
}

/* Where the answer is, and whether the last thing said was of it. */
static void note_place(struct uns_told *told, const struct uns_parts *parts,
                       const struct uns_part *part)
{
    told->proven |= part->verb == UNS_PART_RAW;
    if (part->verb != UNS_PART_TEXT)
        return;
    told->answering = part->answer;
    if (part->answer)
        told->block = parts->block;
}

void uns_told_note(struct uns_told *told, const struct uns_parts *parts,
                   struct uns_slice frame)
{
    for (unsigned i = 0; i < parts->count && !told->off; i++) {
        take_part(told, &parts->part[i], frame.data);
        note_place(told, parts, &parts->part[i]);
    }
    if (uns_parts_are_marked(parts))
        note_mark(told, parts->mark);
}
