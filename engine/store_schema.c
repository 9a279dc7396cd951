/* SPDX-License-Identifier: MIT */
/*
 * store_schema - writes the DDL.  Columns are never dropped or retyped: a
 * program of any age can write into a file of its own schema number, and one
 * of an older number is brought forward first.
 */
#include "store_schema.h"

#include "core/record.h"

#include <string.h>

#define COLUMNS 8 /* of its own, at most */

struct column {
    const char *name;
    const char *type;
};

struct table {
    const char *name;
    struct column own[COLUMNS + 1];
    int metrics; /* enum uns_metric_table, or NONE */
};

#define NONE (-1)

/* clang-format off */
static const struct table tables[] = {
    {"calls",    {{"id",           "INTEGER PRIMARY KEY"}}, UNS_METRIC_CALLS},
    {"attempts", {{"call_id",      "INTEGER NOT NULL"},
                  {"timeline",     "BLOB"}},               UNS_METRIC_ATTEMPTS},
    {"stalls",   {{NULL,           NULL}},                 UNS_METRIC_STALLS},
    {"budget",   {{"route",        "TEXT PRIMARY KEY"},
                  {"tokens",       "REAL"},
                  {"burst",        "REAL"},    /* that tokens were put for */
                  {"spent",        "INTEGER"}, /* tokens, since ever */
                  {"hour",         "INTEGER"}, /* since the epoch */
                  {"hour_count",   "INTEGER"}, /* spent in it */
                  {"day",          "INTEGER"},
                  {"day_count",    "INTEGER"}},            NONE},
};
/* clang-format on */

#define TABLES (sizeof tables / sizeof *tables)

static const char indexes[] =
    "CREATE UNIQUE INDEX IF NOT EXISTS calls_uuid ON calls(uuid);"
    "CREATE INDEX IF NOT EXISTS calls_started_at ON calls(started_at);"
    "CREATE UNIQUE INDEX IF NOT EXISTS attempts_call"
    " ON attempts(call_id, seq);"
    "CREATE INDEX IF NOT EXISTS attempts_first"
    " ON attempts(origin, call_id, seq, ttft_us, wall_ms) WHERE seq = 0;"
    "CREATE INDEX IF NOT EXISTS stalls_call ON stalls(call_id);";

/* Its columns in order: its own, then its metrics.  False: there is no i-th. */
static bool column_at(const struct table *table, size_t i,
                      struct column *ret_column)
{
    size_t count;
    const struct uns_metric *metric = uns_metrics(&count);
    size_t own = 0;

    while (table->own[own].name != NULL)
        own++;
    if (i < own) {
        *ret_column = table->own[i];
        return true;
    }
    i -= own;
    for (; count > 0; count--, metric++) {
        if ((int)metric->table != table->metrics || i-- > 0)
            continue;
        *ret_column =
            (struct column){metric->name, metric->is_text ? "TEXT" : "INTEGER"};
        return true;
    }
    return false;
}

static enum uns_err create_table(sqlite3 *db, const struct table *table)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    struct column column;

    sqlite3_str_appendf(sql, "CREATE TABLE IF NOT EXISTS %s (", table->name);
    for (size_t i = 0; column_at(table, i, &column); i++)
        sqlite3_str_appendf(sql, "%s\"%w\" %s", i ? ", " : "", column.name,
                            column.type);
    sqlite3_str_appendf(sql, ")");
    return uns_sql_finish(db, sql);
}

static enum uns_err create(sqlite3 *db)
{
    enum uns_err err = UNS_OK;

    for (size_t i = 0; i < TABLES && err == UNS_OK; i++)
        err = create_table(db, &tables[i]);
    return err;
}

/* Columns alone: those that a file lacks are added after all steps. */
static enum uns_err columns(sqlite3 *db)
{
    (void)db;
    return UNS_OK;
}

/* steps[n] takes a file from number n to n + 1. */
static enum uns_err (*const steps[])(sqlite3 *db) = {
    create, columns, /* calls.promoted */
};

#define VERSION ((int64_t)(sizeof steps / sizeof *steps))

unsigned uns_schema_version(void)
{
    return (unsigned)VERSION;
}

enum uns_err uns_schema_check(sqlite3 *db, bool *ret_current)
{
    int64_t version = 0;
    enum uns_err err = uns_sql_int(db, "PRAGMA user_version", &version);

    if (err != UNS_OK)
        return err;
    if (version > VERSION)
        return UNS_UNSUPPORTED;
    *ret_current = version == VERSION;
    return UNS_OK;
}

/* What table_info tells of `table`, a name per row.  Finalize it. */
static sqlite3_stmt *columns_of(sqlite3 *db, const char *table)
{
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v2(db,
                           "SELECT 1 FROM pragma_table_info(?1, 'main')"
                           " WHERE name = ?2",
                           -1, &stmt, NULL) == SQLITE_OK)
        sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC);
    return stmt;
}

/* `known` comes from columns_of(). */
static enum uns_err has_column(sqlite3_stmt *known, const char *name,
                               bool *ret_has)
{
    int rc;

    sqlite3_bind_text(known, 2, name, -1, SQLITE_STATIC);
    rc = sqlite3_step(known);
    *ret_has = rc == SQLITE_ROW;
    sqlite3_reset(known);
    return uns_sql_err(rc);
}

typedef void missing_column_fn(sqlite3_str *sql, const struct table *table,
                               const struct column *column);

/* Calls `missing` for every column that the file's table lacks. */
static enum uns_err each_missing(sqlite3 *db, const struct table *table,
                                 missing_column_fn *missing, sqlite3_str *sql)
{
    sqlite3_stmt *known = columns_of(db, table->name);
    enum uns_err err = known ? UNS_OK : uns_sql_err(sqlite3_errcode(db));
    struct column column;
    bool has = false;

    for (size_t i = 0; err == UNS_OK && column_at(table, i, &column); i++) {
        err = has_column(known, column.name, &has);
        if (err == UNS_OK && !has)
            missing(sql, table, &column);
    }
    sqlite3_finalize(known);
    return err;
}

static void append_alter(sqlite3_str *sql, const struct table *table,
                         const struct column *column)
{
    sqlite3_str_appendf(sql, "ALTER TABLE %s ADD COLUMN \"%w\" %s;",
                        table->name, column->name, column->type);
}

static enum uns_err add_columns(sqlite3 *db)
{
    sqlite3_str *sql = sqlite3_str_new(db);
    enum uns_err err = UNS_OK;

    for (size_t i = 0; i < TABLES && err == UNS_OK; i++)
        err = each_missing(db, &tables[i], append_alter, sql);
    if (err == UNS_OK)
        err = uns_sql_err(sqlite3_str_errcode(sql));
    if (err != UNS_OK || sqlite3_str_length(sql) == 0) {
        sqlite3_free(sqlite3_str_finish(sql));
        return err;
    }
    return uns_sql_finish(db, sql);
}

static enum uns_err take_steps(sqlite3 *db)
{
    int64_t version = 0;
    enum uns_err err = uns_sql_int(db, "PRAGMA user_version", &version);
    sqlite3_str *sql;

    for (; err == UNS_OK && version >= 0 && version < VERSION; version++)
        err = steps[version](db);
    if (err != UNS_OK)
        return err;
    sql = sqlite3_str_new(db);
    sqlite3_str_appendf(sql, "PRAGMA user_version = %d", (int)VERSION);
    return uns_sql_finish(db, sql);
}

enum uns_err uns_schema_upgrade(sqlite3 *db)
{
    enum uns_err err = take_steps(db);

    if (err == UNS_OK)
        err = add_columns(db);
    if (err == UNS_OK)
        err = uns_sql_exec(db, indexes);
    return err;
}

static void append_null(sqlite3_str *sql, const struct table *table,
                        const struct column *column)
{
    (void)table;
    sqlite3_str_appendf(sql, ", NULL AS \"%w\"", column->name);
}

static enum uns_err has_table(sqlite3 *db, const char *name, bool *ret_has)
{
    char *sql = sqlite3_mprintf("SELECT count(*) FROM main.sqlite_schema"
                                " WHERE type = 'table' AND name = %Q",
                                name);
    int64_t count = 0;
    enum uns_err err = sql ? uns_sql_int(db, sql, &count) : UNS_NOMEM;

    sqlite3_free(sql);
    *ret_has = count > 0;
    return err;
}

/* CREATE TEMP VIEW calls AS SELECT *, NULL AS "new" FROM main.calls: names
 * in `temp` are found before those in the file. */
static enum uns_err complete_table(sqlite3 *db, const struct table *table)
{
    sqlite3_str *nulls = sqlite3_str_new(db);
    sqlite3_str *sql = sqlite3_str_new(db);
    bool has = false;
    enum uns_err err = has_table(db, table->name, &has);
    char *list;
    bool view;

    if (err == UNS_OK)
        err = each_missing(db, table, append_null, nulls);
    if (err == UNS_OK)
        err = uns_sql_err(sqlite3_str_errcode(nulls));
    view = sqlite3_str_length(nulls) > 0;
    list = sqlite3_str_finish(nulls);
    if (view && has)
        sqlite3_str_appendf(sql,
                            "CREATE TEMP VIEW %s AS SELECT *%s FROM"
                            " main.%s",
                            table->name, list ? list : "", table->name);
    else if (view) /* "+ 2": without the first comma */
        sqlite3_str_appendf(sql, "CREATE TEMP VIEW %s AS SELECT %s WHERE 0",
                            table->name, list ? list + 2 : "");
    sqlite3_free(list);
    if (err == UNS_OK && view)
        return uns_sql_finish(db, sql);
    sqlite3_free(sqlite3_str_finish(sql));
    return err;
}

enum uns_err uns_schema_complete(sqlite3 *db)
{
    enum uns_err err = UNS_OK;

    for (size_t i = 0; i < TABLES && err == UNS_OK; i++)
        err = complete_table(db, &tables[i]);
    return err;
}
