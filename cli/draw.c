/* SPDX-License-Identifier: MIT */
/*
 * draw - the axis, the labels and the marks; draw_row fills the cells.  All
 * rows are filled before the first is printed, since they share one measure
 * of density.
 */
#include "draw.h"

#include "draw_row.h"
#include "draw_tick.h"
#include "term.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LABEL      16 /* "* 0 source name " */
#define LINE_BYTES (UNS_DRAW_WIDTH_MAX * 12)
#define TICK_SPACE 9 /* columns from tick to tick, at least */

/* clang-format off */
static const struct look {
    const char *utf8, *ascii;
    enum uns_hue hue;
    const char *meaning; /* NULL: needs none */
} looks[UNS_DRAW_MARKS] = {
    [UNS_DRAW_BLANK]       = {" ", " ",  UNS_HUE_PLAIN, NULL},
    [UNS_DRAW_WAIT]        = {"─", "-",  UNS_HUE_DIM,   NULL},
    [UNS_DRAW_CONTENT]     = {"▅", "+",  UNS_HUE_GOOD,  "content"},
    [UNS_DRAW_UNSEEN]      = {"▒", "%",  UNS_HUE_GOOD,
                              "content, moments not kept"},
    [UNS_DRAW_ALIVE]       = {"˙", "'",  UNS_HUE_DIM,   "keepalive"},
    [UNS_DRAW_STALL]       = {"~", "~",  UNS_HUE_BAD,   "stall"},
    [UNS_DRAW_STALL_ALIVE] = {"≈", "=",  UNS_HUE_BAD,   "stall, kept alive"},
    [UNS_DRAW_SILENT]      = {"·", ".",  UNS_HUE_WARN,  "silent to the end"},
    [UNS_DRAW_PAUSED]      = {"‖", "\"", UNS_HUE_WARN,
                              "paused by the program"},
    [UNS_DRAW_START]       = {"├", "[",  UNS_HUE_BOLD,  NULL},
    [UNS_DRAW_END]         = {"┤", "]",  UNS_HUE_BOLD,  NULL},
    [UNS_DRAW_CANCELLED]   = {"✕", "x",  UNS_HUE_WARN,  "cancelled"},
    [UNS_DRAW_FAILED]      = {"!", "!",  UNS_HUE_BAD,   "failed"},
    [UNS_DRAW_KILLED]      = {"†", "k",  UNS_HUE_BAD,   "process killed"},
    [UNS_DRAW_LOST_SIGHT]  = {"?", "?",  UNS_HUE_WARN,  "end not known"},
};

/* clang-format on */

static const char *const density_utf8[] = {"▁", "▂", "▃", "▄",
                                           "▅", "▆", "▇", "█"};
static const char *const density_ascii[] = {":", ":", "+", "+",
                                            "*", "*", "#", "#"};
#define LEVELS 8

struct canvas {
    const struct uns_entry *entry;
    const struct uns_draw *draw;
    struct uns_draw_axis axis;
    struct uns_draw_cell *cells; /* axis.columns + 1 for each attempt */
    double most;                 /* chunks in any one column */
    uns_draw_line_fn *emit;
    void *arg;
};

/* A line being built; what does not fit is not in it. */
struct line {
    char text[LINE_BYTES];
    size_t len;
    enum uns_hue hue;
    bool color;
};

static void put(struct line *line, const char *text)
{
    size_t len = strlen(text);

    if (line->len + len >= sizeof line->text)
        return;
    memcpy(line->text + line->len, text, len + 1);
    line->len += len;
}

static void put_blanks(struct line *line, int count)
{
    while (count-- > 0)
        put(line, " ");
}

static void set_hue(struct line *line, enum uns_hue hue)
{
    if (!line->color || line->hue == hue)
        return;
    if (line->hue != UNS_HUE_PLAIN)
        put(line, uns_term_hue(UNS_HUE_PLAIN));
    if (hue != UNS_HUE_PLAIN)
        put(line, uns_term_hue(hue));
    line->hue = hue;
}

static struct line begin_line(const struct canvas *canvas)
{
    return (struct line){.color = canvas->draw->color};
}

static void end_line(const struct canvas *canvas, struct line *line)
{
    set_hue(line, UNS_HUE_PLAIN);
    while (line->len > 0 && line->text[line->len - 1] == ' ')
        line->text[--line->len] = '\0';
    canvas->emit(canvas->arg, line->text);
}

static void draw_tick_texts(const struct canvas *canvas, int64_t step_ms)
{
    const struct uns_draw_axis *axis = &canvas->axis;
    struct line line = begin_line(canvas);
    int64_t ms = 0;
    int used = 0;

    put_blanks(&line, LABEL);
    set_hue(&line, UNS_HUE_DIM);
    for (; ms * UNS_MS <= axis->total_ns; ms += step_ms) {
        int at = uns_draw_column(axis, ms * UNS_MS);
        char text[UNS_TEXT_TIME];

        uns_draw_tick_text(text, ms, step_ms);
        if (at + (int)strlen(text) > axis->columns + 1)
            break;
        put_blanks(&line, at - used);
        put(&line, text);
        used = at + (int)strlen(text);
    }
    end_line(canvas, &line);
}

static const char *ruler_look(bool utf8, bool tick, bool first)
{
    if (!utf8)
        return tick ? "+" : "-";
    if (!tick)
        return "─";
    return first ? "└" : "┴";
}

static void draw_ruler(const struct canvas *canvas, int64_t step_ms)
{
    const struct uns_draw_axis *axis = &canvas->axis;
    struct line line = begin_line(canvas);
    int64_t ms = 0;

    put_blanks(&line, LABEL);
    set_hue(&line, UNS_HUE_DIM);
    for (int i = 0; i <= axis->columns; i++) {
        bool tick = ms * UNS_MS <= axis->total_ns &&
                    uns_draw_column(axis, ms * UNS_MS) == i;

        put(&line, ruler_look(canvas->draw->utf8, tick, i == 0));
        ms += tick ? step_ms : 0;
    }
    end_line(canvas, &line);
}

static const char *look_of(const struct canvas *canvas,
                           const struct uns_draw_cell *cell, char letter[2])
{
    bool utf8 = canvas->draw->utf8;
    int level;

    letter[0] = cell->letter;
    letter[1] = '\0';
    if (cell->letter != '\0')
        return letter;
    if (cell->mark != UNS_DRAW_CONTENT)
        return utf8 ? looks[cell->mark].utf8 : looks[cell->mark].ascii;
    level = (int)(cell->chunks / canvas->most * LEVELS);
    if (level >= LEVELS)
        level = LEVELS - 1;
    return utf8 ? density_utf8[level] : density_ascii[level];
}

static void put_label(struct line *line, const struct canvas *canvas,
                      unsigned i)
{
    const struct uns_attempt_record *attempt = &canvas->entry->attempt[i];
    bool winner = attempt->seq == canvas->entry->call.winner;
    char clean[UNS_TEXT_CLEAN_BYTES(sizeof attempt->source)];
    char label[sizeof clean + 32];
    int columns;

    uns_text_clean(clean, sizeof clean, attempt->source, canvas->draw->utf8);
    snprintf(label, sizeof label, "%c %u %s", winner ? '*' : ' ', i, clean);
    label[uns_text_fit(label, LABEL - 1)] = '\0';
    columns = uns_text_columns(label);
    set_hue(line, winner ? UNS_HUE_GOOD : UNS_HUE_PLAIN);
    put(line, label);
    put_blanks(line, LABEL - columns);
}

static void draw_attempt(const struct canvas *canvas, unsigned i)
{
    const struct uns_draw_cell *cells =
        canvas->cells + (size_t)(canvas->axis.columns + 1) * i;
    struct line line = begin_line(canvas);

    put_label(&line, canvas, i);
    for (int c = 0; c <= canvas->axis.columns; c++) {
        char letter[2];

        set_hue(&line, looks[cells[c].mark].hue);
        put(&line, look_of(canvas, &cells[c], letter));
    }
    end_line(canvas, &line);
}

static bool occurs(const struct canvas *canvas, enum uns_draw_mark mark)
{
    size_t count = (size_t)(canvas->axis.columns + 1) * canvas->entry->attempts;

    for (size_t i = 0; i < count; i++)
        if (canvas->cells[i].mark == mark)
            return true;
    return false;
}

/* "~ stall   x cancelled", in as many lines as it takes. */
static void draw_meanings(const struct canvas *canvas)
{
    const int left = canvas->draw->width - LABEL;
    struct line line = begin_line(canvas);
    int used = 0;

    for (unsigned mark = 0; mark < UNS_DRAW_MARKS; mark++) {
        const struct look *look = &looks[mark];
        int columns;

        if (look->meaning == NULL || !occurs(canvas, mark))
            continue;
        columns = (int)strlen(look->meaning) + 5;
        if (used > 0 && used + columns > left) {
            end_line(canvas, &line);
            line = begin_line(canvas);
            used = 0;
        }
        put_blanks(&line, used ? 3 : LABEL);
        set_hue(&line, look->hue);
        put(&line, canvas->draw->utf8 ? look->utf8 : look->ascii);
        set_hue(&line, UNS_HUE_DIM);
        put(&line, " ");
        put(&line, look->meaning);
        used += columns;
    }
    if (used > 0)
        end_line(canvas, &line);
}

static void fill(struct canvas *canvas)
{
    size_t columns = (size_t)canvas->axis.columns + 1;

    for (unsigned i = 0; i < canvas->entry->attempts; i++)
        uns_draw_attempt(canvas->entry, i, &canvas->axis,
                         canvas->cells + columns * i);
    canvas->most = 1;
    for (size_t i = 0; i < columns * canvas->entry->attempts; i++)
        if (canvas->cells[i].chunks > canvas->most)
            canvas->most = canvas->cells[i].chunks;
}

static int between(int value, int least, int most)
{
    if (value < least)
        return least;
    return value < most ? value : most;
}

bool uns_draw_call(const struct uns_entry *entry, const struct uns_draw *draw,
                   uns_draw_line_fn *line, void *arg)
{
    struct uns_draw limited = *draw;
    struct canvas canvas = {
        .entry = entry, .draw = &limited, .emit = line, .arg = arg};
    int64_t step_ms;

    limited.width =
        between(draw->width, UNS_DRAW_WIDTH_MIN, UNS_DRAW_WIDTH_MAX);
    canvas.axis.total_ns = uns_draw_total(entry);
    canvas.axis.columns = limited.width - LABEL - 1;
    if (canvas.axis.total_ns == 0)
        return true;
    canvas.cells = calloc((size_t)(canvas.axis.columns + 1) * entry->attempts,
                          sizeof *canvas.cells);
    if (canvas.cells == NULL)
        return false;
    fill(&canvas);
    step_ms = uns_draw_tick_step(&canvas.axis, TICK_SPACE);
    draw_tick_texts(&canvas, step_ms);
    draw_ruler(&canvas, step_ms);
    for (unsigned i = 0; i < entry->attempts; i++)
        draw_attempt(&canvas, i);
    draw_meanings(&canvas);
    free(canvas.cells);
    return true;
}
