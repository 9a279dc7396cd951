/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_TABLE_H
#define UNS_CLI_TABLE_H

/*
 * table - rows of texts in aligned columns.  When they are wider than the
 * terminal, columns that can are narrowed, then the least needed left out.
 */

#include "term.h"

#include <stddef.h>

struct uns_table_column {
    const char *title;
    bool right; /* numbers */
    int least;  /* may be narrowed to that many columns; 0: never */
    int drop;   /* left out first: the highest; 0: never.  Left out in any
                   case when no row says more than "-" there */
};

struct uns_table;

/* `columns` and `term` are borrowed; a width of 0 narrows nothing.  NULL: no
 * memory. */
struct uns_table *uns_table_new(const struct uns_table_column *columns,
                                size_t count, const struct uns_term *term);
void uns_table_free(struct uns_table *table);

/* The next cell, row by row; `text` is cleaned (text.h) and copied.  When
 * memory ends, so does the table, with its last whole row. */
void uns_table_add(struct uns_table *table, const char *text, enum uns_hue hue);

/* A title line and the rows. */
void uns_table_print(const struct uns_table *table, FILE *out);

#endif
