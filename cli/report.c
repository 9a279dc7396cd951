/* SPDX-License-Identifier: MIT */
/* report - `unstall report`: how fast, how steady, and what the hedges did. */
#include "report.h"

#include "db.h"
#include "file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 12 /* groups */

struct options {
    struct uns_common common;
    struct uns_report_plan plan;
    const char *html;
    int64_t limit;
};

static const struct uns_report_by bys[] = {
    {"host",    "host",    "host_of(endpoint)", false},
    {"model",   "model",   "model",             false},
    {"program", "program", "program",           false},
    {"hour",    "hour",
     "strftime('%Y-%m-%d %H:00', started_at / 1000000, 'unixepoch',"
     " 'localtime')",                           true },
};

const struct uns_report_by *uns_report_by_name(const char *name)
{
    for (size_t i = 0; i < sizeof bys / sizeof *bys; i++)
        if (strcmp(bys[i].name, name) == 0)
            return &bys[i];
    return NULL;
}

static bool take_by(void *into, const struct uns_cli_option *option,
                    const char *value)
{
    struct options *options = into;

    options->plan.by = uns_report_by_name(value);
    if (options->plan.by != NULL)
        return true;
    return uns_args_fail("report",
                         "--%s %s: it is one of host, model, program, hour",
                         option->name, value),
           false;
}

static bool parse_number(const char *text, int64_t most, int64_t *ret_number)
{
    char *end;
    long long number;

    errno = 0;
    number = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || number < 0 ||
        number > most)
        return false;
    *ret_number = number;
    return true;
}

static bool take_threshold(void *into, const struct uns_cli_option *option,
                           const char *value)
{
    struct options *options = into;
    int64_t ms;

    if (!parse_number(value, UNS_NEVER / UNS_MS - 1, &ms))
        return uns_args_fail("report", "--%s %s: not a number of milliseconds",
                             option->name, value),
               false;
    options->plan.threshold_ns = ms * UNS_MS;
    return true;
}

static bool take_limit(void *into, const struct uns_cli_option *option,
                       const char *value)
{
    struct options *options = into;

    if (parse_number(value, INT64_MAX, &options->limit))
        return true;
    return uns_args_fail("report", "--%s %s: not a number of groups",
                         option->name, value),
           false;
}

#define AT(member) offsetof(struct options, plan.select.member)

/* clang-format off */
static const struct uns_cli_option option_table[] = {
    {"by",    "WHAT", "Beside all calls, those of each host (which is the "
                      "default), model, program or hour.", 0, take_by},
    {"limit", "N",    "At most so many of these groups (12); 0: all. JSON and "
                      "page have all.",                     0, take_limit},
    {"stall-threshold", "MS", "Count gaps over so many milliseconds as stalls, "
                      "instead of those that were recorded as such.",
     0, take_threshold},
    {"html",  "FILE", "Write a page for a browser there, with pictures; it "
                      "needs no network. -: to standard output, alone.",
     offsetof(struct options, html), NULL},
    UNS_SELECT_OPTIONS(AT),
};
/* clang-format on */

static const struct uns_usage usage = {
    .command = "report",
    .operands = "[options]",
    .about = "How long the first token took, how steadily the others came, "
             "what stalled and failed, and what the hedges did: of all calls, "
             "and by host. 'unstall explain NAME' defines each number.",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

/* *ret_output: that was standard output. */
static int write_page(sqlite3 *db, const struct uns_report *report,
                      const char *path, bool *ret_output)
{
    struct uns_file *file = uns_file_begin("report", path);
    int rc;

    if (file == NULL)
        return SQLITE_CANTOPEN;
    *ret_output = uns_file_is_output(file);
    rc = uns_report_page(report, db, uns_file_stream(file));
    if (!uns_file_end(file, rc == SQLITE_DONE) && rc == SQLITE_DONE)
        return SQLITE_CANTOPEN;
    return rc;
}

/* To the file if one is named, and to standard output. */
static int tell(sqlite3 *db, const struct options *options,
                const struct uns_report *report)
{
    struct uns_term term = uns_term_stdout();
    bool output = false;
    int rc = SQLITE_DONE;

    if (options->html != NULL)
        rc = write_page(db, report, options->html, &output);
    if (rc != SQLITE_DONE || output)
        return rc;
    if (options->common.json)
        uns_report_json(report, stdout);
    else
        uns_report_text(report, options->limit, &term);
    return SQLITE_DONE;
}

static int run(sqlite3 *db, const struct options *options)
{
    struct uns_report report;
    int rc = uns_report_collect(db, &options->plan, &report);

    if (rc == SQLITE_DONE)
        rc = tell(db, options, &report);
    uns_report_clear(&report);
    if (rc == SQLITE_CANTOPEN) { /* the page; it has been told */
        sqlite3_close(db);
        return UNS_EXIT_FAILED;
    }
    return uns_db_close("report", db, rc);
}

int uns_cmd_report(int argc, char **argv)
{
    struct options options = {
        .plan = {.select = UNS_SELECT_ALL,
                 .by = &bys[0],
                 .threshold_ns = UNS_NEVER},
        .limit = LIMIT,
    };
    int code;
    sqlite3 *db;

    if (!uns_args_options(&usage, argc, argv, &options, &code))
        return code;
    code = uns_db_open(&options.common, &db);
    return db == NULL ? code : run(db, &options);
}
