/* SPDX-License-Identifier: MIT */
/*
 * reader - three statements, each prepared once: the ids in their order, then
 * a call and its attempts by id.  The order is made of ids alone, since rows
 * with all their columns would make the sorting ten times as large.
 */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

struct uns_reader {
    sqlite3_stmt *ids, *call, *attempts;
    struct uns_entry entry;
    size_t cap[UNS_RACE_ATTEMPTS]; /* of the entry's timelines */
};

enum {
    ID,
    KEY
};

/* `format` is a SELECT of "%s", the table's metrics. */
static sqlite3_stmt *prepare(sqlite3 *db, enum uns_metric_table table,
                             const char *format)
{
    char *columns = uns_store_columns(table);
    char *sql = columns ? sqlite3_mprintf(format, columns) : NULL;
    sqlite3_stmt *stmt = NULL;

    if (sql != NULL && sqlite3_prepare_v2(db, sql, -1, &stmt, NULL))
        stmt = NULL;
    sqlite3_free(sql);
    sqlite3_free(columns);
    return stmt;
}

static sqlite3_stmt *prepare_ids(sqlite3 *db, const struct uns_select *select,
                                 const char *key)
{
    char *sql = sqlite3_mprintf("SELECT id, %s AS key" UNS_SELECT_FROM
                                " ORDER BY key, started_at, id",
                                key ? key : "NULL");
    sqlite3_stmt *stmt = sql ? uns_select_prepare(db, sql, select) : NULL;

    sqlite3_free(sql);
    return stmt;
}

struct uns_reader *uns_reader_open(sqlite3 *db, const struct uns_select *select,
                                   const char *key)
{
    struct uns_reader *reader = calloc(1, sizeof *reader);

    if (reader == NULL)
        return NULL;
    reader->ids = prepare_ids(db, select, key);
    reader->call =
        prepare(db, UNS_METRIC_CALLS, "SELECT %s FROM calls WHERE id = ?1");
    reader->attempts = prepare(db, UNS_METRIC_ATTEMPTS,
                               "SELECT timeline, %s FROM attempts"
                               " WHERE call_id = ?1 ORDER BY seq");
    if (reader->ids != NULL && reader->call != NULL && reader->attempts != NULL)
        return reader;
    uns_reader_close(reader);
    return NULL;
}

static int step_to(sqlite3_stmt *stmt, int64_t id)
{
    sqlite3_reset(stmt);
    sqlite3_bind_int64(stmt, 1, id);
    return sqlite3_step(stmt);
}

/* Into the room that an earlier call has left. */
static bool take_timeline(struct uns_reader *reader, unsigned i)
{
    const void *blob = sqlite3_column_blob(reader->attempts, 0);
    size_t len = (size_t)sqlite3_column_bytes(reader->attempts, 0);

    if (len > reader->cap[i]) {
        uint8_t *data = realloc(reader->entry.timeline[i].data, len);

        if (data == NULL)
            return false;
        reader->entry.timeline[i].data = data;
        reader->cap[i] = len;
    }
    if (len > 0)
        memcpy(reader->entry.timeline[i].data, blob, len);
    reader->entry.timeline[i].len = len;
    return true;
}

static int take_attempts(struct uns_reader *reader, int64_t id)
{
    struct uns_entry *entry = &reader->entry;
    int rc = step_to(reader->attempts, id);

    for (entry->attempts = 0;
         rc == SQLITE_ROW && entry->attempts < UNS_RACE_ATTEMPTS;
         rc = sqlite3_step(reader->attempts)) {
        uns_store_record(reader->attempts, 1, UNS_METRIC_ATTEMPTS,
                         &entry->attempt[entry->attempts]);
        if (!take_timeline(reader, entry->attempts))
            return SQLITE_NOMEM;
        entry->attempts++;
    }
    return rc == SQLITE_ROW ? SQLITE_DONE : rc;
}

/* The statement of the ids, while it runs, keeps all three on one state of the
 * file.  An id without its row is damage, and passed over. */
int uns_reader_next(struct uns_reader *reader)
{
    int rc;

    while ((rc = sqlite3_step(reader->ids)) == SQLITE_ROW) {
        int64_t id = uns_reader_id(reader);

        rc = step_to(reader->call, id);
        if (rc == SQLITE_DONE)
            continue;
        if (rc != SQLITE_ROW)
            break;
        uns_store_record(reader->call, 0, UNS_METRIC_CALLS,
                         &reader->entry.call);
        rc = take_attempts(reader, id);
        return rc == SQLITE_DONE ? SQLITE_ROW : rc;
    }
    return rc;
}

const struct uns_entry *uns_reader_entry(const struct uns_reader *reader)
{
    return &reader->entry;
}

int64_t uns_reader_id(const struct uns_reader *reader)
{
    return sqlite3_column_int64(reader->ids, ID);
}

const char *uns_reader_key(const struct uns_reader *reader)
{
    return (const char *)sqlite3_column_text(reader->ids, KEY);
}

void uns_reader_close(struct uns_reader *reader)
{
    if (reader == NULL)
        return;
    sqlite3_finalize(reader->ids);
    sqlite3_finalize(reader->call);
    sqlite3_finalize(reader->attempts);
    for (unsigned i = 0; i < UNS_RACE_ATTEMPTS; i++)
        free(reader->entry.timeline[i].data);
    free(reader);
}
