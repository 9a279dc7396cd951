/* SPDX-License-Identifier: MIT */
/*
 * svg_call - runs of equal cells become rectangles.  Stalls do not come from
 * cells: each is drawn from its own moment, with its length, so that none is
 * too short to be there.
 */
#include "svg_call.h"

#include "core/timeline.h"
#include "draw_tick.h"
#include "svg.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS    480
#define TICK_SPACE 72 /* columns: ticks stand apart on a telephone, too */
#define AXIS       20 /* pixels above the first row */
#define ROW        46
#define BAR_TOP    20 /* in a row */
#define BAR        18
#define TRACK      2
#define LEVELS     6 /* heights of content */
#define LEGEND     26
#define WIDTH      960  /* of a document */
#define LEAST      0.25 /* per cent that a stall is wide, at least */
#define ROOM       11.0 /* per cent that its length needs, written in */

struct canvas {
    const struct uns_entry *entry;
    struct uns_draw_axis axis;
    struct uns_draw_cell *cells; /* COLUMNS + 1 for each attempt */
    double most;                 /* chunks in any one */
    FILE *out;
};

/* Cells that are drawn alike. */
struct run {
    enum uns_draw_mark mark;
    int level, from, to;
};

static const struct {
    const char *look;
    int top, height; /* in the bar */
} looks[UNS_DRAW_MARKS] = {
    [UNS_DRAW_UNSEEN] = {"unseen", 0,               BAR      },
    [UNS_DRAW_ALIVE] = {"wait",   BAR / 2 - TRACK, 3 * TRACK},
    [UNS_DRAW_SILENT] = {"silent", 0,               BAR      },
    [UNS_DRAW_PAUSED] = {"warn",   BAR / 2 - TRACK, 3 * TRACK},
};

const struct uns_svg_meaning uns_svg_call_meanings[] = {
    {"good",   "content"              },
    {"stall",  "stall"                },
    {"silent", "silent to the end"    },
    {"wait",   "waiting, or keepalive"},
    {"warn",   "paused by the program"},
    {NULL,     NULL                   },
};

static double percent(const struct canvas *canvas, uns_ns at_ns)
{
    double part = (double)at_ns / (double)canvas->axis.total_ns;

    if (part < 0)
        return 0;
    return part < 1 ? part * 100 : 100;
}

static int level_of(const struct canvas *canvas,
                    const struct uns_draw_cell *cell)
{
    int level = (int)(cell->chunks / canvas->most * LEVELS) + 1;

    if (cell->mark != UNS_DRAW_CONTENT)
        return 0;
    return level < LEVELS ? level : LEVELS;
}

static void draw_run(const struct canvas *canvas, const struct run *run,
                     double top)
{
    struct uns_svg_box box = {
        .x = 100.0 * run->from / COLUMNS,
        .y = top + looks[run->mark].top,
        .width = 100.0 * (run->to - run->from) / COLUMNS,
        .height = looks[run->mark].height,
    };

    if (run->mark == UNS_DRAW_CONTENT) {
        box.height = BAR * run->level / (double)LEVELS;
        box.y = top + BAR - box.height;
        uns_svg_rect(canvas->out, &box, "good", NULL);
    } else if (looks[run->mark].look != NULL) {
        uns_svg_rect(canvas->out, &box, looks[run->mark].look, NULL);
    }
}

static void draw_cells(const struct canvas *canvas, unsigned i, double top)
{
    const struct uns_draw_cell *cells =
        canvas->cells + (size_t)(COLUMNS + 1) * i;
    struct run run = {UNS_DRAW_BLANK, 0, 0, 0};

    for (int c = 0; c < COLUMNS; c++) {
        int level = level_of(canvas, &cells[c]);

        if (cells[c].mark != run.mark || level != run.level) {
            draw_run(canvas, &run, top);
            run = (struct run){cells[c].mark, level, c, c};
        }
        run.to = c + 1;
    }
    draw_run(canvas, &run, top);
}

static void draw_stall(const struct canvas *canvas, uns_ns from_ns,
                       uns_ns to_ns, double top)
{
    struct uns_svg_box box = {
        .x = percent(canvas, from_ns), .y = top, .height = BAR};
    char ms[UNS_TEXT_TIME], title[UNS_TEXT_TIME + sizeof "stall of "];

    box.width = percent(canvas, to_ns) - box.x;
    if (box.width < LEAST)
        box.width = LEAST;
    uns_text_ms(ms, (to_ns - from_ns) / UNS_MS);
    snprintf(title, sizeof title, "stall of %s", ms);
    uns_svg_rect(canvas->out, &box, "stall", title);
    if (box.width >= ROOM)
        uns_svg_label(canvas->out, box.x + box.width / 2, top + BAR - 5, "loud",
                      ms);
}

static void draw_stalls(const struct canvas *canvas, unsigned i, double top)
{
    const struct uns_entry *entry = canvas->entry;
    uns_ns start_ns = uns_draw_start(&entry->attempt[i]);
    struct uns_moment moment = {0};

    for (size_t at = 0;
         entry->timeline[i].data != NULL &&
         uns_timeline_next(entry->timeline[i].data, entry->timeline[i].len, &at,
                           &moment);)
        if (moment.mark == UNS_MARK_CHUNK &&
            moment.gap_ns > entry->stall_threshold_ns)
            draw_stall(canvas, start_ns + moment.at_ns - moment.gap_ns,
                       start_ns + moment.at_ns, top);
}

static const char *end_look(const char *outcome)
{
    if (strcmp(outcome, "won") == 0)
        return "end-good";
    return strcmp(outcome, "failed") == 0 ? "end-bad" : "end-warn";
}

static void draw_name(const struct canvas *canvas, unsigned i, double y)
{
    const struct uns_attempt_record *attempt = &canvas->entry->attempt[i];
    bool won = attempt->seq == canvas->entry->call.winner;
    char text[256], ms[UNS_TEXT_TIME];

    snprintf(text, sizeof text, "%s%u %s: %s%s%s", won ? "* " : "", i,
             attempt->source, attempt->outcome,
             attempt->ttft_ms == UNS_NULL ? "" : ", first token after ",
             attempt->ttft_ms == UNS_NULL ? ""
                                          : uns_text_ms(ms, attempt->ttft_ms));
    uns_svg_label(canvas->out, 0, y, won ? "won" : "name", text);
}

static void draw_row(const struct canvas *canvas, unsigned i)
{
    const struct uns_attempt_record *attempt = &canvas->entry->attempt[i];
    double top = AXIS + (double)ROW * i + BAR_TOP;
    double from = percent(canvas, uns_draw_start(attempt));
    double to = percent(canvas, uns_draw_end(canvas->entry, i));
    const struct uns_svg_box track = {from, top + (BAR - TRACK) / 2.0,
                                      to - from, TRACK};

    draw_name(canvas, i, top - 6);
    uns_svg_rect(canvas->out, &track, "wait", NULL);
    draw_cells(canvas, i, top);
    draw_stalls(canvas, i, top);
    uns_svg_rule(canvas->out, from, top, BAR, "end-good");
    uns_svg_rule(canvas->out, to, top, BAR, end_look(attempt->outcome));
}

/* The last tick may have no room for its text. */
static void draw_axis(const struct canvas *canvas)
{
    int64_t step_ms = uns_draw_tick_step(&canvas->axis, TICK_SPACE);
    double height = (double)ROW * canvas->entry->attempts;

    for (int64_t ms = 0; ms * UNS_MS <= canvas->axis.total_ns; ms += step_ms) {
        double x = percent(canvas, ms * UNS_MS);
        char text[UNS_TEXT_TIME];

        uns_draw_tick_text(text, ms, step_ms);
        uns_svg_rule(canvas->out, x, AXIS, height, "grid");
        if (x < 90)
            uns_svg_label(canvas->out, x, AXIS - 6, "tick", text);
    }
}

static bool fill(struct canvas *canvas)
{
    size_t columns = (size_t)canvas->axis.columns + 1;
    size_t count = columns * canvas->entry->attempts;

    canvas->cells = calloc(count, sizeof *canvas->cells);
    if (canvas->cells == NULL)
        return false;
    for (unsigned i = 0; i < canvas->entry->attempts; i++)
        uns_draw_attempt(canvas->entry, i, &canvas->axis,
                         canvas->cells + columns * i);
    canvas->most = 1;
    for (size_t i = 0; i < count; i++)
        if (canvas->cells[i].chunks > canvas->most)
            canvas->most = canvas->cells[i].chunks;
    return true;
}

static int height_of(const struct uns_entry *entry)
{
    return AXIS + ROW * (int)entry->attempts;
}

static bool draw(const struct uns_entry *entry, FILE *out)
{
    struct canvas canvas = {
        .entry = entry,
        .axis = {uns_draw_total(entry), COLUMNS},
        .out = out,
    };

    if (canvas.axis.total_ns == 0)
        return true;
    if (!fill(&canvas))
        return false;
    draw_axis(&canvas);
    for (unsigned i = 0; i < entry->attempts; i++)
        draw_row(&canvas, i);
    free(canvas.cells);
    return true;
}

static void put_title(FILE *out, const char *name)
{
    fputs("<title>", out);
    uns_svg_text(out, name);
    fputs("</title>\n", out);
}

bool uns_svg_call(const struct uns_entry *entry, const char *name, FILE *out)
{
    bool drawn;

    fprintf(out,
            "<svg role=\"img\" width=\"100%%\" height=\"%d\" aria-label=\"",
            height_of(entry));
    uns_svg_text(out, name);
    fputs("\">\n", out);
    drawn = draw(entry, out);
    fputs("</svg>\n", out);
    return drawn;
}

static void put_legend(FILE *out, int y)
{
    const double swatch = 1.5;
    double x = 0;

    for (int i = 0; uns_svg_call_meanings[i].look != NULL; i++) {
        const struct uns_svg_meaning *row = &uns_svg_call_meanings[i];

        uns_svg_rect(out, &(struct uns_svg_box){x, y, swatch, 12}, row->look,
                     NULL);
        uns_svg_label(out, x + swatch + 0.6, y + 10, "tick", row->meaning);
        x += 6 + 0.75 * (double)strlen(row->meaning);
    }
}

bool uns_svg_call_document(const struct uns_entry *entry, const char *name,
                           FILE *out)
{
    const int margin = 16, head = 24;
    int height = height_of(entry);
    bool drawn;

    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\""
            " width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n",
            WIDTH, height + head + LEGEND + 2 * margin, WIDTH,
            height + head + LEGEND + 2 * margin);
    put_title(out, name);
    fprintf(out,
            "<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\""
            " class=\"page\"/>\n"
            "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">\n",
            uns_svg_style, margin, margin, WIDTH - 2 * margin,
            height + head + LEGEND);
    uns_svg_label(out, 0, 12, "name", name);
    fprintf(out, "<svg y=\"%d\" width=\"100%%\" height=\"%d\">\n", head,
            height);
    drawn = draw(entry, out);
    fputs("</svg>\n", out);
    put_legend(out, head + height + 8);
    fputs("</svg>\n</svg>\n", out);
    return drawn;
}
