/* SPDX-License-Identifier: MIT */
#ifndef UNS_TOLD_PATTERN_H
#define UNS_TOLD_PATTERN_H

/* told_pattern - the last frame that was one text, for told.c alone. */

#include "told.h"

/* The frame is the pattern from now on, if it has one text and no more. */
void uns_told_keep_pattern(struct uns_told *told, const struct uns_parts *parts,
                           struct uns_slice frame);

/* The raw text of a frame that is the pattern but for what stands in its gaps:
 * of most frames nothing more has to be read.  The frame is the pattern from
 * now on.  data NULL: it is another, and nothing has happened. */
struct uns_slice uns_told_alike(struct uns_told *told, struct uns_slice frame);

#endif
