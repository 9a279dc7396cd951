/* SPDX-License-Identifier: MIT */
/* show - `unstall show [ID|last]`: everything that is known of one call. */
#include "show.h"

#include "db.h"
#include "svg_call.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct uns_common common;
    bool ascii, svg;
};

/* clang-format off */
static const struct uns_cli_option option_table[] = {
    {"ascii", NULL, "Draw with ASCII alone.",
     offsetof(struct options, ascii), NULL},
    {"svg",   NULL, "Print the drawing alone, as an SVG file.",
     offsetof(struct options, svg),   NULL},
};
/* clang-format on */

static const struct uns_usage usage = {
    .command = "show",
    .operands = "[ID|last] [options]",
    .about =
        "One call: what was asked and answered, its phases, every "
        "request that was sent for it on one axis of time, and its "
        "stalls. 'unstall calls' lists the IDs; last, or none, is the newest.",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

static bool parse_id(const char *text, int64_t *ret_id)
{
    char *end;
    long long id;

    errno = 0;
    id = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0')
        return false;
    *ret_id = id;
    return true;
}

static enum uns_err find(sqlite3 *db, const char *name, int64_t *ret_id)
{
    if (strcmp(name, "last") != 0)
        return UNS_OK; /* it is a number, which load() looks for */
    return uns_sql_int(db,
                       "SELECT id FROM calls ORDER BY started_at DESC, id DESC"
                       " LIMIT 1",
                       ret_id);
}

/* SQLITE_DONE; without memory, what stands for that. */
static int print_svg(const struct uns_show *show)
{
    const struct uns_call_record *call = &show->entry->call;
    char name[512], wall[UNS_TEXT_TIME];

    snprintf(name, sizeof name, "call %lld: %s, %s%s%s, %s, %s",
             (long long)show->id, call->program, call->model,
             *call->model ? " at " : "", call->endpoint, call->outcome,
             uns_text_ms(wall, call->wall_ms));
    return uns_svg_call_document(show->entry, name, stdout) ? SQLITE_DONE
                                                            : SQLITE_NOMEM;
}

static int print(sqlite3 *db, const struct options *options, int64_t id,
                 const struct uns_entry *entry)
{
    struct uns_show show = {
        .db = db, .id = id, .entry = entry, .term = uns_term_stdout()};
    int rc;

    show.term.utf8 = show.term.utf8 && !options->ascii;
    if (options->svg)
        rc = print_svg(&show);
    else
        rc = options->common.json ? uns_show_json(&show) : uns_show_text(&show);
    return uns_db_close("show", db, rc);
}

static int show(sqlite3 *db, const struct options *options, const char *name,
                int64_t id)
{
    struct uns_entry *entry = NULL;
    enum uns_err err = find(db, name, &id);
    int code;

    if (err == UNS_OK)
        err = uns_store_load(db, id, &entry);
    if (err == UNS_NOTFOUND) {
        fprintf(stderr,
                "unstall show: there is no call %s; 'unstall calls' "
                "lists them\n",
                name);
        sqlite3_close(db);
        return UNS_EXIT_FAILED;
    }
    if (err != UNS_OK)
        return uns_db_fail("show", db);
    code = print(db, options, id, entry);
    uns_entry_free(entry);
    return code;
}

int uns_cmd_show(int argc, char **argv)
{
    struct options options = {0};
    int code = UNS_EXIT_OK;
    int count = uns_args_parse(&usage, argc, argv, &options, &code);
    const char *name;
    int64_t id = 0;
    sqlite3 *db;

    if (count < 0)
        return code;
    if (count > 1)
        return uns_args_fail("show", "it takes one ID, or last");
    name = count == 1 ? argv[1] : "last";
    if (strcmp(name, "last") != 0 && !parse_id(name, &id))
        return uns_args_fail("show", "'%s' is neither an ID nor last", name);
    code = uns_db_open(&options.common, &db);
    if (db == NULL)
        return code == UNS_EXIT_OK ? UNS_EXIT_FAILED : code;
    return show(db, &options, name, id);
}
