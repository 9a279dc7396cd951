/* SPDX-License-Identifier: MIT */
/*
 * store_purge - `unstall store purge`: calls, for good.  What is deleted is
 * overwritten, the file made anew and its log emptied: the rows cannot be read
 * from what is left.  (What a file system or a backup has kept is theirs.)
 */
#include "store.h"

#include "aside.h"
#include "cursor.h"
#include "db.h"
#include "engine/store_delete.h"

#include <stdio.h>
#include <unistd.h>

static int64_t count_calls(sqlite3 *db, const struct uns_select *select)
{
    sqlite3_stmt *stmt =
        uns_select_prepare(db, "SELECT count(*)" UNS_SELECT_FROM, select);
    int64_t count = stmt != NULL && sqlite3_step(stmt) == SQLITE_ROW
                        ? sqlite3_column_int64(stmt, 0)
                        : -1;

    sqlite3_finalize(stmt);
    return count;
}

/* False: no, or nobody can be asked, which is told. */
static bool agreed(const char *path, const struct uns_store_options *options,
                   int64_t count)
{
    int answer, letter;

    if (options->yes)
        return true;
    if (!isatty(STDIN_FILENO)) {
        uns_args_fail("store", "purge asks on a terminal; --yes says that you "
                               "mean it");
        return false;
    }
    fprintf(stderr, "Delete %lld calls from %s, for good? [y/N] ",
            (long long)count, path);
    answer = letter = getchar();
    while (letter != '\n' && letter != EOF)
        letter = getchar();
    return answer == 'y' || answer == 'Y';
}

struct step {
    const struct uns_select *select;
    size_t gone;
};

static enum uns_err delete_step(sqlite3 *db, void *arg)
{
    struct step *step = arg;
    sqlite3_stmt *stmt = NULL;
    enum uns_err err = uns_sql_exec(db, "PRAGMA secure_delete = ON");

    if (err == UNS_OK && uns_db_functions(db) == SQLITE_OK)
        stmt =
            uns_select_prepare(db, "SELECT id" UNS_SELECT_FROM, step->select);
    if (stmt == NULL)
        return err == UNS_OK ? uns_sql_err(sqlite3_errcode(db)) : err;
    err = uns_delete_these(db, stmt, UNS_DELETE_COMMAND, &step->gone);
    sqlite3_finalize(stmt);
    if (err == UNS_OK && uns_select_is_all(step->select))
        err = uns_cursor_purge(db);
    return err;
}

static enum uns_err
delete_all(const char *path, const struct uns_select *select, int64_t *ret_gone)
{
    struct step step = {select, UNS_DELETE_COMMAND};
    enum uns_err err = UNS_OK;

    *ret_gone = 0;
    while (err == UNS_OK && step.gone == UNS_DELETE_COMMAND) {
        step.gone = 0;
        err = uns_store_change(path, delete_step, &step, UNS_STORE_WAIT_MS);
        *ret_gone += (int64_t)step.gone;
    }
    if (err == UNS_OK)
        err = uns_store_shrink(path);
    return err;
}

static int purge(const char *path, const struct uns_store_options *options)
{
    int64_t gone;
    enum uns_err err = delete_all(path, &options->select, &gone);
    size_t asides =
        uns_select_is_all(&options->select) ? uns_aside_delete(path) : 0;

    if (err != UNS_OK)
        return uns_store_fail(path, err);
    if (options->common.json) {
        printf("{\"deleted\": %lld, \"set_aside\": %zu}\n", (long long)gone,
               asides);
        return UNS_EXIT_OK;
    }
    printf("%lld calls deleted\n", (long long)gone);
    if (asides > 0)
        printf("%zu damaged databases deleted that were set aside\n", asides);
    return UNS_EXIT_OK;
}

int uns_store_purge(const char *path, const struct uns_store_options *options)
{
    sqlite3 *db;
    int code = uns_db_open(&options->common, &db);
    int64_t count;

    if (db == NULL)
        return code;
    count = count_calls(db, &options->select);
    if (count < 0)
        return uns_db_fail("store", db);
    sqlite3_close(db);
    if (!agreed(path, options, count))
        return options->yes || isatty(STDIN_FILENO) ? UNS_EXIT_FAILED
                                                    : UNS_EXIT_USAGE;
    return purge(path, options);
}
