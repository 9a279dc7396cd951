/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_STALL_ROWS_H
#define UNS_CLI_STALL_ROWS_H

/* stall_rows - the stalls of one recorded call after another. */

#include <sqlite3.h>
#include <stdint.h>

/* One stall of a call. */
struct uns_stall_row {
    int64_t seq, after_chunk, at_ms, duration_ms;
};

/* The stalls of a call, whose calls.id is ?1; NULL: sqlite3_errmsg() tells. */
sqlite3_stmt *uns_stall_rows(sqlite3 *db);

/* Bind the next call. */
void uns_stall_rows_of(sqlite3_stmt *stalls, int64_t call_id);

/* SQLITE_ROW with the next stall, SQLITE_DONE, or what went wrong. */
int uns_stall_rows_next(sqlite3_stmt *stalls, struct uns_stall_row *ret_stall);

#endif
