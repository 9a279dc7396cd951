/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STORE_LOAD_H
#define UNS_ENGINE_STORE_LOAD_H

/* store_load - rows of the store as entries again, for those that draw,
 * export and replay them. */

#include "sql.h"
#include "store.h"

/* The columns of `table` that are metrics, with commas between ("uuid,
 * started_at, ..."), for a SELECT.  sqlite3_free() it; NULL: no memory. */
char *uns_store_columns(enum uns_metric_table table);

/* Fill `record` (cleared before) from the row that `stmt` stands on, whose
 * columns from `first` on are those of uns_store_columns(). */
void uns_store_record(sqlite3_stmt *stmt, int first,
                      enum uns_metric_table table, void *record);

/* The call with that calls.id, its attempts and timelines.  The threshold is
 * not stored: it is set so that the gaps that were stalls are over it, and is
 * UNS_NEVER when there was none.  NOTFOUND: there is no such call.  The caller
 * frees it. */
UNS_MUST_USE enum uns_err uns_store_load(sqlite3 *db, int64_t id,
                                         struct uns_entry **ret_entry);

#endif
