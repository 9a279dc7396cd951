/* SPDX-License-Identifier: MIT */

/*
 * What cannot be remembered in full switches the resume off, with the reason:
 * half a memory would let two different answers pass for one.
 */

#include "told.h"

#include "chars.h"
#include "told_pattern.h"

#include <string.h>

void uns_told_init(struct uns_told *told, enum uns_dialect dialect,
                   const struct uns_heap *heap, size_t limit)
{
    memset(told, 0, sizeof *told);
    told->heap = heap;
    told->dialect = dialect;
    told->limit = limit;
    if (!uns_parts_known(dialect))
        told->off = "dialect";
    uns_stream_init(&told->stream, dialect, true, NULL);
}

void uns_told_done(struct uns_told *told)
{
    for (unsigned i = 0; i < told->strands; i++)
        uns_run_free(&told->strand[i].text, told->heap);
    uns_run_free(&told->tail, told->heap);
    uns_run_free(&told->bytes, told->heap);
    uns_run_free(&told->pattern, told->heap);
    told->strands = 0;
}

/* --- memory --------------------------------------------------------------- */

void uns_told_give_up(struct uns_told *told, const char *why)
{
    if (!told->off)
        told->off = why;
}

static void append(struct uns_told *told, struct uns_run *run,
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
    append(told, &told->bytes, value);
    if (!told->off)
        told->words++;
}

/* --- frames --------------------------------------------------------------- */

static void take_text(struct uns_told *told, struct uns_strand *strand,
                      struct uns_slice raw)
{
    char c[UNS_CHARS_BYTES];
    size_t at = 0, len;

    while (strand && !told->off && (len = uns_chars_next(raw, &at, c)))
        append(told, &strand->text, (struct uns_slice){c, len});
}

static void take_raw(struct uns_told *told, struct uns_strand *strand,
                     struct uns_slice value)
{
    if (strand)
        append(told, &strand->text, value);
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

    switch (part->verb) {
    case UNS_PART_TEXT:
        take_text(told, make_strand(told, part), uns_part_text(part, frame));
        break;
    case UNS_PART_RAW:
        take_raw(told, make_strand(told, part), value);
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

bool uns_told_is_opaque(const struct uns_parts *parts, unsigned news)
{
    bool content = false, structure = parts->mark != 0;

    for (unsigned i = 0; i < parts->count; i++) {
        enum uns_part_verb verb = parts->part[i].verb;

        content |= verb == UNS_PART_TEXT || verb == UNS_PART_RAW;
        structure |= verb == UNS_PART_ONCE || verb == UNS_PART_SAME ||
                     verb == UNS_PART_PASS;
    }
    return parts->opaque || (news & UNS_NEWS_CONTENT && !content) ||
           (news & UNS_NEWS_STRUCTURAL && !content && !structure);
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

static void take_other(struct uns_told *told, struct uns_slice text)
{
    struct uns_strand *strand = uns_told_strand(told, told->pattern_key);

    told->answering = strand->answer;
    if (memchr(text.data, '\\', text.len))
        take_text(told, strand, text);
    else
        append(told, &strand->text, text);
}

static void take_parts(struct uns_told *told, struct uns_slice frame,
                       unsigned news)
{
    struct uns_parts parts;

    uns_parts_read(&parts, told->dialect, frame, 0);
    if (uns_told_is_opaque(&parts, news))
        uns_told_give_up(told, "opaque");
    told->proven |= (news & UNS_NEWS_STRUCTURAL) != 0;
    for (unsigned i = 0; i < parts.count && !told->off; i++) {
        take_part(told, &parts.part[i], frame.data);
        note_place(told, &parts, &parts.part[i]);
    }
    if (uns_told_is_marked(&parts))
        note_mark(told, parts.mark);
    if (!(news & (UNS_NEWS_FINISH | UNS_NEWS_END)))
        uns_told_keep_pattern(told, &parts, frame);
}

/* False: it is an error. */
static bool take_frame(struct uns_told *told, struct uns_slice frame)
{
    unsigned news = uns_stream_feed(&told->stream, frame.data, frame.len);
    struct uns_slice text = {0};

    if (news & UNS_NEWS_ERROR)
        return false;
    if (!(news & ~(unsigned)(UNS_NEWS_EVENT | UNS_NEWS_CONTENT)))
        text = uns_told_alike(told, frame);
    if (text.data)
        take_other(told, text);
    else
        take_parts(told, frame, news);
    return true;
}

/* Among server-sent events nothing that is one begins like this; it is how
 * some servers say that they have failed. */
static bool is_bare(const struct uns_told *told, size_t at)
{
    while (at < told->tail.len &&
           (told->tail.data[at] == '\n' || told->tail.data[at] == '\r'))
        at++;
    return told->cut.kind == UNS_CUT_EVENTS && at < told->tail.len &&
           told->tail.data[at] == '{';
}

/* Takes all that is complete.  Returns where in the tail an error begins, and
 * leaves it as it is; SIZE_MAX: there is none. */
static size_t take_frames(struct uns_told *told)
{
    size_t at = 0, len;

    while (at < told->tail.len) {
        struct uns_slice rest = {told->tail.data + at, told->tail.len - at};

        if (is_bare(told, at))
            return at;
        len = uns_cut_next(&told->cut, rest);
        if (len == 0)
            break;
        if (!take_frame(told, (struct uns_slice){rest.data, len}))
            return at;
        at += len;
    }
    told->used -= at;
    uns_run_drop(&told->tail, at);
    return SIZE_MAX;
}

bool uns_told_is_blank(struct uns_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        if (!memchr(" \t\r\n,", bytes.data[i], 5))
            return false;
    return true;
}

/* The application has got nothing of the error but what stands before any
 * frame; else there is no going on. */
static size_t stop_at(struct uns_told *told, size_t at, size_t before)
{
    struct uns_slice begun = {told->tail.data + at, 0};

    told->error = true;
    if (at < before)
        begun.len = before - at;
    if (!uns_told_is_blank(begun))
        uns_told_give_up(told, "mid_frame");
    uns_run_drop(&told->tail, at);
    told->tail.len = begun.len;
    uns_cut_again(&told->cut);
    return at < before ? 0 : at - before;
}

void uns_told_take_back(struct uns_told *told)
{
    if (told->lent)
        told->lent->text.len = told->lent_len;
    told->lent = NULL;
    told->match = false;
}

size_t uns_told_hear(struct uns_told *told, const char *bytes, size_t len)
{
    size_t before = told->tail.len, at;

    if (told->error)
        return 0;
    if (told->off)
        return len;
    uns_told_take_back(told);
    append(told, &told->tail, (struct uns_slice){bytes, len});
    if (told->off)
        return len;
    at = take_frames(told);
    return at == SIZE_MAX ? len : stop_at(told, at, before);
}

void uns_told_rejoin(struct uns_told *told)
{
    if (!told->error)
        return;
    told->error = false;
    uns_stream_init(&told->stream, told->dialect, true, NULL);
    if (told->cut.kind == UNS_CUT_ARRAY)
        (void)uns_stream_feed(&told->stream, "[", 1);
}
