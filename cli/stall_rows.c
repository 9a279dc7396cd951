/* SPDX-License-Identifier: MIT */
#include "stall_rows.h"

#include <stddef.h>

sqlite3_stmt *uns_stall_rows(sqlite3 *db)
{
    static const char sql[] =
        "SELECT seq, after_chunk, at_ms, duration_ms FROM stalls"
        " WHERE call_id = ?1 ORDER BY seq, at_ms";
    sqlite3_stmt *stmt = NULL;

    return sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK ? stmt
                                                                     : NULL;
}

void uns_stall_rows_of(sqlite3_stmt *stalls, int64_t call_id)
{
    sqlite3_reset(stalls);
    sqlite3_bind_int64(stalls, 1, call_id);
}

int uns_stall_rows_next(sqlite3_stmt *stalls, struct uns_stall_row *ret_stall)
{
    int rc = sqlite3_step(stalls);

    if (rc == SQLITE_ROW)
        *ret_stall = (struct uns_stall_row){
            .seq = sqlite3_column_int64(stalls, 0),
            .after_chunk = sqlite3_column_int64(stalls, 1),
            .at_ms = sqlite3_column_int64(stalls, 2),
            .duration_ms = sqlite3_column_int64(stalls, 3),
        };
    return rc;
}
