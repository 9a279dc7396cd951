/* SPDX-License-Identifier: MIT */
/* calls - `unstall calls`: what was recorded, newest first. */
#include "db.h"
#include "engine/store_load.h"
#include "json.h"
#include "select.h"
#include "table.h"
#include "text.h"
#include "when.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT 20

struct options {
    struct uns_common common;
    int64_t limit;
    struct uns_select select;
};

static bool take_limit(void *into, const struct uns_cli_option *option,
                       const char *value)
{
    char *end;
    long long limit;

    errno = 0;
    limit = strtoll(value, &end, 10);
    if (errno != 0 || end == value || *end != '\0' || limit < 0)
        return uns_args_fail("calls", "--limit %s: not a number of calls",
                             value),
               false;
    (void)option;
    ((struct options *)into)->limit = limit;
    return true;
}

#define AT(member) offsetof(struct options, select.member)

static const struct uns_cli_option option_table[] = {
    {"limit", "N", "At most so many, the newest (20); 0: all.", 0, take_limit},
    UNS_SELECT_OPTIONS(AT),
};

static const struct uns_usage usage = {
    .command = "calls",
    .operands = "[options]",
    .about = "Lists the recorded calls, newest first. 'unstall show ID' tells "
             "one of them in full.",
    .options = option_table,
    .option_count = sizeof option_table / sizeof *option_table,
};

#define NEWEST UNS_SELECT_FROM " ORDER BY started_at DESC, id DESC LIMIT :limit"

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql,
                             const struct options *options)
{
    sqlite3_stmt *stmt = uns_select_prepare(db, sql, &options->select);

    if (stmt != NULL)
        sqlite3_bind_int64(stmt, sqlite3_bind_parameter_index(stmt, ":limit"),
                           options->limit ? options->limit : -1);
    return stmt;
}

static int print_json(sqlite3 *db, const struct options *options)
{
    char *columns = uns_store_columns(UNS_METRIC_CALLS);
    char *sql =
        columns ? sqlite3_mprintf("SELECT id, %s" NEWEST, columns) : NULL;
    sqlite3_stmt *stmt = sql ? prepare(db, sql, options) : NULL;
    int rc = stmt ? uns_json_rows(stdout, stmt) : SQLITE_ERROR;

    sqlite3_finalize(stmt);
    sqlite3_free(sql);
    sqlite3_free(columns);
    return rc;
}

enum {
    ID,
    STARTED,
    PROGRAM,
    MODEL,
    OUTCOME,
    WINNER,
    TTFT,
    WALL,
    STALL,
    COLUMNS,
    STALL_MS = COLUMNS,
    CHUNKS,
    SILENT_MS
};

static const char people_sql[] =
    "SELECT id, started_at, program,"
    " ifnull(model || ' @ ', '') || ifnull(host_of(endpoint), ''), outcome,"
    " ifnull(hedge_reason || ': ', '') || ifnull((SELECT source FROM attempts"
    "   WHERE call_id = calls.id AND seq = calls.winner), '-'),"
    " ttft_ms, wall_ms, stall_count, stall_ms, chunk_count, silent_ms" NEWEST;

/* A model that is narrowed loses its host first. */
/* clang-format off */
static const struct uns_table_column column_table[COLUMNS] = {
    [ID]      = {"ID",           true,  0, 0},
    [STARTED] = {"TIME",         false, 0, 0},
    [PROGRAM] = {"PROGRAM",      false, 5, 0},
    [MODEL]   = {"MODEL @ HOST", false, 9, 0},
    [OUTCOME] = {"OUTCOME",      false, 0, 0},
    [WINNER]  = {"HEDGE: BY",    false, 6, 0},
    [TTFT]    = {"TTFT",         true,  0, 0},
    [WALL]    = {"WALL",         true,  0, 0},
    [STALL]   = {"STALLS",       true,  0, 0},
};

/* With --killed: who won, and when the first token came, matters less than
 * what was there at the end. */
static const struct uns_table_column killed_table[COLUMNS] = {
    [ID]      = {"ID",           true,  0, 0},
    [STARTED] = {"TIME",         false, 0, 0},
    [PROGRAM] = {"PROGRAM",      false, 5, 0},
    [MODEL]   = {"MODEL @ HOST", false, 9, 0},
    [OUTCOME] = {"OUTCOME",      false, 0, 3},
    [WINNER]  = {"HEDGE: BY",    false, 6, 2},
    [TTFT]    = {"TTFT",         true,  0, 1},
    [WALL]    = {"WALL",         true,  0, 0},
    [STALL]   = {"DIED AFTER",   false, 0, 0},
};

/* clang-format on */

static int64_t int_at(sqlite3_stmt *stmt, int i)
{
    return sqlite3_column_type(stmt, i) == SQLITE_NULL
               ? UNS_NULL
               : sqlite3_column_int64(stmt, i);
}

static const char *text_at(sqlite3_stmt *stmt, int i)
{
    const unsigned char *text = sqlite3_column_text(stmt, i);

    return text ? (const char *)text : "";
}

static enum uns_hue outcome_hue(const char *outcome)
{
    if (strcmp(outcome, "ok") == 0)
        return UNS_HUE_PLAIN;
    if (strcmp(outcome, "refused") == 0 || strcmp(outcome, "aborted") == 0)
        return UNS_HUE_WARN;
    return UNS_HUE_BAD;
}

/* "5.20 s (2)"; "0", and "-" when there is nothing to count. */
static void add_stalls(struct uns_table *table, sqlite3_stmt *stmt)
{
    int64_t count = int_at(stmt, STALL);
    char ms[UNS_TEXT_TIME], text[UNS_TEXT_TIME + 32];

    uns_text_ms(ms, int_at(stmt, STALL_MS));
    if (count > 0)
        snprintf(text, sizeof text, "%s (%lld)", ms, (long long)count);
    uns_table_add(table,
                  count > 0    ? text
                  : count == 0 ? "0"
                               : "-",
                  count > 0 ? UNS_HUE_WARN : UNS_HUE_PLAIN);
}

/* "20 chunks, silent for 3.10 s" */
static void add_death(struct uns_table *table, sqlite3_stmt *stmt)
{
    int64_t chunks = int_at(stmt, CHUNKS), silent_ms = int_at(stmt, SILENT_MS);
    char ms[UNS_TEXT_TIME], text[UNS_TEXT_TIME + 64];
    int len =
        snprintf(text, sizeof text, "%lld chunk%s",
                 (long long)(chunks > 0 ? chunks : 0), chunks == 1 ? "" : "s");

    if (silent_ms != UNS_NULL)
        snprintf(text + len, sizeof text - (size_t)len, ", silent for %s",
                 uns_text_ms(ms, silent_ms));
    uns_table_add(table, text, UNS_HUE_BAD);
}

static void add_call(struct uns_table *table, sqlite3_stmt *stmt, int64_t at_us,
                     bool killed)
{
    char text[UNS_TEXT_TIME];

    uns_table_add(table, text_at(stmt, ID), UNS_HUE_BOLD);
    uns_table_add(table, uns_text_when(text, int_at(stmt, STARTED), at_us),
                  UNS_HUE_PLAIN);
    uns_table_add(table, text_at(stmt, PROGRAM), UNS_HUE_PLAIN);
    uns_table_add(table, text_at(stmt, MODEL), UNS_HUE_PLAIN);
    uns_table_add(table, text_at(stmt, OUTCOME),
                  outcome_hue(text_at(stmt, OUTCOME)));
    uns_table_add(table, text_at(stmt, WINNER), UNS_HUE_PLAIN);
    uns_table_add(table, uns_text_ms(text, int_at(stmt, TTFT)), UNS_HUE_PLAIN);
    uns_table_add(table, uns_text_ms(text, int_at(stmt, WALL)), UNS_HUE_PLAIN);
    (killed ? add_death : add_stalls)(table, stmt);
}

/* How many there are behind the limit, if any. */
static int print_rest(sqlite3 *db, const struct options *options, int64_t shown)
{
    sqlite3_stmt *stmt =
        prepare(db, "SELECT count(*)" UNS_SELECT_FROM, options);
    int rc = stmt ? sqlite3_step(stmt) : SQLITE_ERROR;
    int64_t count = rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    int64_t any = 0;

    (void)!uns_sql_int(db, "SELECT count(*) FROM calls", &any);
    if (rc == SQLITE_ROW && count == 0)
        puts(any ? "no such calls"
                 : "no calls recorded yet; 'unstall run -- PROGRAM' records "
                   "a program's");
    if (count > shown)
        printf("%lld of %lld calls; --limit 0 lists all\n", (long long)shown,
               (long long)count);
    sqlite3_finalize(stmt);
    return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}

static int print_people(sqlite3 *db, const struct options *options)
{
    struct uns_term term = uns_term_stdout();
    struct uns_table *table = uns_table_new(
        options->select.killed ? killed_table : column_table, COLUMNS, &term);
    sqlite3_stmt *stmt = prepare(db, people_sql, options);
    int64_t shown = 0, at_us = uns_when_now();
    int rc = stmt && table ? SQLITE_ROW : SQLITE_ERROR;

    while (rc == SQLITE_ROW && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        add_call(table, stmt, at_us, options->select.killed);
        shown++;
    }
    sqlite3_finalize(stmt);
    if (shown > 0)
        uns_table_print(table, stdout);
    uns_table_free(table);
    return rc == SQLITE_DONE ? print_rest(db, options, shown) : rc;
}

int uns_cmd_calls(int argc, char **argv)
{
    struct options options = {.limit = LIMIT, .select = UNS_SELECT_ALL};
    int code;
    sqlite3 *db;

    if (!uns_args_options(&usage, argc, argv, &options, &code))
        return code;
    code = uns_db_open(&options.common, &db);
    if (db == NULL)
        return code;
    return uns_db_close("calls", db,
                        options.common.json ? print_json(db, &options)
                                            : print_people(db, &options));
}
