/* SPDX-License-Identifier: MIT */
/* totals - a table of numbers by destination, labels and name.  What has a
 * name that this version does not know is left as it is. */
#include "totals.h"

#include "engine/sql.h"
#include "engine/store.h"

#include <string.h>

#define WAIT_MS 5000

static const char create_sql[] =
    "CREATE TABLE IF NOT EXISTS export_totals (destination TEXT, labels TEXT,"
    " name TEXT, value INTEGER, PRIMARY KEY (destination, labels, name))"
    " WITHOUT ROWID";

static const char add_sql[] =
    "INSERT INTO export_totals (destination, labels, name, value)"
    " VALUES (?1, ?2, ?3, ?4) ON CONFLICT (destination, labels, name)"
    " DO UPDATE SET value = value + excluded.value";

static const char read_sql[] =
    "SELECT labels, name, value FROM export_totals WHERE destination = ?1"
    " ORDER BY labels";

struct adding {
    struct uns_cursor *cursor;
    const struct uns_groups *more;
    struct uns_groups all; /* what has become of them */
};

static int prepare(sqlite3 *db, const char *sql, const struct adding *adding,
                   sqlite3_stmt **ret_stmt)
{
    int rc = sqlite3_prepare_v2(db, sql, -1, ret_stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(*ret_stmt, 1, adding->cursor->destination, -1,
                               SQLITE_STATIC);
    return rc;
}

static int add_number(sqlite3_stmt *stmt, const struct uns_group *group,
                      size_t i)
{
    char name[UNS_GROUP_NAME];
    int rc;

    sqlite3_bind_text(stmt, 2, group->labels, -1, SQLITE_STATIC);
    sqlite3_bind_text(stmt, 3, uns_groups_name(name, i), -1, SQLITE_STATIC);
    sqlite3_bind_int64(stmt, 4, group->number[i]);
    rc = sqlite3_step(stmt);
    sqlite3_reset(stmt);
    return rc;
}

/* A group that has begun has all its numbers: a counter that appears later
 * would have grown before it is seen. */
static enum uns_err add_groups(sqlite3 *db, const struct adding *adding)
{
    const struct uns_groups *more = adding->more;
    sqlite3_stmt *stmt = NULL;
    int rc = prepare(db, add_sql, adding, &stmt);

    for (size_t i = 0; i < more->count && uns_sql_err(rc) == UNS_OK; i++)
        for (size_t k = 0; k < UNS_GROUP_NUMBERS && uns_sql_err(rc) == UNS_OK;
             k++)
            rc = add_number(stmt, &more->list[i], k);
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

static bool take_row(sqlite3_stmt *stmt, struct uns_groups *all)
{
    const char *labels = (const char *)sqlite3_column_text(stmt, 0);
    const char *name = (const char *)sqlite3_column_text(stmt, 1);
    struct uns_group *group = labels ? uns_groups_at(all, labels) : NULL;
    char known[UNS_GROUP_NAME];

    if (group == NULL || name == NULL)
        return false;
    for (size_t i = 0; i < UNS_GROUP_NUMBERS; i++)
        if (strcmp(uns_groups_name(known, i), name) == 0)
            group->number[i] = sqlite3_column_int64(stmt, 2);
    return true;
}

static enum uns_err read_groups(sqlite3 *db, struct adding *adding)
{
    sqlite3_stmt *stmt = NULL;
    int rc = prepare(db, read_sql, adding, &stmt);

    if (rc == SQLITE_OK)
        while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
            if (!take_row(stmt, &adding->all)) {
                rc = SQLITE_NOMEM;
                break;
            }
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

static enum uns_err add(sqlite3 *db, void *arg)
{
    struct adding *adding = arg;
    const struct uns_groups *more = adding->more;
    int64_t after_id = 0;
    enum uns_err err =
        uns_cursor_get(db, adding->cursor->destination, &after_id);

    uns_groups_clear(&adding->all); /* of an attempt that was taken back */
    if (err == UNS_OK && after_id != adding->cursor->after_id)
        return UNS_BUSY;
    if (err == UNS_OK)
        err = uns_sql_exec(db, create_sql);
    if (err == UNS_OK)
        err = add_groups(db, adding);
    if (err == UNS_OK && more->last_id > 0)
        err = uns_cursor_put(db, adding->cursor->destination, more->last_id,
                             more->last_uuid);
    if (err == UNS_OK)
        err = read_groups(db, adding);
    return err;
}

enum uns_err uns_totals_add(struct uns_cursor *cursor,
                            struct uns_groups *groups)
{
    struct adding adding = {.cursor = cursor, .more = groups};
    enum uns_err err = uns_store_change(cursor->store, add, &adding, WAIT_MS);

    if (err != UNS_OK) {
        uns_groups_clear(&adding.all);
        return err;
    }
    uns_groups_clear(groups);
    *groups = adding.all;
    return UNS_OK;
}

static enum uns_err forget(sqlite3 *db, void *arg)
{
    const struct uns_cursor *cursor = arg;
    sqlite3_str *sql = sqlite3_str_new(db);
    enum uns_err err = uns_sql_exec(db, create_sql);

    sqlite3_str_appendf(sql, "DELETE FROM export_totals WHERE destination = %Q",
                        cursor->destination);
    if (err == UNS_OK)
        return uns_sql_finish(db, sql);
    sqlite3_free(sqlite3_str_finish(sql));
    return err;
}

enum uns_err uns_totals_forget(struct uns_cursor *cursor)
{
    enum uns_err err = uns_store_change(cursor->store, forget, cursor, WAIT_MS);

    if (err == UNS_OK)
        err = uns_cursor_save(cursor, 0, "");
    return err;
}
