/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_DRAW_H
#define UNS_CLI_DRAW_H

/*
 * draw - the attempts of a call as lines of text on one axis of time.  Pure:
 * an entry in, lines out; it asks neither clock nor terminal.
 *
 *              0 s          2 s          4 s          6 s          8 s
 *              └────────────┴────────────┴────────────┴────────────┴──
 *       0 self ├────▂▅▇▇▆▅▂▃▇▇▁···········5.70 s silent ········✕
 *     * 1 backup                                        ├───▃▇▇▇▇▇▇▆▇┤
 *
 * What is drawn is what was measured: `~` is a stall by its definition (a gap
 * that the next chunk ended); silence that nothing ended is drawn apart.
 */

#include "engine/store.h"

#include <stdbool.h>

#define UNS_DRAW_WIDTH_MIN 40
#define UNS_DRAW_WIDTH_MAX 500

struct uns_draw {
    int width; /* columns; brought between the limits above */
    bool utf8; /* else ASCII alone */
    bool color;
};

typedef void uns_draw_line_fn(void *arg, const char *line);

/* Calls `line` for each, without newline: two of the axis, one per attempt,
 * and what the marks mean that occur in them.  None for a call without
 * attempts or without any length.  False: no memory. */
bool uns_draw_call(const struct uns_entry *entry, const struct uns_draw *draw,
                   uns_draw_line_fn *line, void *arg);

#endif
