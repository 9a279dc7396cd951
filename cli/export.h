/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_EXPORT_H
#define UNS_CLI_EXPORT_H

/*
 * export - the selected calls in the words of other programs: one function
 * for each format, all of them reading the same rows.  Names, units and
 * definitions come from metrics.def and figures.def.
 */

#include "core/record.h"
#include "select.h"

#include <stdio.h>

#define UNS_EXPORT_HEADERS 16

/* A header of the requests that carry an export. */
struct uns_export_header {
    struct uns_slice name;
    const char *value;
};

/* What is wanted. */
struct uns_export {
    struct uns_common common;
    struct uns_select select;
    enum uns_metric_table table; /* for csv */
    const char *to;              /* NULL: standard output */
    bool again;                  /* from the first call on */
    struct uns_export_header header[UNS_EXPORT_HEADERS];
    size_t headers;
};

/* Something went wrong that has been told. */
#define UNS_EXPORT_TOLD (-1)

/* Write the selected calls to `out`.  Returns SQLITE_DONE, what went wrong with
 * the database, or UNS_EXPORT_TOLD. */
typedef int uns_export_write(sqlite3 *db, const struct uns_export *export,
                             FILE *out);

uns_export_write uns_export_jsonl;
uns_export_write uns_export_csv;
uns_export_write uns_export_prometheus;
uns_export_write uns_export_trace;
uns_export_write uns_export_otlp;

#endif
