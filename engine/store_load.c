/* SPDX-License-Identifier: MIT */
/* store_load - the way back of store_rows, from the same table of metrics. */
#include "store_load.h"

#include <stdlib.h>
#include <string.h>

char *uns_store_columns(enum uns_metric_table table)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);
    sqlite3_str *text = sqlite3_str_new(NULL);

    for (size_t i = 0; i < count; i++)
        if (metrics[i].table == table)
            sqlite3_str_appendf(text, "%s%s",
                                sqlite3_str_length(text) ? ", " : "",
                                metrics[i].name);
    return sqlite3_str_finish(text);
}

static void take_value(sqlite3_stmt *stmt, int column,
                       const struct uns_metric *metric, char *field)
{
    bool null = sqlite3_column_type(stmt, column) == SQLITE_NULL;
    int64_t number = null ? UNS_NULL : sqlite3_column_int64(stmt, column);
    const char *text = NULL;
    size_t len;

    if (!metric->is_text) {
        memcpy(field, &number, sizeof number);
        return;
    }
    text = (const char *)sqlite3_column_text(stmt, column);
    len = text ? strnlen(text, metric->size - 1u) : 0;
    memset(field, 0, metric->size);
    if (len > 0)
        memcpy(field, text, len);
}

void uns_store_record(sqlite3_stmt *stmt, int first,
                      enum uns_metric_table table, void *record)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);

    for (size_t i = 0; i < count; i++)
        if (metrics[i].table == table)
            take_value(stmt, first++, &metrics[i],
                       (char *)record + metrics[i].offset);
}

/* `format` is a SELECT of "%s", the metrics, with `id` as its parameter.
 * Finalize *ret_stmt, whatever is returned. */
static int select_rows(sqlite3 *db, enum uns_metric_table table,
                       const char *format, int64_t id, sqlite3_stmt **ret_stmt)
{
    char *columns = uns_store_columns(table);
    char *sql = columns ? sqlite3_mprintf(format, columns) : NULL;
    int rc =
        sql ? sqlite3_prepare_v2(db, sql, -1, ret_stmt, NULL) : SQLITE_NOMEM;

    sqlite3_free(columns);
    sqlite3_free(sql);
    return rc == SQLITE_OK ? sqlite3_bind_int64(*ret_stmt, 1, id) : rc;
}

static enum uns_err load_call(sqlite3 *db, int64_t id, struct uns_entry *entry)
{
    sqlite3_stmt *stmt = NULL;
    int rc = select_rows(db, UNS_METRIC_CALLS,
                         "SELECT %s FROM calls WHERE id = ?1", id, &stmt);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        uns_store_record(stmt, 0, UNS_METRIC_CALLS, &entry->call);
    sqlite3_finalize(stmt);
    return rc == SQLITE_DONE ? UNS_NOTFOUND : uns_sql_err(rc);
}

static int load_attempt(sqlite3_stmt *stmt, struct uns_entry *entry)
{
    unsigned i = entry->attempts++;
    const void *blob = sqlite3_column_blob(stmt, 0);
    size_t len = (size_t)sqlite3_column_bytes(stmt, 0);

    uns_store_record(stmt, 1, UNS_METRIC_ATTEMPTS, &entry->attempt[i]);
    if (len == 0)
        return SQLITE_ROW;
    entry->timeline[i].data = malloc(len);
    if (entry->timeline[i].data == NULL)
        return SQLITE_NOMEM;
    memcpy(entry->timeline[i].data, blob, len);
    entry->timeline[i].len = len;
    return SQLITE_ROW;
}

static enum uns_err load_attempts(sqlite3 *db, int64_t id,
                                  struct uns_entry *entry)
{
    sqlite3_stmt *stmt = NULL;
    int rc = select_rows(db, UNS_METRIC_ATTEMPTS,
                         "SELECT timeline, %s FROM attempts"
                         " WHERE call_id = ?1 ORDER BY seq",
                         id, &stmt);

    if (rc == SQLITE_OK)
        rc = SQLITE_ROW;
    while (rc == SQLITE_ROW && entry->attempts < UNS_RACE_ATTEMPTS) {
        rc = sqlite3_step(stmt);
        if (rc == SQLITE_ROW)
            rc = load_attempt(stmt, entry);
    }
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

/* Stored lengths are cut off to the millisecond. */
static enum uns_err load_threshold(sqlite3 *db, int64_t id,
                                   struct uns_entry *entry)
{
    char *sql = sqlite3_mprintf("SELECT ifnull(min(duration_ms), -1)"
                                " FROM stalls WHERE call_id = %lld",
                                (long long)id);
    int64_t least_ms = -1;
    enum uns_err err = sql ? uns_sql_int(db, sql, &least_ms) : UNS_NOMEM;

    sqlite3_free(sql);
    entry->stall_threshold_ns =
        least_ms < 0 ? UNS_NEVER : least_ms * UNS_MS - 1;
    return err;
}

enum uns_err uns_store_load(sqlite3 *db, int64_t id,
                            struct uns_entry **ret_entry)
{
    struct uns_entry *entry = uns_entry_new();
    enum uns_err err = entry ? load_call(db, id, entry) : UNS_NOMEM;

    if (err == UNS_OK)
        err = load_attempts(db, id, entry);
    if (err == UNS_OK)
        err = load_threshold(db, id, entry);
    if (err == UNS_OK)
        *ret_entry = entry;
    else
        uns_entry_free(entry);
    return err;
}
