/* SPDX-License-Identifier: MIT */
/* db - opens the store for a command, and gives its SQL the functions that
 * several commands group and filter by. */
#include "db.h"

#include "aside.h"
#include "engine/recover.h"
#include "engine/store.h"
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "https://api.openai.com:8443/v1" -> "api.openai.com:8443". */
static void host_of(sqlite3_context *context, int argc, sqlite3_value **argv)
{
    const char *url = (const char *)sqlite3_value_text(argv[0]);
    const char *host = url ? strstr(url, "://") : NULL;

    (void)argc;
    if (host == NULL)
        return;
    host += 3;
    sqlite3_result_text(context, host, (int)strcspn(host, "/"),
                        SQLITE_TRANSIENT);
}

int uns_db_functions(sqlite3 *db)
{
    return sqlite3_create_function(db, "host_of", 1,
                                   SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                   host_of, NULL, NULL);
}

static int nothing_yet(const struct uns_common *common, const char *path)
{
    if (common->json)
        puts("[]");
    else
        printf("no calls recorded yet (%s); 'unstall run -- PROGRAM' records "
               "a program's\n",
               path);
    return UNS_EXIT_OK;
}

int uns_db_open(const char *command, const struct uns_common *common,
                sqlite3 **ret_db)
{
    char *path = uns_cli_store_path(common);
    sqlite3 *db = NULL;
    int code = UNS_EXIT_OK;
    enum uns_err err;

    *ret_db = NULL;
    if (path == NULL)
        return UNS_EXIT_USAGE;
    (void)uns_recover(path, UNS_RECOVER_COMMAND);
    uns_aside_tell(path);
    err = uns_store_open(path, &db);
    if (err == UNS_NOTFOUND) {
        code = nothing_yet(common, path);
    } else if (err != UNS_OK) {
        fprintf(stderr, "unstall %s: %s: %s\n", command, path,
                err == UNS_CORRUPT || err == UNS_FOREIGN
                    ? "no database of unstall, or damaged"
                    : uns_err_str(err));
        code = UNS_EXIT_FAILED;
    } else if (uns_db_functions(db) != SQLITE_OK) {
        code = uns_db_fail(command, db);
        db = NULL;
    }
    free(path);
    *ret_db = db;
    return code;
}

int uns_db_fail(const char *command, sqlite3 *db)
{
    fprintf(stderr, "unstall %s: the database cannot be read: %s\n", command,
            sqlite3_errmsg(db));
    sqlite3_close(db);
    return UNS_EXIT_FAILED;
}
