/* SPDX-License-Identifier: MIT */
/* db - opens the store for a command, and gives its SQL the functions that
 * several commands group and filter by. */
#include "db.h"

#include "aside.h"
#include "engine/recover.h"
#include "engine/store.h"
#include "engine/store_schema.h"
#include "load.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Who names a file means one that is there; the usual one may be to come. */
static int not_there(const struct uns_common *common, const char *path)
{
    if (common->db != NULL)
        return uns_args_fail(common->command, "--db %s: no such file",
                             common->db);
    if (common->json)
        puts("[]");
    else
        printf("no calls recorded yet (%s);\n"
               "'unstall run -- PROGRAM' records a program's\n",
               path);
    return UNS_EXIT_OK;
}

/* What is in the way, where the system says it; else what `err` says. */
static const char *obstacle(const char *path, enum uns_err err)
{
    struct stat st;

    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
        return "it is a directory";
    return access(path, R_OK) != 0 ? strerror(errno) : uns_err_str(err);
}

static int cannot_open(const char *command, const char *path, enum uns_err err)
{
    fprintf(stderr, "unstall %s: %s: %s\n", command, path,
            err == UNS_CORRUPT || err == UNS_FOREIGN
                ? "no database of unstall, or damaged"
                : obstacle(path, err));
    return UNS_EXIT_FAILED;
}

/* UNS_OK with NULL: there is no such file. */
static enum uns_err open_path(const char *path, sqlite3 **ret_db)
{
    enum uns_err err;

    *ret_db = NULL;
    (void)uns_recover(path, UNS_RECOVER_COMMAND);
    uns_aside_tell(path);
    err = uns_store_open(path, ret_db);
    return err == UNS_NOTFOUND ? UNS_OK : err;
}

/* *db is closed, and NULL, when it fails. */
static int make_ready(const char *command, sqlite3 **db)
{
    int code = UNS_EXIT_OK;

    if (uns_db_functions(*db) == SQLITE_OK)
        return code;
    code = uns_db_fail(command, *db);
    *db = NULL;
    return code;
}

static enum uns_err open_empty(sqlite3 **ret_db)
{
    sqlite3 *db = NULL;
    enum uns_err err = uns_sql_err(sqlite3_open(":memory:", &db));

    if (err == UNS_OK)
        err = uns_schema_upgrade(db);
    if (err != UNS_OK)
        sqlite3_close(db);
    else
        *ret_db = db;
    return err;
}

/* `quietly`: an empty one stands for one that is not there. */
static int open_store(const struct uns_common *common, bool quietly,
                      sqlite3 **ret_db)
{
    char *path = uns_cli_store_path(common);
    int code = UNS_EXIT_USAGE;
    enum uns_err err;

    *ret_db = NULL;
    if (path == NULL)
        return code;
    err = open_path(path, ret_db);
    if (err == UNS_OK && *ret_db == NULL && quietly)
        err = open_empty(ret_db);
    if (err != UNS_OK)
        code = cannot_open(common->command, path, err);
    else if (*ret_db != NULL)
        code = make_ready(common->command, ret_db);
    else
        code = not_there(common, path);
    free(path);
    return code;
}

int uns_db_open(const struct uns_common *common, sqlite3 **ret_db)
{
    return open_store(common, false, ret_db);
}

int uns_db_open_quietly(const struct uns_common *common, sqlite3 **ret_db)
{
    return open_store(common, true, ret_db);
}

int uns_db_fail(const char *command, sqlite3 *db)
{
    fprintf(stderr, "unstall %s: the database cannot be read: %s\n", command,
            sqlite3_errmsg(db));
    sqlite3_close(db);
    return UNS_EXIT_FAILED;
}

int uns_db_close(const char *command, sqlite3 *db, int rc)
{
    if (rc != SQLITE_DONE)
        return uns_db_fail(command, db);
    sqlite3_close(db);
    return UNS_EXIT_OK;
}
