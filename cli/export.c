/* SPDX-License-Identifier: MIT */
/*
 * export - `unstall export FORMAT`: the formats and where they go.  A file is
 * there whole or not at all; nothing is said on standard output but what was
 * asked for.
 */
#include "export.h"

#include "core/nearest.h"
#include "db.h"
#include "export_send.h"
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct format {
    const char *name;
    uns_export_write *write;
    bool shared; /* who reads its file may be somebody else */
    bool tables; /* takes --table */
    bool sends;  /* its --to is a URL */
};

static const struct format formats[] = {
    {"jsonl",        uns_export_jsonl,      false, false, false},
    {"csv",          uns_export_csv,        false, true,  false},
    {"prometheus",   uns_export_prometheus, true,  false, false},
    {"chrome-trace", uns_export_trace,      false, false, false},
    {"otlp",         uns_export_otlp,       false, false, true },
};

static const char *const tables[] = {
    [UNS_METRIC_CALLS] = "calls",
    [UNS_METRIC_ATTEMPTS] = "attempts",
    [UNS_METRIC_STALLS] = "stalls",
};

static bool take_table(void *into, const struct uns_cli_option *option,
                       const char *value)
{
    struct uns_export *export = into;

    for (unsigned i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (strcmp(tables[i], value) != 0)
            continue;
        export->table = (enum uns_metric_table)i;
        return true;
    }
    return uns_args_fail("export",
                         "--%s %s: it is one of calls, attempts, stalls",
                         option->name, value),
           false;
}

/* A name of RFC 9110's characters, and a value that stays in its line. */
static bool is_header(struct uns_slice name, const char *value)
{
    static const char token[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789!#$%&'*+-.^_`|~";

    return name.len > 0 && strspn(name.data, token) >= name.len &&
           strpbrk(value, "\r\n") == NULL;
}

static bool add_header(struct uns_export *export, struct uns_slice name,
                       const char *value)
{
    if (!is_header(name, value))
        return uns_args_fail("export", "'%.*s' cannot be a header",
                             (int)name.len, name.data),
               false;
    if (export->headers == UNS_EXPORT_HEADERS)
        return uns_args_fail("export", "more than %d headers",
                             UNS_EXPORT_HEADERS),
               false;
    export->header[export->headers++] = (struct uns_export_header){name, value};
    return true;
}

static bool take_header(void *into, const struct uns_cli_option *option,
                        const char *value)
{
    const char *colon = strchr(value, ':');

    if (colon == NULL)
        return uns_args_fail("export", "--%s: it needs NAME: VALUE",
                             option->name),
               false;
    return add_header(into, (struct uns_slice){value, (size_t)(colon - value)},
                      colon + 1 + strspn(colon + 1, " "));
}

static bool take_header_env(void *into, const struct uns_cli_option *option,
                            const char *value)
{
    const char *equals = strchr(value, '=');
    const char *secret = equals ? getenv(equals + 1) : NULL;

    if (equals == NULL)
        return uns_args_fail("export", "--%s: it needs NAME=VARIABLE",
                             option->name),
               false;
    if (secret == NULL)
        return uns_args_fail("export", "--%s %s: the variable is not set",
                             option->name, value),
               false;
    return add_header(into, (struct uns_slice){value, (size_t)(equals - value)},
                      secret);
}

#define AT(member) offsetof(struct uns_export, select.member)

/* clang-format off */
static const struct uns_cli_option option_table[] = {
    {"to",     "PLACE", "Write to that file, which is there whole or not at "
                        "all. With otlp: the URL of a collector "
                        "(http://HOST:4318), which gets what it has not got "
                        "yet.",
     offsetof(struct uns_export, to), NULL},
    {"again",  NULL,    "With --to: from the first call on, whatever it has "
                        "got already.",
     offsetof(struct uns_export, again), NULL},
    {"table",  "NAME",  "With csv: calls (which is the default), attempts or "
                        "stalls.",                          0, take_table},
    {"header", "NAME: VALUE", "With otlp: a header of the requests. Can be "
                        "given several times.",             0, take_header},
    {"header-env", "NAME=VARIABLE", "The same, with its value in that variable "
                        "of the environment: for what is secret.",
     0, take_header_env},
    UNS_SELECT_OPTIONS(AT),
};
/* clang-format on */

static const struct uns_usage usage = {
    .command = "export",
    .operands = "FORMAT [options]",
    .about = "The recorded calls for other programs. FORMAT is jsonl (a call a "
             "line, with its attempts and stalls), csv, prometheus (for the "
             "textfile collector), chrome-trace (opens in Perfetto) or otlp "
             "(traces for OpenTelemetry).",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

static int finish(sqlite3 *db, int rc, bool written)
{
    if (rc != SQLITE_DONE && rc != UNS_EXPORT_TOLD)
        return uns_db_fail("export", db);
    sqlite3_close(db);
    return written && rc == SQLITE_DONE ? UNS_EXIT_OK : UNS_EXIT_FAILED;
}

static int to_file(sqlite3 *db, const struct format *format,
                   const struct uns_export *export)
{
    struct uns_file *file = uns_file_begin("export", export->to);
    int rc;

    if (file == NULL)
        return finish(db, SQLITE_DONE, false);
    uns_file_hush(file);
    if (format->shared)
        uns_file_share(file);
    rc = format->write(db, export, uns_file_stream(file));
    return finish(db, rc, uns_file_end(file, rc == SQLITE_DONE));
}

static int run(const struct format *format, const struct uns_export *export)
{
    sqlite3 *db = NULL;
    int code = uns_db_open_quietly(&export->common, &db);

    if (db == NULL)
        return code;
    if (export->to == NULL)
        return finish(db, format->write(db, export, stdout), true);
    return format->sends ? uns_export_send(db, export)
                         : to_file(db, format, export);
}

static const struct format *find_format(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}

static const char *format_name(const void *table, size_t i)
{
    return ((const struct format *)table)[i].name;
}

static int no_format(const char *name)
{
    const char *near =
        uns_nearest((struct uns_slice){name, strlen(name)},
                    sizeof formats / sizeof *formats, formats, format_name);

    if (near != NULL)
        return uns_args_fail("export", "%s: no such format; did you mean '%s'?",
                             name, near);
    return uns_args_fail("export",
                         "%s%sit needs a format: jsonl, csv, prometheus, "
                         "chrome-trace or otlp",
                         name, *name ? ": " : "");
}

int uns_cmd_export(int argc, char **argv)
{
    struct uns_export export = {.select = UNS_SELECT_ALL};
    int code = UNS_EXIT_OK;
    int count = uns_args_parse(&usage, argc, argv, &export, &code);
    const struct format *format = count > 0 ? find_format(argv[1]) : NULL;

    if (count < 0)
        return code;
    if (format == NULL)
        return no_format(count > 0 ? argv[1] : "");
    if (count > 1)
        return uns_args_fail("export", "what is '%s'?", argv[2]);
    if (export.table != UNS_METRIC_CALLS && !format->tables)
        return uns_args_fail("export", "--table is for csv");
    if (export.headers > 0 && (!format->sends || export.to == NULL))
        return uns_args_fail("export", "headers are for otlp with --to");
    return run(format, &export);
}
