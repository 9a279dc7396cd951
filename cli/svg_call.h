/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_SVG_CALL_H
#define UNS_CLI_SVG_CALL_H

/*
 * svg_call - the drawing of draw.h as SVG: the attempts of a call on one axis
 * of time, from the same cells.  Pure.
 *
 *      0 s        2 s        4 s        6 s        8 s
 *      * 0 primary: hedge_cancelled, first token 0.80 s
 *      |--|||||||[      5.20 s      ]|||...........x
 *        1 backup: won, ...
 *                                        |---|||||||||
 */

#include "engine/store.h"

#include <stdbool.h>
#include <stdio.h>

/* An <svg> to stand in a page that has uns_svg_style.  `name` is what it is
 * called for those who cannot see it.  Nothing for a call without any length.
 * False: no memory. */
bool uns_svg_call(const struct uns_entry *entry, const char *name, FILE *out);

/* The same as a document of its own: style, background, and what the colours
 * mean. */
bool uns_svg_call_document(const struct uns_entry *entry, const char *name,
                           FILE *out);

/* What the looks of svg.h mean in it; the last has no look. */
struct uns_svg_meaning {
    const char *look, *meaning;
};

extern const struct uns_svg_meaning uns_svg_call_meanings[];

#endif
