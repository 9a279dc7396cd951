/* SPDX-License-Identifier: MIT */
/*
 * store_rows - binds what the metrics table says to INSERT statements made
 * from the same table, so that a new metric needs no line here.  "Could not
 * be told" (UNS_NULL, an empty text) becomes SQL NULL.
 */
#include "store_rows.h"

#include "budget.h"
#include "core/timeline.h"

#include <string.h>

/* The next metric of `table` from *at on, or NULL. */
static const struct uns_metric *next_metric(enum uns_metric_table table,
                                            size_t *at)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);

    while (*at < count) {
        const struct uns_metric *metric = &metrics[(*at)++];

        if (metric->table == table)
            return metric;
    }
    return NULL;
}

/* `own`: the columns before the metrics, and their values.  The metrics'
 * parameters have their names (":seq"). */
static int prepare(sqlite3 *db, const char *name, enum uns_metric_table table,
                   const char *const own[2], sqlite3_stmt **ret_stmt)
{
    sqlite3_str *text = sqlite3_str_new(db);
    const struct uns_metric *metric;
    char *sql;
    int rc;

    sqlite3_str_appendf(text, "INSERT OR IGNORE INTO %s (%s", name, own[0]);
    for (size_t at = 0; (metric = next_metric(table, &at)) != NULL;)
        sqlite3_str_appendf(text, ", %s", metric->name);
    sqlite3_str_appendf(text, ") VALUES (%s", own[1]);
    for (size_t at = 0; (metric = next_metric(table, &at)) != NULL;)
        sqlite3_str_appendf(text, ", :%s", metric->name);
    sqlite3_str_appendall(text, ")");
    sql = sqlite3_str_finish(text);
    if (sql == NULL)
        return SQLITE_NOMEM;
    rc = sqlite3_prepare_v2(db, sql, -1, ret_stmt, NULL);
    sqlite3_free(sql);
    return rc;
}

static const char stall_sql[] =
    "INSERT INTO stalls (call_id, seq, after_chunk, at_ms, duration_ms)"
    " VALUES (?, ?, ?, ?, ?)";

enum uns_err uns_rows_prepare(struct uns_rows *rows, sqlite3 *db)
{
    static const char *const call[] = {"id", "NULL"};
    static const char *const attempt[] = {"call_id, timeline", "?1, ?2"};
    int rc;

    *rows = (struct uns_rows){0};
    rc = prepare(db, "calls", UNS_METRIC_CALLS, call, &rows->call);
    if (rc == SQLITE_OK)
        rc = prepare(db, "attempts", UNS_METRIC_ATTEMPTS, attempt,
                     &rows->attempt);
    if (rc == SQLITE_OK)
        rc = sqlite3_prepare_v2(db, stall_sql, -1, &rows->stall, NULL);
    return uns_sql_err(rc);
}

void uns_rows_done(struct uns_rows *rows)
{
    sqlite3_finalize(rows->call);
    sqlite3_finalize(rows->attempt);
    sqlite3_finalize(rows->stall);
    *rows = (struct uns_rows){0};
}

static int bind_text(sqlite3_stmt *stmt, int i, const char *text, size_t size)
{
    size_t len = strnlen(text, size);

    if (len == 0)
        return sqlite3_bind_null(stmt, i);
    return sqlite3_bind_text(stmt, i, text, (int)len, SQLITE_STATIC);
}

static int bind_int(sqlite3_stmt *stmt, int i, int64_t value)
{
    return value == UNS_NULL ? sqlite3_bind_null(stmt, i)
                             : sqlite3_bind_int64(stmt, i, value);
}

/* Every metric of `record` to the parameters from `i` on. */
static int bind_record(sqlite3_stmt *stmt, enum uns_metric_table table,
                       const void *record, int i)
{
    const struct uns_metric *metric;
    size_t at = 0;
    int rc = SQLITE_OK;

    while (rc == SQLITE_OK && (metric = next_metric(table, &at)) != NULL) {
        const char *field = (const char *)record + metric->offset;
        int64_t value = 0;

        if (metric->is_text) {
            rc = bind_text(stmt, i++, field, metric->size);
            continue;
        }
        memcpy(&value, field, sizeof value);
        rc = bind_int(stmt, i++, value);
    }
    return rc;
}

static int run(sqlite3_stmt *stmt, int rc)
{
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    sqlite3_reset(stmt);
    return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

/* One row per gap before a content chunk that is longer than the threshold
 * the call was measured with. */
static int insert_stalls(struct uns_rows *rows, int64_t call_id, unsigned seq,
                         const struct uns_entry *entry)
{
    const uint8_t *blob = entry->timeline[seq].data;
    size_t len = entry->timeline[seq].len;
    struct uns_moment moment = {0};
    sqlite3_stmt *stmt = rows->stall;
    int64_t chunks = 0;
    int rc = SQLITE_OK;

    sqlite3_bind_int64(stmt, 1, call_id);
    sqlite3_bind_int64(stmt, 2, seq);
    for (size_t at = 0;
         rc == SQLITE_OK && uns_timeline_next(blob, len, &at, &moment);) {
        if (moment.mark != UNS_MARK_CHUNK)
            continue;
        if (moment.gap_ns > entry->stall_threshold_ns) {
            sqlite3_bind_int64(stmt, 3, chunks);
            sqlite3_bind_int64(stmt, 4,
                               (moment.at_ns - moment.gap_ns) / UNS_MS);
            sqlite3_bind_int64(stmt, 5, moment.gap_ns / UNS_MS);
            rc = run(stmt, SQLITE_OK);
        }
        chunks += moment.count;
    }
    return rc;
}

/* Its number is its place in the entry, whatever the record says. */
static int insert_attempt(struct uns_rows *rows, int64_t call_id, unsigned seq,
                          const struct uns_entry *entry)
{
    sqlite3_stmt *stmt = rows->attempt;
    int rc = bind_record(stmt, UNS_METRIC_ATTEMPTS, &entry->attempt[seq], 3);

    sqlite3_bind_int64(stmt, 1, call_id);
    sqlite3_bind_int64(stmt, sqlite3_bind_parameter_index(stmt, ":seq"), seq);
    if (rc == SQLITE_OK)
        rc = sqlite3_bind_blob64(stmt, 2, entry->timeline[seq].data,
                                 entry->timeline[seq].len, SQLITE_STATIC);
    rc = run(stmt, rc);
    if (rc == SQLITE_OK && entry->timeline[seq].data != NULL)
        rc = insert_stalls(rows, call_id, seq, entry);
    return rc;
}

enum uns_err uns_rows_insert(struct uns_rows *rows,
                             const struct uns_entry *entry)
{
    sqlite3 *db = sqlite3_db_handle(rows->call);
    int rc = run(rows->call,
                 bind_record(rows->call, UNS_METRIC_CALLS, &entry->call, 1));
    int64_t call_id;

    if (rc != SQLITE_OK || sqlite3_changes(db) == 0)
        return uns_sql_err(rc);
    call_id = sqlite3_last_insert_rowid(db);
    for (unsigned seq = 0; rc == SQLITE_OK && seq < entry->attempts; seq++)
        rc = insert_attempt(rows, call_id, seq, entry);
    if (rc == SQLITE_OK && entry->pays)
        return uns_budget_refill(db, entry->call.route, entry->pays);
    return uns_sql_err(rc);
}
