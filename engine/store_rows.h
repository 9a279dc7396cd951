/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STORE_ROWS_H
#define UNS_ENGINE_STORE_ROWS_H

/* store_rows - entries as rows of calls, attempts and stalls. */

#include "sql.h"
#include "store.h"

/* The INSERT statements of one batch. */
struct uns_rows {
    /* private */
    sqlite3_stmt *call, *attempt, *stall;
};

/* CORRUPT: a table or column is missing (uns_schema_upgrade). */
UNS_MUST_USE enum uns_err uns_rows_prepare(struct uns_rows *rows, sqlite3 *db);

/* Takes a zeroed or a half prepared one, too. */
void uns_rows_done(struct uns_rows *rows);

/* A call that is in the file already (its uuid) is left alone. */
UNS_MUST_USE enum uns_err uns_rows_insert(struct uns_rows *rows,
                                          const struct uns_entry *entry);

#endif
