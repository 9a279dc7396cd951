/* SPDX-License-Identifier: MIT */
/*
 * cursor - a table of its own, which only the command line knows.  SQLite
 * gives an id again when no higher one is left, so a trigger takes a cursor
 * back to the last call that is left, whoever deletes the others.
 * (A database without that table has no such trigger.)  The uuid tells when
 * the table was filled by other means.
 */
#include "cursor.h"

#include "engine/sql.h"
#include "engine/store.h"

#define WAIT_MS 5000

static const char create_sql[] =
    "CREATE TABLE IF NOT EXISTS exports (destination TEXT PRIMARY KEY,"
    " call_id INTEGER, uuid TEXT);"
    "CREATE TRIGGER IF NOT EXISTS exports_last AFTER DELETE ON calls"
    " WHEN EXISTS (SELECT 1 FROM exports"
    "  WHERE call_id > ifnull((SELECT max(id) FROM calls), 0))"
    " BEGIN UPDATE exports SET"
    "  call_id = ifnull((SELECT max(id) FROM calls), 0),"
    "  uuid = (SELECT uuid FROM calls ORDER BY id DESC LIMIT 1)"
    "  WHERE call_id > ifnull((SELECT max(id) FROM calls), 0); END";

/* Behind the cursor, unless the id has become another call's, or all ids that
 * there are lie before it. */
static const char load_sql[] =
    "SELECT call_id FROM exports AS e WHERE destination = ?1"
    " AND NOT EXISTS (SELECT 1 FROM calls WHERE id = e.call_id"
    "                 AND uuid IS NOT e.uuid)"
    " AND call_id <= (SELECT max(id) FROM calls)";

static const char save_sql[] =
    "INSERT OR REPLACE INTO exports (destination, call_id, uuid)"
    " VALUES (?1, ?2, ?3)";

char *uns_cursor_name(const char *place, const struct uns_select *select)
{
    struct uns_select_term terms[UNS_SELECT_TERMS];
    sqlite3_str *text = sqlite3_str_new(NULL);

    uns_select_terms(select, terms);
    sqlite3_str_appendall(text, place);
    for (size_t i = 0; i < UNS_SELECT_TERMS; i++)
        if (terms[i].value != NULL)
            sqlite3_str_appendf(text, " %s=%s", terms[i].option,
                                *terms[i].value ? terms[i].value : "yes");
    return sqlite3_str_finish(text);
}

static int prepare(sqlite3 *db, const char *sql, const char *destination,
                   sqlite3_stmt **ret_stmt)
{
    int rc = sqlite3_prepare_v2(db, sql, -1, ret_stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(*ret_stmt, 1, destination, -1, SQLITE_STATIC);
    return rc;
}

enum uns_err uns_cursor_get(sqlite3 *db, const char *destination,
                            int64_t *ret_after_id)
{
    sqlite3_stmt *stmt = NULL;
    enum uns_err err = uns_sql_exec(db, create_sql);
    int rc;

    if (err != UNS_OK)
        return err;
    rc = prepare(db, load_sql, destination, &stmt);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW || rc == SQLITE_DONE)
        *ret_after_id = rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

enum uns_err uns_cursor_put(sqlite3 *db, const char *destination, int64_t id,
                            const char *uuid)
{
    sqlite3_stmt *stmt = NULL;
    int rc = prepare(db, save_sql, destination, &stmt);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(stmt, 2, id);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(stmt, 3, uuid, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

static enum uns_err load(sqlite3 *db, void *arg)
{
    struct uns_cursor *cursor = arg;

    return uns_cursor_get(db, cursor->destination, &cursor->after_id);
}

enum uns_err uns_cursor_load(struct uns_cursor *cursor)
{
    return uns_store_change(cursor->store, load, cursor, WAIT_MS);
}

struct saving {
    const char *destination;
    int64_t id;
    const char *uuid;
};

static enum uns_err save(sqlite3 *db, void *arg)
{
    const struct saving *saving = arg;
    enum uns_err err = uns_sql_exec(db, create_sql);

    if (err == UNS_OK)
        err = uns_cursor_put(db, saving->destination, saving->id, saving->uuid);
    return err;
}

enum uns_err uns_cursor_save(struct uns_cursor *cursor, int64_t id,
                             const char *uuid)
{
    struct saving saving = {cursor->destination, id, uuid};
    enum uns_err err = uns_store_change(cursor->store, save, &saving, WAIT_MS);

    if (err == UNS_OK)
        cursor->after_id = id;
    return err;
}

enum uns_err uns_cursor_purge(sqlite3 *db)
{
    return uns_sql_exec(db, "DROP TRIGGER IF EXISTS exports_last;"
                            "DROP TABLE IF EXISTS exports;"
                            "DROP TABLE IF EXISTS export_totals");
}
