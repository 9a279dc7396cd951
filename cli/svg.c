/* SPDX-License-Identifier: MIT */
/* svg - prints shapes; one function escapes. */
#include "svg.h"

#include "text.h"

#include <stdlib.h>
#include <string.h>

static const char *entity(char c)
{
    static const struct {
        char c;
        const char *entity;
    } entities[] = {
        {'&',  "&amp;" },
        {'<',  "&lt;"  },
        {'>',  "&gt;"  },
        {'"',  "&quot;"},
        {'\'', "&#39;" },
    };

    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (entities[i].c == c)
            return entities[i].entity;
    return NULL;
}

void uns_svg_text(FILE *out, const char *text)
{
    size_t cap = UNS_TEXT_CLEAN_BYTES(strlen(text));
    char *clean = malloc(cap);

    if (clean == NULL)
        return;
    uns_text_clean(clean, cap, text, true);
    for (const char *at = clean; *at != '\0'; at++) {
        const char *instead = entity(*at);

        if (instead != NULL)
            fputs(instead, out);
        else
            fputc(*at, out);
    }
    free(clean);
}

void uns_svg_rect(FILE *out, const struct uns_svg_box *box, const char *look,
                  const char *title)
{
    fprintf(out,
            "<rect x=\"%.2f%%\" y=\"%.1f\" width=\"%.2f%%\" height=\"%.1f\""
            " class=\"%s\"",
            box->x, box->y, box->width, box->height, look);
    if (title == NULL) {
        fputs("/>\n", out);
        return;
    }
    fputs("><title>", out);
    uns_svg_text(out, title);
    fputs("</title></rect>\n", out);
}

void uns_svg_rule(FILE *out, double x, double y, double height,
                  const char *look)
{
    fprintf(out,
            "<line x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\""
            " class=\"%s\"/>\n",
            x, x, y, y + height, look);
}

void uns_svg_label(FILE *out, double x, double y, const char *look,
                   const char *text)
{
    fprintf(out, "<text x=\"%.2f%%\" y=\"%.1f\" class=\"%s\">", x, y, look);
    uns_svg_text(out, text);
    fputs("</text>\n", out);
}

#define LIGHT                                                                \
    "--page:#fff;--ink:#1f2328;--dim:#59636e;--line:#d1d9e0;--card:#f6f8fa;" \
    "--good:#1a7f4b;--bad:#c62f25;--warn:#9a6200;--wait:#8c959f;--link:#"    \
    "0757b3"
#define DARK                                                              \
    "--page:#0f1419;--ink:#e3e8ee;--dim:#9aa6b2;--line:#323b46;--card:#"  \
    "182028;"                                                             \
    "--good:#4cc38a;--bad:#ff7a6c;--warn:#e3b341;--wait:#6b7785;--link:#" \
    "6cb2ff"

const char uns_svg_style[] =
    ":root{color-scheme:light dark;" LIGHT "}\n"
    "@media (prefers-color-scheme:dark){:root{" DARK "}}\n"
    "svg text{font:12px/1 system-ui,sans-serif;fill:var(--dim)}\n"
    "svg text.mid{text-anchor:middle}\n"
    "svg text.end{text-anchor:end}\n"
    "svg text.name{fill:var(--ink)}\n"
    "svg text.won{fill:var(--good);font-weight:600}\n"
    "svg text.loud{text-anchor:middle;fill:var(--bad);font-weight:600}\n"
    "svg text.mark{fill:var(--ink)}\n"
    "svg text.mark,svg text.loud{paint-order:stroke;stroke:var(--page);"
    "stroke-width:3px}\n"
    ".page{fill:var(--page)}\n"
    ".grid{stroke:var(--line);stroke-width:1}\n"
    ".rule{stroke:var(--ink);stroke-width:1;stroke-dasharray:3 3}\n"
    ".good{fill:var(--good)}\n"
    ".bad{fill:var(--bad)}\n"
    ".warn{fill:var(--warn)}\n"
    ".wait{fill:var(--wait)}\n"
    ".stall{fill:var(--bad);fill-opacity:.22}\n"
    ".silent{fill:var(--warn);fill-opacity:.2}\n"
    ".unseen{fill:var(--good);fill-opacity:.4}\n"
    ".end-good{stroke:var(--good);stroke-width:2}\n"
    ".end-warn{stroke:var(--warn);stroke-width:2}\n"
    ".end-bad{stroke:var(--bad);stroke-width:2}\n";
