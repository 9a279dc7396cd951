/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_CHART_H
#define UNS_CLI_CHART_H

/* chart - bars in a page, as SVG beside a scale.  Pure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct uns_chart_bar {
    double value;     /* 0 at least */
    double more;      /* stands on top of it, in the second look */
    char title[160];  /* what is shown when it is pointed at */
    char edge[32];    /* stands below its left edge; "": nothing */
    char middle[32];  /* or below its middle */
    bool edge_at_end; /* the edge's text ends there, instead */
};

/* A line across the bars, at so many of them from the left. */
struct uns_chart_rule {
    double at;
    char text[48];
};

struct uns_chart {
    const char *name; /* for those who cannot see it */
    const struct uns_chart_bar *bar;
    size_t bars; /* 1 at least */
    const struct uns_chart_rule *rule;
    size_t rules;
    const char *look, *more_look; /* classes of svg.h */
    bool log;                     /* the scale: decades */
};

void uns_chart_draw(const struct uns_chart *chart, FILE *out);

#endif
