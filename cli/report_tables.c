/* SPDX-License-Identifier: MIT */
/* report_tables - every figure of all calls and of each group, for the page. */
#include "report_page.h"
#include "svg.h"

#include <inttypes.h>

void uns_report_cell(FILE *out, const char *text, bool head)
{
    fputs(head ? "<th scope=\"row\">" : "<td>", out);
    uns_svg_text(out, text);
    fputs(head ? "</th>" : "</td>", out);
}

static void put_int(FILE *out, int64_t number)
{
    fprintf(out, "<td>%" PRId64 "</td>", number);
}

/* A region of its own, so that the keyboard can move a wide table. */
static void begin_table(FILE *out, const char *title)
{
    fprintf(out,
            "<div class=\"wide\" role=\"region\" tabindex=\"0\""
            " aria-label=\"%s\">\n<table>\n<caption>%s</caption>\n"
            "<thead><tr>",
            title, title);
}

static void end_head(FILE *out)
{
    fputs("</tr></thead>\n<tbody>\n", out);
}

static void end_table(FILE *out)
{
    fputs("</tbody>\n</table>\n</div>\n", out);
}

static void put_column(FILE *out, const char *title)
{
    fputs("<th scope=\"col\">", out);
    uns_svg_text(out, title);
    fputs("</th>", out);
}

static void put_summary(FILE *out, const char *name, enum uns_quantity quantity,
                        const struct uns_figures *figures)
{
    const struct uns_summary *summary = &figures->quantity[quantity];
    const double values[] = {
        summary->p50, summary->p90, summary->p95, summary->p99, summary->most,
    };
    char text[UNS_REPORT_VALUE];

    fputs("<tr>", out);
    uns_report_cell(out, name, true);
    fprintf(out, "<td>%" PRIu64 "</td>", summary->n);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        uns_report_cell(out, uns_report_value(text, quantity, values[i]),
                        false);
    fputs("</tr>\n", out);
}

static void put_quantity(FILE *out, const struct uns_report *report,
                         enum uns_quantity quantity)
{
    static const char *const columns[] = {
        "", "n", "p50", "p90", "p95", "p99", "max",
    };

    begin_table(out, uns_report_title(quantity));
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        put_column(out, columns[i]);
    end_head(out);
    put_summary(out, "all", quantity, &report->all);
    for (size_t i = 0; i < report->groups; i++)
        put_summary(out, uns_report_key(report->group[i].key), quantity,
                    &report->group[i].figures);
    end_table(out);
}

static void put_counts(FILE *out, const struct uns_report_counts *counts,
                       const char *name, const struct uns_figures *figures)
{
    fputs("<tr>", out);
    uns_report_cell(out, name, true);
    for (size_t i = 0; i < counts->size; i++)
        put_int(out, figures->count[counts->count[i]]);
    fputs("</tr>\n", out);
}

static void put_counted(FILE *out, const struct uns_report *report,
                        const struct uns_report_counts *counts)
{
    begin_table(out, counts->title);
    for (size_t i = 0; i <= counts->size; i++)
        put_column(out, counts->columns[i].title);
    end_head(out);
    put_counts(out, counts, "all", &report->all);
    for (size_t i = 0; i < report->groups; i++)
        put_counts(out, counts, uns_report_key(report->group[i].key),
                   &report->group[i].figures);
    end_table(out);
}

void uns_report_tables(const struct uns_report *report, FILE *out)
{
    fprintf(out,
            "<section id=\"tables\" class=\"tables\">\n"
            "<h2>All figures, by %s</h2>\n<div class=\"grid2\">\n",
            report->by->title);
    for (unsigned i = 0; i < UNS_QUANTITIES; i++)
        put_quantity(out, report, i);
    put_counted(out, report, &uns_report_outcomes);
    put_counted(out, report, &uns_report_phases);
    put_counted(out, report, &uns_report_hedges);
    fputs("</div>\n</section>\n", out);
}
