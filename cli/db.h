/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_DB_H
#define UNS_CLI_DB_H

/* db - the store as a command reads it, with the mistakes told. */

#include "cli.h"
#include "engine/sql.h"

/* Open the database that `common` names.  *ret_db is NULL with UNS_EXIT_OK
 * when no call was ever recorded: it has been told (as [] with --json).
 * SQL can use host_of(endpoint).  Returns the exit code. */
int uns_db_open(const struct uns_common *common, sqlite3 **ret_db);

/* Gives SQL on `db` the functions that uns_select_prepare() needs, for those
 * that open it by themselves.  Returns an SQLite code. */
int uns_db_functions(sqlite3 *db);

/* The same for what goes to another program: when no call was ever recorded,
 * an empty database, and not a word on standard output. */
int uns_db_open_quietly(const struct uns_common *common, sqlite3 **ret_db);

/* Tells what went wrong with `db` and closes it.  UNS_EXIT_FAILED. */
int uns_db_fail(const char *command, sqlite3 *db);

/* Closes `db` behind a command that ended with `rc`: UNS_EXIT_OK with
 * SQLITE_DONE, else as uns_db_fail(). */
int uns_db_close(const char *command, sqlite3 *db, int rc);

#endif
