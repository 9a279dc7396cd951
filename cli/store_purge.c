/* SPDX-License-Identifier: MIT */
/*
 * store_purge - `unstall store purge`: calls, for good.  What is deleted is
 * overwritten, the file made anew and its log emptied: the rows cannot be read
 * from what is left.  (What a file system or a backup has kept is theirs.)
 * Captures go before the rows, which alone tell whose they are.
 */
#include "store.h"

#include "aside.h"
#include "captures.h"
#include "cursor.h"
#include "db.h"
#include "engine/store_delete.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
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
    if (options->captures == NULL)
        fputs("Their captures, if any, stay: --captures DIR deletes them, "
              "too.\n",
              stderr);
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

/* -1 without one; false: it cannot be used, which is told. */
static bool open_captures(const struct uns_store_options *options, int *ret_dir)
{
    *ret_dir = -1;
    if (options->captures == NULL)
        return true;
    *ret_dir = uns_captures_open(options->captures);
    if (*ret_dir < 0)
        uns_args_fail("store", "--captures %s: %s", options->captures,
                      errno == EPERM ? "no directory of yours"
                                     : strerror(errno));
    return *ret_dir >= 0;
}

static void say_captures(const struct uns_store_options *options,
                         const struct uns_captures *captures, int64_t calls)
{
    if (options->captures == NULL) {
        if (calls > 0)
            puts("their captures, if any (unstall run --capture), are still "
                 "there");
        return;
    }
    printf("%zu captures deleted\n", captures->gone);
    if (captures->others > 0)
        printf("%zu in %s are not known to be of these calls, and stay\n",
               captures->others, options->captures);
}

static void say_json(const struct uns_store_options *options,
                     const struct uns_captures *captures, int64_t calls,
                     size_t asides)
{
    printf("{\"deleted\": %lld, \"set_aside\": %zu", (long long)calls, asides);
    if (options->captures == NULL)
        printf(", \"captures\": null, \"captures_left\": null}\n");
    else
        printf(", \"captures\": %zu, \"captures_left\": %zu}\n", captures->gone,
               captures->others);
}

static int purge(const char *path, const struct uns_store_options *options,
                 const struct uns_captures *captures)
{
    int64_t gone;
    enum uns_err err = delete_all(path, &options->select, &gone);
    size_t asides =
        uns_select_is_all(&options->select) ? uns_aside_delete(path) : 0;

    if (err != UNS_OK)
        return uns_store_fail(path, err);
    if (options->common.json) {
        say_json(options, captures, gone, asides);
        return UNS_EXIT_OK;
    }
    printf("%lld calls deleted\n", (long long)gone);
    say_captures(options, captures, gone);
    if (asides > 0)
        printf("%zu damaged databases deleted that were set aside\n", asides);
    return UNS_EXIT_OK;
}

/* Captures that cannot go keep the rows that tell whose they are. */
static bool purge_captures(sqlite3 *db, int dir,
                           const struct uns_store_options *options,
                           struct uns_captures *ret_captures)
{
    *ret_captures = (struct uns_captures){0};
    if (dir < 0)
        return true;
    if (uns_captures_delete(dir, db, &options->select, ret_captures) &&
        ret_captures->failed == 0)
        return true;
    fprintf(stderr,
            "unstall store: %s: not all captures could be deleted; the calls "
            "were not\n",
            options->captures);
    return false;
}

/* Takes `db`. */
static int purge_with(sqlite3 *db, int dir, const char *path,
                      const struct uns_store_options *options)
{
    int64_t count = count_calls(db, &options->select);
    struct uns_captures captures;
    bool go_on;

    if (count < 0)
        return uns_db_fail("store", db);
    go_on = agreed(path, options, count);
    if (!go_on) {
        sqlite3_close(db);
        return options->yes || isatty(STDIN_FILENO) ? UNS_EXIT_FAILED
                                                    : UNS_EXIT_USAGE;
    }
    go_on = purge_captures(db, dir, options, &captures);
    sqlite3_close(db);
    return go_on ? purge(path, options, &captures) : UNS_EXIT_FAILED;
}

int uns_store_purge(const char *path, const struct uns_store_options *options)
{
    sqlite3 *db;
    int dir, code;

    if (!open_captures(options, &dir))
        return UNS_EXIT_USAGE;
    code = uns_db_open(&options->common, &db);
    if (db != NULL)
        code = purge_with(db, dir, path, options);
    if (dir >= 0)
        close(dir);
    return code;
}
