/* SPDX-License-Identifier: MIT */
/*
 * store_times - one query over the index attempts_first, which has all that
 * is wanted of an attempt: its row would be read through its timeline.
 */
#include "store_times.h"

#include "sql.h"
#include "store.h"

/* Calls of all places that are looked through for those of one. */
#define SPAN "4096"

static const char times_sql[] =
    "SELECT a.ttft_us, a.wall_ms FROM attempts a JOIN calls c"
    " ON c.id = a.call_id"
    " WHERE a.seq = 0 AND a.origin = :origin AND a.call_id > :after"
    " AND a.call_id > (SELECT ifnull(max(id), 0) FROM calls) - " SPAN
    " AND ifnull(c.model, '') = :model AND c.streaming = :streaming"
    " AND c.pid IS NOT :pid AND c.injected IS NULL"
    " ORDER BY a.call_id DESC LIMIT :most";

struct search {
    const struct uns_times_of *whose;
    struct uns_times *times;
};

static void bind_text(sqlite3_stmt *stmt, const char *name, const char *text)
{
    sqlite3_bind_text(stmt, sqlite3_bind_parameter_index(stmt, name), text, -1,
                      SQLITE_STATIC);
}

static void bind_int(sqlite3_stmt *stmt, const char *name, int64_t value)
{
    sqlite3_bind_int64(stmt, sqlite3_bind_parameter_index(stmt, name), value);
}

static void bind(sqlite3_stmt *stmt, const struct uns_times_of *whose)
{
    bind_text(stmt, ":origin", whose->origin);
    bind_text(stmt, ":model", whose->model);
    bind_int(stmt, ":streaming", whose->streaming);
    bind_int(stmt, ":after", whose->after_id);
    bind_int(stmt, ":pid", whose->except_pid);
    bind_int(stmt, ":most", UNS_DELAY_TIMES);
}

/* No content: all that is known is that it would have come later than the
 * attempt was there. */
static void take(sqlite3_stmt *stmt, struct uns_times *times)
{
    bool censored = sqlite3_column_type(stmt, 0) == SQLITE_NULL;
    int64_t us = censored ? sqlite3_column_int64(stmt, 1) * 1000
                          : sqlite3_column_int64(stmt, 0);

    if (censored && sqlite3_column_type(stmt, 1) == SQLITE_NULL)
        return;
    times->time[times->count].us = us;
    times->time[times->count++].censored = censored;
}

static enum uns_err search(sqlite3 *db, void *arg)
{
    const struct search *search = arg;
    struct uns_times *times = search->times;
    sqlite3_stmt *stmt = NULL;
    enum uns_err err = uns_sql_exec(db, "BEGIN"); /* one view for both */
    int rc;

    if (err == UNS_OK)
        err = uns_sql_int(db, "SELECT ifnull(max(id), 0) FROM calls",
                          &times->last_id);
    if (err != UNS_OK)
        return err;
    rc = sqlite3_prepare_v2(db, times_sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK) {
        bind(stmt, search->whose);
        while ((rc = sqlite3_step(stmt)) == SQLITE_ROW &&
               times->count < UNS_DELAY_TIMES)
            take(stmt, times);
    }
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

enum uns_err uns_store_times(const char *path, const struct uns_times_of *whose,
                             int wait_ms, struct uns_times *ret_times)
{
    struct search what = {whose, ret_times};

    ret_times->count = 0;
    return uns_store_read(path, search, &what, wait_ms);
}
