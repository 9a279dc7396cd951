/* SPDX-License-Identifier: MIT */
/* show_json - a call and what belongs to it, nested.  (`attempts` and
 * `stall_count` are numbers of the call itself; the lists have other names.) */
#include "core/timeline.h"
#include "json.h"
#include "show.h"

static const char *const mark_names[UNS_MARK_COUNT] = {
    [UNS_MARK_CHUNK] = "chunk",
    [UNS_MARK_STRUCTURAL] = "structural",
    [UNS_MARK_OTHER] = "other",
    [UNS_MARK_PAUSE] = "pause",
};

/* SELECT of a table's metrics for this call.  NULL: it cannot be made. */
static sqlite3_stmt *select_metrics(const struct uns_show *show,
                                    enum uns_metric_table table,
                                    const char *format)
{
    char *columns = uns_store_columns(table);
    char *sql = columns ? sqlite3_mprintf(format, columns) : NULL;
    sqlite3_stmt *stmt = NULL;

    if (sql != NULL &&
        sqlite3_prepare_v2(show->db, sql, -1, &stmt, NULL) == SQLITE_OK)
        sqlite3_bind_int64(stmt, 1, show->id);
    sqlite3_free(sql);
    sqlite3_free(columns);
    return stmt;
}

static void print_timeline(sqlite3_stmt *stmt, int column)
{
    const void *blob = sqlite3_column_blob(stmt, column);
    size_t len = (size_t)sqlite3_column_bytes(stmt, column);
    struct uns_moment moment = {0};
    const char *comma = "";

    printf(", \"timeline\": [");
    for (size_t at = 0;
         blob != NULL && uns_timeline_next(blob, len, &at, &moment);) {
        printf("%s\n      {\"mark\": \"%s\", \"count\": %u, \"at_us\": %lld, "
               "\"span_us\": %lld, \"gap_us\": %lld}",
               comma, mark_names[moment.mark], (unsigned)moment.count,
               (long long)(moment.at_ns / 1000),
               (long long)(moment.span_ns / 1000),
               (long long)(moment.gap_ns / 1000));
        comma = ",";
    }
    putchar(']');
}

/* Rows of `stmt` as a member `name`, an array. */
static int print_list(const char *name, sqlite3_stmt *stmt, int blob)
{
    const char *comma = "";
    int rc = stmt ? SQLITE_ROW : SQLITE_ERROR;

    printf(",\n  \"%s\": [", name);
    while (rc == SQLITE_ROW && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        printf("%s\n    {", comma);
        uns_json_members(stdout, stmt);
        if (blob >= 0)
            print_timeline(stmt, blob);
        putchar('}');
        comma = ",";
    }
    putchar(']');
    sqlite3_finalize(stmt);
    return rc;
}

int uns_show_json(const struct uns_show *show)
{
    sqlite3_stmt *stmt = select_metrics(
        show, UNS_METRIC_CALLS, "SELECT id, %s FROM calls WHERE id = ?1");
    int rc = stmt ? sqlite3_step(stmt) : SQLITE_ERROR;

    if (rc == SQLITE_ROW) {
        printf("[{");
        uns_json_members(stdout, stmt);
        rc = print_list("attempt_list",
                        select_metrics(show, UNS_METRIC_ATTEMPTS,
                                       "SELECT timeline, %s FROM attempts"
                                       " WHERE call_id = ?1 ORDER BY seq"),
                        0);
        if (rc == SQLITE_DONE)
            rc = print_list("stall_list",
                            select_metrics(show, UNS_METRIC_STALLS,
                                           "SELECT %s FROM stalls WHERE"
                                           " call_id = ?1"
                                           " ORDER BY seq, at_ms"),
                            -1);
        puts("}]");
    }
    sqlite3_finalize(stmt);
    return rc;
}
