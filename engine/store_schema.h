/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STORE_SCHEMA_H
#define UNS_ENGINE_STORE_SCHEMA_H

/*
 * store_schema - the tables, made from the metrics and a few columns of their
 * own.  PRAGMA user_version counts steps that change what exists; a metric
 * that is merely new becomes a column by itself.
 */

#include "sql.h"

#include <stdbool.h>

/* Number of the schema that this program writes. */
unsigned uns_schema_version(void);

/* UNSUPPORTED: the file is of a later program.  *ret_current: no step is
 * missing (columns may be). */
UNS_MUST_USE enum uns_err uns_schema_check(sqlite3 *db, bool *ret_current);

/* Inside a transaction: take the missing steps and add the missing columns. */
UNS_MUST_USE enum uns_err uns_schema_upgrade(sqlite3 *db);

/* For readers: what an older file lacks is there as NULL, by temporary views
 * in front of its tables.  The file itself is not touched. */
UNS_MUST_USE enum uns_err uns_schema_complete(sqlite3 *db);

#endif
