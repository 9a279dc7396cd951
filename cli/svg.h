/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_SVG_H
#define UNS_CLI_SVG_H

/*
 * svg - the few shapes that pictures are made of, as SVG.  Across, places are
 * per cent of the picture's width, so that texts keep their size however wide
 * it is shown; down they are pixels.  What comes from outside goes through
 * uns_svg_text() and nothing else.
 */

#include <stdio.h>

/* `text` for HTML, SVG and values of attributes in double quotes: whatever is
 * in it, it ends no element, and shows as uns_text_clean() shows it. */
void uns_svg_text(FILE *out, const char *text);

struct uns_svg_box {
    double x, y, width, height;
};

/* A rectangle of a class of the style; `title` (cleaned here) is shown when it
 * is pointed at; NULL: none. */
void uns_svg_rect(FILE *out, const struct uns_svg_box *box, const char *look,
                  const char *title);

/* A line from (x, y) down over `height`. */
void uns_svg_rule(FILE *out, double x, double y, double height,
                  const char *look);

/* A text at (x, y); the class in `look` says how it stands to that. */
void uns_svg_label(FILE *out, double x, double y, const char *look,
                   const char *text);

/* The colours by their names, light and dark, and the classes of the shapes:
 * the text of a <style>. */
extern const char uns_svg_style[];

#endif
