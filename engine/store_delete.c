/* SPDX-License-Identifier: MIT */
/*
 * store_delete - reads the ids of one step first, then deletes: a statement
 * that reads a table while it shrinks may see a row twice or not at all.
 */
#include "store_delete.h"

#include "core/record.h"

#define DAY_US INT64_C(86400000000)

static const char old_sql[] = "SELECT id FROM calls WHERE started_at < ?1"
                              " ORDER BY started_at LIMIT ?2";

/* What belongs to a call goes first. */
static const char *const delete_sql[] = {
    "DELETE FROM stalls WHERE call_id = ?1",
    "DELETE FROM attempts WHERE call_id = ?1",
    "DELETE FROM calls WHERE id = ?1",
};

#define TABLES (sizeof delete_sql / sizeof *delete_sql)

int64_t uns_delete_before(int64_t now_us, int64_t retain_days)
{
    if (retain_days == UNS_NULL || retain_days <= 0 || now_us == UNS_NULL ||
        now_us < 0)
        return UNS_NULL;
    return (now_us / DAY_US - retain_days) * DAY_US;
}

/* The oldest of `most`; NULL: sqlite3_errcode() tells. */
static sqlite3_stmt *old_calls(sqlite3 *db, int64_t before_us, size_t most)
{
    sqlite3_stmt *stmt = NULL;

    if (sqlite3_prepare_v2(db, old_sql, -1, &stmt, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_bind_int64(stmt, 1, before_us);
    sqlite3_bind_int64(stmt, 2, (sqlite3_int64)most);
    return stmt;
}

bool uns_delete_is_due(sqlite3 *db, int64_t before_us)
{
    sqlite3_stmt *stmt =
        before_us == UNS_NULL ? NULL : old_calls(db, before_us, 1);
    bool due = stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW;

    sqlite3_finalize(stmt);
    return due;
}

static int read_ids(sqlite3_stmt *which, size_t most, int64_t *ret_ids,
                    size_t *ret_count)
{
    int rc = SQLITE_ROW;
    size_t count = 0;

    while (count < most && (rc = sqlite3_step(which)) == SQLITE_ROW)
        ret_ids[count++] = sqlite3_column_int64(which, 0);
    sqlite3_reset(which);
    *ret_count = count;
    return rc;
}

static enum uns_err delete_from(sqlite3 *db, const char *sql,
                                const int64_t *ids, size_t count)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

    for (size_t i = 0; rc == SQLITE_OK && i < count; i++) {
        sqlite3_bind_int64(stmt, 1, ids[i]);
        rc = sqlite3_step(stmt);
        sqlite3_reset(stmt);
        rc = rc == SQLITE_DONE ? SQLITE_OK : rc;
    }
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

enum uns_err uns_delete_these(sqlite3 *db, sqlite3_stmt *which, size_t most,
                              size_t *ret_gone)
{
    int64_t ids[UNS_DELETE_COMMAND];
    size_t count = 0;
    enum uns_err err;

    if (most > UNS_DELETE_COMMAND)
        most = UNS_DELETE_COMMAND;
    err = uns_sql_err(read_ids(which, most, ids, &count));
    for (size_t i = 0; err == UNS_OK && count > 0 && i < TABLES; i++)
        err = delete_from(db, delete_sql[i], ids, count);
    if (err == UNS_OK)
        *ret_gone = count;
    return err;
}

enum uns_err uns_delete_old(sqlite3 *db, void *arg)
{
    struct uns_delete *what = arg;
    sqlite3_stmt *stmt = old_calls(db, what->before_us, what->most);
    enum uns_err err;

    if (stmt == NULL)
        return uns_sql_err(sqlite3_errcode(db));
    err = uns_delete_these(db, stmt, what->most, &what->gone);
    sqlite3_finalize(stmt);
    return err;
}
