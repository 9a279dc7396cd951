/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_DRAW_ROW_H
#define UNS_CLI_DRAW_ROW_H

/* draw_row - one attempt as cells, a column of the axis each. */

#include "engine/store.h"

#include <stdbool.h>

enum uns_draw_mark {
    UNS_DRAW_BLANK,
    UNS_DRAW_WAIT,    /* it runs; nothing comes in this column */
    UNS_DRAW_CONTENT, /* content chunks, by number */
    UNS_DRAW_UNSEEN,  /* content, of which no moments were kept */
    UNS_DRAW_ALIVE,   /* keepalives, structural events */
    UNS_DRAW_STALL,
    UNS_DRAW_STALL_ALIVE, /* in a stall */
    UNS_DRAW_SILENT,      /* silence that nothing ended */
    UNS_DRAW_PAUSED,
    UNS_DRAW_START,
    UNS_DRAW_END,
    UNS_DRAW_CANCELLED,
    UNS_DRAW_FAILED,
    UNS_DRAW_KILLED,     /* its process was */
    UNS_DRAW_LOST_SIGHT, /* no end is known: the process died */
    UNS_DRAW_MARKS
};

struct uns_draw_cell {
    enum uns_draw_mark mark;
    char letter;   /* of a length that is written in; '\0': none */
    double chunks; /* that arrived in this column */
};

struct uns_draw_axis {
    uns_ns total_ns; /* over 0 */
    int columns;     /* a row has one cell more, for the end */
};

/* The column of a moment of the call. */
int uns_draw_column(const struct uns_draw_axis *axis, uns_ns at_ns);

/* From the begin of the call to the attempt's start, and to its end or the
 * last that is known of it. */
uns_ns uns_draw_start(const struct uns_attempt_record *attempt);
uns_ns uns_draw_end(const struct uns_entry *entry, unsigned i);

/* To the last of these ends; 0: nothing has a length. */
uns_ns uns_draw_total(const struct uns_entry *entry);

/* Attempt `i` into axis->columns + 1 blank cells. */
void uns_draw_attempt(const struct uns_entry *entry, unsigned i,
                      const struct uns_draw_axis *axis,
                      struct uns_draw_cell *cells);

#endif
