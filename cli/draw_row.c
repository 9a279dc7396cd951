/* SPDX-License-Identifier: MIT */
/*
 * draw_row - paints an attempt in layers: that it runs, what came, where
 * nothing came, how it began and ended.  Later layers cover earlier ones; a
 * stall is never covered by content, however short it is on the axis.
 */
#include "draw_row.h"

#include "core/timeline.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* A hundred days: whatever a damaged file says, sums do not overflow. */
#define LONGEST_NS (INT64_C(8640000) * UNS_S)

/* Shorter silence at the end of an attempt is not worth a word. */
#define SILENT_NS UNS_S

struct row {
    const struct uns_entry *entry;
    unsigned i;
    const struct uns_draw_axis *axis;
    struct uns_draw_cell *cells;
    uns_ns start_ns, end_ns;
};

int uns_draw_column(const struct uns_draw_axis *axis, uns_ns at_ns)
{
    double part = (double)at_ns / (double)axis->total_ns;

    if (part < 0)
        return 0;
    return part < 1 ? (int)(part * (axis->columns - 1)) : axis->columns - 1;
}

static uns_ns sane(uns_ns ns)
{
    if (ns < 0)
        return 0;
    return ns < LONGEST_NS ? ns : LONGEST_NS;
}

/* 0 when it is not known: UNS_NULL is less than 0, too. */
static uns_ns known(int64_t ms)
{
    if (ms < 0)
        return 0;
    return ms < LONGEST_NS / UNS_MS ? ms * UNS_MS : LONGEST_NS;
}

static uns_ns end_of(const struct uns_moment *moment)
{
    return sane(moment->at_ns) + sane(moment->span_ns);
}

uns_ns uns_draw_start(const struct uns_attempt_record *attempt)
{
    return known(attempt->started_ms);
}

/* Goes through the timeline of attempt `i`: start with *at = 0. */
static bool next_moment(const struct uns_entry *entry, unsigned i, size_t *at,
                        struct uns_moment *moment)
{
    return entry->timeline[i].data != NULL &&
           uns_timeline_next(entry->timeline[i].data, entry->timeline[i].len,
                             at, moment);
}

uns_ns uns_draw_end(const struct uns_entry *entry, unsigned i)
{
    uns_ns end_ns = known(entry->attempt[i].wall_ms);
    struct uns_moment moment = {0};

    for (size_t at = 0; next_moment(entry, i, &at, &moment);)
        if (end_of(&moment) > end_ns)
            end_ns = end_of(&moment);
    return uns_draw_start(&entry->attempt[i]) + end_ns;
}

uns_ns uns_draw_total(const struct uns_entry *entry)
{
    uns_ns total_ns = 0;

    for (unsigned i = 0; i < entry->attempts; i++) {
        uns_ns end_ns = uns_draw_end(entry, i);

        if (end_ns > total_ns)
            total_ns = end_ns;
    }
    return total_ns;
}

/* A moment of the attempt. */
static int column(const struct row *row, uns_ns at_ns)
{
    return uns_draw_column(row->axis, row->start_ns + sane(at_ns));
}

static void paint(const struct row *row, int from, int to,
                  enum uns_draw_mark mark)
{
    for (int i = from; i <= to; i++)
        row->cells[i].mark = mark;
}

/* `text` in the middle of from..to, with two marks left at both sides. */
static void write_in(const struct row *row, int from, int to, const char *text)
{
    int len = (int)strlen(text);
    int at = from + (to - from + 1 - len) / 2;

    if (at < from + 2)
        return;
    row->cells[at - 1].letter = row->cells[at + len].letter = ' ';
    for (int i = 0; i < len; i++)
        row->cells[at + i].letter = text[i];
}

/* Merged chunks are spread over the time that they took. */
static void count_chunks(const struct row *row, const struct uns_moment *moment)
{
    int from = column(row, moment->at_ns);
    int to = column(row, end_of(moment));

    for (int i = from; i <= to; i++)
        row->cells[i].chunks += (double)moment->count / (to - from + 1);
    paint(row, from, to, UNS_DRAW_CONTENT);
}

/* The columns between the chunks before and after the gap; if there are none,
 * the one in which it begins. */
static void paint_stall(const struct row *row, const struct uns_moment *moment)
{
    int from = column(row, sane(moment->at_ns - sane(moment->gap_ns))) + 1;
    int to = column(row, moment->at_ns) - 1;
    char text[UNS_TEXT_TIME];

    if (from > to)
        to = --from;
    paint(row, from, to, UNS_DRAW_STALL);
    write_in(row, from, to, uns_text_ms(text, moment->gap_ns / UNS_MS));
}

static void paint_alive(const struct row *row, const struct uns_moment *moment)
{
    int to = column(row, end_of(moment));

    for (int i = column(row, moment->at_ns); i <= to; i++) {
        enum uns_draw_mark *mark = &row->cells[i].mark;

        if (row->cells[i].letter != '\0')
            continue;
        if (*mark == UNS_DRAW_WAIT)
            *mark = UNS_DRAW_ALIVE;
        else if (*mark == UNS_DRAW_STALL)
            *mark = UNS_DRAW_STALL_ALIVE;
    }
}

static void paint_pause(const struct row *row, const struct uns_moment *moment)
{
    paint(row, column(row, moment->at_ns), column(row, end_of(moment)),
          UNS_DRAW_PAUSED);
}

static bool is_stall(const struct row *row, const struct uns_moment *moment)
{
    return moment->mark == UNS_MARK_CHUNK &&
           moment->gap_ns > row->entry->stall_threshold_ns;
}

/* One layer: `paint_one` for the moments with that mark. */
static void each(const struct row *row, enum uns_mark mark,
                 void (*paint_one)(const struct row *,
                                   const struct uns_moment *))
{
    struct uns_moment moment = {0};

    for (size_t at = 0; next_moment(row->entry, row->i, &at, &moment);)
        if (moment.mark == mark)
            paint_one(row, &moment);
}

static void paint_if_stall(const struct row *row,
                           const struct uns_moment *moment)
{
    if (is_stall(row, moment))
        paint_stall(row, moment);
}

/* No moments were kept: from the first token to the last, by the record. */
static void paint_unseen(const struct row *row)
{
    const struct uns_attempt_record *attempt = &row->entry->attempt[row->i];
    uns_ns first_ns = known(attempt->ttft_ms);

    if (attempt->ttft_ms == UNS_NULL)
        return;
    paint(row, column(row, first_ns),
          column(row, first_ns + known(attempt->generation_ms)),
          UNS_DRAW_UNSEEN);
}

static enum uns_draw_mark end_mark(const struct uns_attempt_record *attempt)
{
    static const struct {
        const char *outcome;
        enum uns_draw_mark mark;
    } ends[] = {
        {"won",             UNS_DRAW_END      },
        {"lost",            UNS_DRAW_END      },
        {"hedge_cancelled", UNS_DRAW_CANCELLED},
        {"diverged",        UNS_DRAW_CANCELLED},
        {"shadow",          UNS_DRAW_END      },
        {"failed",          UNS_DRAW_FAILED   },
        {"killed",          UNS_DRAW_KILLED   },
    };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strcmp(attempt->outcome, ends[i].outcome) == 0)
            return ends[i].mark;
    return attempt->wall_ms == UNS_NULL ? UNS_DRAW_LOST_SIGHT : UNS_DRAW_END;
}

/* When the last content came, or -1. */
static uns_ns last_content(const struct row *row)
{
    struct uns_moment moment = {0};
    uns_ns last_ns = -1;

    for (size_t at = 0; next_moment(row->entry, row->i, &at, &moment);)
        if (moment.mark == UNS_MARK_CHUNK)
            last_ns = end_of(&moment);
    return last_ns;
}

#define TIMED_OUT 28 /* CURLE_OPERATION_TIMEDOUT */

/* Between the last content and an end that was made from outside; all of it
 * when a kill or a time limit ended the wait for content. */
static void paint_silence(const struct row *row, enum uns_draw_mark end)
{
    bool timed_out = row->entry->attempt[row->i].curl_code == TIMED_OUT;
    bool whole = end == UNS_DRAW_KILLED || timed_out;
    uns_ns content_ns = last_content(row);
    uns_ns last_ns = content_ns < 0 && whole ? 0 : content_ns;
    uns_ns silent_ns = row->end_ns - row->start_ns - last_ns;
    int from = column(row, last_ns) + 1;
    int to = uns_draw_column(row->axis, row->end_ns) - 1;
    char ms[UNS_TEXT_TIME], text[UNS_TEXT_TIME + sizeof " silent"];

    if ((end == UNS_DRAW_END && !timed_out) || last_ns < 0 ||
        silent_ns < SILENT_NS)
        return;
    for (int i = from; i <= to; i++)
        if (row->cells[i].mark == UNS_DRAW_WAIT)
            row->cells[i].mark = UNS_DRAW_SILENT;
    snprintf(text, sizeof text, "%s silent",
             uns_text_ms(ms, silent_ns / UNS_MS));
    write_in(row, from, to, text);
}

static void paint_ends(const struct row *row, enum uns_draw_mark end)
{
    int last = uns_draw_column(row->axis, row->end_ns);
    enum uns_draw_mark mark = row->cells[last].mark;

    if (mark == UNS_DRAW_CONTENT || mark == UNS_DRAW_STALL)
        last++;
    row->cells[uns_draw_column(row->axis, row->start_ns)].mark = UNS_DRAW_START;
    row->cells[last].mark = end;
}

void uns_draw_attempt(const struct uns_entry *entry, unsigned i,
                      const struct uns_draw_axis *axis,
                      struct uns_draw_cell *cells)
{
    const struct row row = {
        .entry = entry,
        .i = i,
        .axis = axis,
        .cells = cells,
        .start_ns = uns_draw_start(&entry->attempt[i]),
        .end_ns = uns_draw_end(entry, i),
    };
    enum uns_draw_mark end = end_mark(&entry->attempt[i]);

    paint(&row, uns_draw_column(axis, row.start_ns),
          uns_draw_column(axis, row.end_ns), UNS_DRAW_WAIT);
    if (entry->timeline[i].data == NULL)
        paint_unseen(&row);
    each(&row, UNS_MARK_CHUNK, count_chunks);
    each(&row, UNS_MARK_PAUSE, paint_pause);
    each(&row, UNS_MARK_CHUNK, paint_if_stall);
    each(&row, UNS_MARK_OTHER, paint_alive);
    each(&row, UNS_MARK_STRUCTURAL, paint_alive);
    paint_silence(&row, end);
    paint_ends(&row, end);
}
