/* SPDX-License-Identifier: MIT */
/* table - keeps all cells, so that the widths are known before the first line
 * is printed. */
#include "table.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS 16
#define SPACE   2 /* between columns */

struct cell {
    char *text;
    enum uns_hue hue;
};

struct uns_table {
    const struct uns_table_column *columns;
    size_t column_count;
    const struct uns_term *term;
    struct cell *cells;
    size_t count, cap;
    bool full; /* no memory: cells would get into wrong columns */
};

/* How it is printed: a width per column, -1 for one that is left out. */
struct layout {
    int width[COLUMNS];
};

struct uns_table *uns_table_new(const struct uns_table_column *columns,
                                size_t count, const struct uns_term *term)
{
    struct uns_table *table =
        count <= COLUMNS ? calloc(1, sizeof *table) : NULL;

    if (table == NULL)
        return NULL;
    table->columns = columns;
    table->column_count = count;
    table->term = term;
    return table;
}

void uns_table_free(struct uns_table *table)
{
    if (table == NULL)
        return;
    for (size_t i = 0; i < table->count; i++)
        free(table->cells[i].text);
    free(table->cells);
    free(table);
}

static bool grow(struct uns_table *table)
{
    size_t cap = table->cap ? table->cap * 2 : 256;
    struct cell *cells = realloc(table->cells, cap * sizeof *cells);

    if (cells == NULL)
        return false;
    table->cells = cells;
    table->cap = cap;
    return true;
}

static bool add(struct uns_table *table, const char *text, enum uns_hue hue)
{
    size_t cap = UNS_TEXT_CLEAN_BYTES(strlen(text));
    char *copy;

    if (table->count == table->cap && !grow(table))
        return false;
    copy = malloc(cap);
    if (copy == NULL)
        return false;
    uns_text_clean(copy, cap, text, table->term->utf8);
    table->cells[table->count++] = (struct cell){copy, hue};
    return true;
}

void uns_table_add(struct uns_table *table, const char *text, enum uns_hue hue)
{
    table->full = table->full || !add(table, text, hue);
}

static int total(const struct uns_table *table, const struct layout *layout)
{
    int sum = -SPACE;

    for (size_t i = 0; i < table->column_count; i++)
        if (layout->width[i] >= 0)
            sum += layout->width[i] + SPACE;
    return sum;
}

static bool says_nothing(const struct cell *cell)
{
    return *cell->text == '\0' || strcmp(cell->text, "-") == 0;
}

/* As wide as its widest cell; left out if it may be and says nothing. */
static int natural_width(const struct uns_table *table, size_t column)
{
    int width = uns_text_columns(table->columns[column].title);
    bool empty = table->columns[column].drop > 0;

    for (size_t i = column; i < table->count; i += table->column_count) {
        int columns = uns_text_columns(table->cells[i].text);

        empty = empty && says_nothing(&table->cells[i]);
        if (columns > width)
            width = columns;
    }
    return empty ? -1 : width;
}

static void natural(const struct uns_table *table, struct layout *layout)
{
    for (size_t i = 0; i < table->column_count; i++)
        layout->width[i] = natural_width(table, i);
}

/* One column off the widest that may be narrowed.  False: there is none. */
static bool narrow(const struct uns_table *table, struct layout *layout)
{
    int *widest = NULL;

    for (size_t i = 0; i < table->column_count; i++) {
        int least = table->columns[i].least;
        int *width = &layout->width[i];

        if (least > 0 && *width > least && (widest == NULL || *width > *widest))
            widest = width;
    }
    if (widest == NULL)
        return false;
    --*widest;
    return true;
}

/* False: all that are left have to stay. */
static bool leave_out(const struct uns_table *table, struct layout *layout)
{
    size_t first = 0;
    int drop = 0;

    for (size_t i = 0; i < table->column_count; i++) {
        if (layout->width[i] < 0 || table->columns[i].drop <= drop)
            continue;
        first = i;
        drop = table->columns[i].drop;
    }
    if (drop == 0)
        return false;
    layout->width[first] = -1;
    return true;
}

/* A column less is better than names that cannot be read, so each is tried
 * with the widths that the columns would like to have. */
static void fit(const struct uns_table *table, struct layout *layout, int width)
{
    struct layout tried = *layout;

    while (total(table, &tried) > width) {
        if (narrow(table, &tried))
            continue;
        if (!leave_out(table, layout))
            break;
        tried = *layout;
    }
    *layout = tried;
}

/* `text` in at most `width` columns; cut, it ends in an ellipsis. */
static void print_text(const struct uns_table *table, FILE *out,
                       const struct cell *cell, int width)
{
    bool hued = table->term->color && cell->hue != UNS_HUE_PLAIN;

    if (hued)
        fputs(uns_term_hue(cell->hue), out);
    if (uns_text_columns(cell->text) <= width)
        fputs(cell->text, out);
    else
        fprintf(out, "%.*s%s", (int)uns_text_fit(cell->text, width - 1),
                cell->text, table->term->utf8 ? "…" : "~");
    if (hued)
        fputs(uns_term_hue(UNS_HUE_PLAIN), out);
}

/* Blanks are kept back until a text follows: no line ends in some. */
static void print_row(const struct uns_table *table,
                      const struct layout *layout, const struct cell *cells,
                      FILE *out)
{
    int blanks = 0;

    for (size_t i = 0; i < table->column_count; i++) {
        int width = layout->width[i];
        int columns = uns_text_columns(cells[i].text);
        int rest = columns < width ? width - columns : 0;
        bool right = table->columns[i].right;

        if (width < 0)
            continue;
        if (columns > 0) {
            fprintf(out, "%*s", blanks + (right ? rest : 0), "");
            print_text(table, out, &cells[i], width);
            blanks = right ? 0 : rest;
        } else {
            blanks += width;
        }
        blanks += SPACE;
    }
    fputc('\n', out);
}

static void print_titles(const struct uns_table *table,
                         const struct layout *layout, FILE *out)
{
    struct cell titles[COLUMNS];
    char text[COLUMNS][32];

    for (size_t i = 0; i < table->column_count; i++) {
        snprintf(text[i], sizeof text[i], "%s", table->columns[i].title);
        titles[i] = (struct cell){text[i], UNS_HUE_DIM};
    }
    print_row(table, layout, titles, out);
}

void uns_table_print(const struct uns_table *table, FILE *out)
{
    struct layout layout;

    natural(table, &layout);
    if (table->term->width > 0)
        fit(table, &layout, table->term->width);
    print_titles(table, &layout, out);
    for (size_t i = 0; i + table->column_count <= table->count;
         i += table->column_count)
        print_row(table, &layout, table->cells + i, out);
}
