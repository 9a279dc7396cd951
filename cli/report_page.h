/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_REPORT_PAGE_H
#define UNS_CLI_REPORT_PAGE_H

/* report_page - the parts of the page, private to it. */

#include "report.h"

/* The four charts, each with its numbers folded away beneath. */
void uns_report_charts(const struct uns_report *report, FILE *out);

/* The tables of all figures. */
void uns_report_tables(const struct uns_report *report, FILE *out);

/* A cell: <td> or, with `head`, <th>; the text is escaped. */
void uns_report_cell(FILE *out, const char *text, bool head);

#endif
