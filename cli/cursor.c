/* SPDX-License-Identifier: MIT */
/*
 * cursor - a table of its own, which only the command line knows.  SQLite
 * gives the ids of deleted rows again once no later row is left, so the last
 * call is remembered by its uuid, too.
 */
#include "cursor.h"

#include "engine/sql.h"
#include "engine/store.h"

#define WAIT_MS 5000

static const char create_sql[] =
    "CREATE TABLE IF NOT EXISTS exports (destination TEXT PRIMARY KEY,"
    " call_id INTEGER, uuid TEXT)";

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

struct step {
    struct uns_cursor *cursor;
    int64_t id;
    const char *uuid;
};

static int prepare(sqlite3 *db, const char *sql, const struct step *step,
                   sqlite3_stmt **ret_stmt)
{
    int rc = sqlite3_prepare_v2(db, sql, -1, ret_stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(*ret_stmt, 1, step->cursor->destination, -1,
                               SQLITE_STATIC);
    return rc;
}

static enum uns_err load(sqlite3 *db, void *arg)
{
    const struct step *step = arg;
    sqlite3_stmt *stmt = NULL;
    enum uns_err err = uns_sql_exec(db, create_sql);
    int rc;

    if (err != UNS_OK)
        return err;
    rc = prepare(db, load_sql, step, &stmt);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    step->cursor->after_id =
        rc == SQLITE_ROW ? sqlite3_column_int64(stmt, 0) : 0;
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

static enum uns_err save(sqlite3 *db, void *arg)
{
    const struct step *step = arg;
    sqlite3_stmt *stmt = NULL;
    int rc = prepare(db, save_sql, step, &stmt);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int64(stmt, 2, step->id);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(stmt, 3, step->uuid, -1, SQLITE_STATIC);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

enum uns_err uns_cursor_load(struct uns_cursor *cursor)
{
    struct step step = {.cursor = cursor};

    return uns_store_change(cursor->store, load, &step, WAIT_MS);
}

enum uns_err uns_cursor_save(struct uns_cursor *cursor, int64_t id,
                             const char *uuid)
{
    struct step step = {cursor, id, uuid};
    enum uns_err err = uns_store_change(cursor->store, save, &step, WAIT_MS);

    if (err == UNS_OK)
        cursor->after_id = id;
    return err;
}
