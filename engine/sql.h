/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_SQL_H
#define UNS_ENGINE_SQL_H

/* sql - the few things about SQLite that all its users here share. */

#include "core/err.h"

#include <sqlite3.h>
#include <stdint.h>

/* What a result code means to us.  ROW and DONE are OK. */
enum uns_err uns_sql_err(int rc);

/* Statements without parameters or results. */
UNS_MUST_USE enum uns_err uns_sql_exec(sqlite3 *db, const char *sql);

/* The first column of the first row.  NOTFOUND: there is no row. */
UNS_MUST_USE enum uns_err uns_sql_int(sqlite3 *db, const char *sql,
                                      int64_t *ret_value);

/* Run the statements built in `text` (not empty), and free it. */
UNS_MUST_USE enum uns_err uns_sql_finish(sqlite3 *db, sqlite3_str *text);

#endif
