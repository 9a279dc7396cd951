/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_DRAW_TICK_H
#define UNS_CLI_DRAW_TICK_H

/* draw_tick - the ticks of an axis of time, for every drawing of a call. */

#include "draw_row.h"
#include "text.h"

/* From tick to tick, with `space` columns between them at least. */
int64_t uns_draw_tick_step(const struct uns_draw_axis *axis, int space);

/* In the unit of the step: "0 s", "0.5 s", "20 ms", "10 m". */
void uns_draw_tick_text(char ret_text[UNS_TEXT_TIME], int64_t ms,
                        int64_t step_ms);

#endif
