/* SPDX-License-Identifier: MIT */

/*
 * What cannot be remembered in full switches the resume off, with the reason:
 * half a memory would let two different answers pass for one.
 */

#include "told.h"

#include "ascii.h"

#include <string.h>

/* Most frames are no longer: so many bytes are put behind one that is not
 * complete, at a time. */
#define STEP_BYTES 512

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
    uns_run_free(&told->pattern.bytes, told->heap);
    told->strands = 0;
}

/* --- frames --------------------------------------------------------------- */

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

static void take_parts(struct uns_told *told, struct uns_slice frame,
                       unsigned news)
{
    struct uns_parts parts;

    uns_parts_read(&parts, told->dialect, frame, 0);
    if (uns_told_is_opaque(&parts, news))
        uns_told_give_up(told, "opaque");
    told->proven |= (news & UNS_NEWS_STRUCTURAL) != 0;
    uns_told_note(told, &parts, frame);
    /* What was given up has no strand that the next text could go to. */
    if (!told->off && !(news & (UNS_NEWS_FINISH | UNS_NEWS_END)))
        uns_told_pattern_keep(&told->pattern, &told->stream, &parts, frame);
}

/* False: it is an error. */
static bool take_frame(struct uns_told *told, struct uns_slice frame)
{
    unsigned news = uns_stream_feed(&told->stream, frame.data, frame.len);

    if (news & UNS_NEWS_ERROR)
        return false;
    if (news & UNS_NEWS_EVENT)
        uns_told_pattern_leave(&told->pattern);
    take_parts(told, frame, news);
    return true;
}

/* Takes a frame that the bytes begin with, if it repeats the pattern.  Returns
 * its length; 0: it does not. */
static size_t take_repeat(struct uns_told *told, struct uns_slice bytes)
{
    const struct uns_told_pattern *pattern = &told->pattern;
    size_t len = uns_told_pattern_meet(&told->pattern, &told->stream, bytes);
    struct uns_strand *strand;

    if (len == 0)
        return 0;
    strand = uns_told_strand(told, pattern->key);
    told->answering = strand->answer;
    if (strand->answer)
        told->block = pattern->block;
    if (pattern->digits)
        told->serial = uns_told_number((struct uns_slice){
            bytes.data + pattern->serial_at, pattern->digits});
    uns_told_say(told, strand,
                 (struct uns_slice){bytes.data + pattern->at,
                                    pattern->end - pattern->at});
    return len;
}

/* How many bytes before a frame say nothing: they are taken all at once, lest
 * a server that sends nothing else be looked at again and again.  What stands
 * between an array's elements decides how the next one is passed on. */
static size_t count_blanks(enum uns_cut_kind kind, struct uns_slice bytes)
{
    static const char *const blanks[] = {
        [UNS_CUT_UNKNOWN] = "\r\n\t ",
        [UNS_CUT_EVENTS] = "\r\n",
        [UNS_CUT_LINES] = "\r\n",
        [UNS_CUT_ARRAY] = "",
    };
    struct uns_slice set = uns_slice_of(blanks[kind]);
    size_t at = 0;

    while (at < bytes.len && memchr(set.data, bytes.data[at], set.len))
        at++;
    return at;
}

/* Among server-sent events nothing that is one begins like this; it is how
 * some servers say that they have failed. */
static bool is_bare(const struct uns_told *told, struct uns_slice bytes,
                    size_t at)
{
    return told->cut.kind == UNS_CUT_EVENTS && at < bytes.len &&
           bytes.data[at] == '{';
}

/* Takes what the bytes begin with; `ret_len` of them were a frame, 0: it is
 * not complete.  False: it is an error.  A frame that comes in many pieces is
 * compared with the pattern once, at its end. */
static bool take_next(struct uns_told *told, struct uns_slice bytes,
                      size_t *ret_len)
{
    bool begun = told->cut.at != 0;
    size_t blank;

    *ret_len = begun ? 0 : take_repeat(told, bytes);
    if (*ret_len)
        return true;
    blank = begun ? 0 : count_blanks(told->cut.kind, bytes);
    if (!begun && is_bare(told, bytes, blank))
        return false;
    *ret_len = blank ? blank : uns_cut_next(&told->cut, bytes);
    bytes.len = *ret_len;
    return bytes.len == 0 || (begun && take_repeat(told, bytes) != 0) ||
           take_frame(told, bytes);
}

/* Takes all frames that are complete; `ret_at` is behind them.  False: one
 * begins there that is an error. */
static bool take_frames(struct uns_told *told, struct uns_slice bytes,
                        size_t *ret_at)
{
    size_t at = 0, len = 1;
    bool good = true;

    while (good && len && at < bytes.len) {
        struct uns_slice rest = {bytes.data + at, bytes.len - at};

        good = take_next(told, rest, &len);
        at += good ? len : 0;
    }
    if (!uns_told_pattern_settle(&told->pattern, told->heap))
        uns_told_give_up(told, "no_memory");
    *ret_at = at;
    return good;
}

bool uns_told_is_blank(struct uns_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        if (!memchr(" \t\r\n,", bytes.data[i], 5))
            return false;
    return true;
}

/* An error begins at `at` of the tail, of which the application has got what
 * is before `before`: that must stand before any frame, else there is no going
 * on.  Returns how many bytes it may still get. */
static size_t stop_at(struct uns_told *told, size_t at, size_t before)
{
    struct uns_slice begun = {0};

    told->error = true;
    if (at < before)
        begun = (struct uns_slice){told->tail.data + at, before - at};
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
    told->known = false;
}

/* The tail's frame goes on in the bytes, of which a few are put behind it.
 * Returns how many were heard; what then begins another frame is not, but is
 * found where it is. */
static size_t hear_behind(struct uns_told *told, struct uns_slice bytes)
{
    size_t before = told->tail.len, at;

    if (bytes.len > STEP_BYTES)
        bytes.len = STEP_BYTES;
    uns_told_append(told, &told->tail, bytes);
    if (told->off)
        return bytes.len;
    if (!take_frames(told, uns_run_slice(&told->tail), &at))
        return stop_at(told, at, before);
    if (at == 0)
        return bytes.len;
    told->used -= told->tail.len;
    told->tail.len = 0;
    uns_cut_again(&told->cut);
    return at - before;
}

/* The bytes begin a frame; the last one, which is not complete, is kept. */
static size_t hear_here(struct uns_told *told, struct uns_slice bytes)
{
    size_t at;

    if (!take_frames(told, bytes, &at)) {
        (void)stop_at(told, 0, 0);
        return at;
    }
    uns_told_append(told, &told->tail,
                    (struct uns_slice){bytes.data + at, bytes.len - at});
    return bytes.len;
}

size_t uns_told_hear(struct uns_told *told, const char *bytes, size_t len)
{
    size_t at = 0;

    if (!told->error && !told->off)
        uns_told_take_back(told);
    while (at < len && !told->error && !told->off) {
        struct uns_slice rest = {bytes + at, len - at};

        at += (told->tail.len ? hear_behind : hear_here)(told, rest);
    }
    return told->error ? at : len;
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
