/* SPDX-License-Identifier: MIT */
/* sql - result codes as our errors, and statements in one call. */
#include "sql.h"

#include <stddef.h>

static const struct {
    int rc;
    enum uns_err err;
} meanings[] = {
    {SQLITE_OK,      UNS_OK     },
    {SQLITE_ROW,     UNS_OK     },
    {SQLITE_DONE,    UNS_OK     },
    {SQLITE_BUSY,    UNS_BUSY   },
    {SQLITE_LOCKED,  UNS_BUSY   },
    {SQLITE_CORRUPT, UNS_CORRUPT},
    {SQLITE_NOTADB,  UNS_CORRUPT},
    {SQLITE_NOMEM,   UNS_NOMEM  },
    {SQLITE_TOOBIG,  UNS_TOOBIG },
 /* A table or column that is not there. */
    {SQLITE_ERROR,   UNS_FOREIGN},
};

enum uns_err uns_sql_err(int rc)
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++)
        if (meanings[i].rc == (rc & 0xff)) /* without the extension */
            return meanings[i].err;
    return UNS_IO;
}

enum uns_err uns_sql_exec(sqlite3 *db, const char *sql)
{
    return uns_sql_err(sqlite3_exec(db, sql, NULL, NULL, NULL));
}

enum uns_err uns_sql_int(sqlite3 *db, const char *sql, int64_t *ret_value)
{
    sqlite3_stmt *stmt;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        *ret_value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    return rc == SQLITE_DONE ? UNS_NOTFOUND : uns_sql_err(rc);
}

enum uns_err uns_sql_finish(sqlite3 *db, sqlite3_str *text)
{
    char *sql = sqlite3_str_finish(text);
    enum uns_err err;

    if (sql == NULL)
        return UNS_NOMEM;
    err = uns_sql_exec(db, sql);
    sqlite3_free(sql);
    return err;
}
