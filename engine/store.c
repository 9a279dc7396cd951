/* SPDX-License-Identifier: MIT */
/*
 * store - one batch, one transaction, one open and close.  Closing does not
 * checkpoint: that would be four fdatasync for every batch.  A commit that
 * finds the log long does.
 */
#include "store.h"

#include "log.h"
#include "quiet.h"
#include "store_aside.h"
#include "store_delete.h"
#include "store_lock.h"
#include "store_path.h"
#include "store_rows.h"
#include "store_schema.h"

#include <stdlib.h>
#include <time.h>

#define FLAGS \
    (SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE)

/* The log's pages at which a commit moves them into the file: where it may
 * wait for the disk, and in an application's event loop.  Each open reads the
 * log anew (2 us a page). */
#define LOG_PAGES      256
#define LOG_PAGES_LOOP 2048

struct uns_entry *uns_entry_new(void)
{
    struct uns_entry *entry = calloc(1, sizeof *entry);

    if (entry == NULL)
        return NULL;
    uns_call_record_clear(&entry->call);
    for (size_t i = 0; i < UNS_RACE_ATTEMPTS; i++)
        uns_attempt_record_clear(&entry->attempt[i]);
    return entry;
}

void uns_entry_free(struct uns_entry *entry)
{
    if (entry == NULL)
        return;
    for (size_t i = 0; i < UNS_RACE_ATTEMPTS; i++)
        free(entry->timeline[i].data);
    free(entry);
}

/* SQLite itself fills a closed descriptor 0, 1 or 2 with /dev/null and leaves
 * it open.  Under the store's lock: its table of system calls is global (to
 * our own hidden copy of it). */
static void install_open(void)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

    if (vfs != NULL && vfs->iVersion >= 3)
        (void)vfs->xSetSystemCall(vfs, "open",
                                  (sqlite3_syscall_ptr)uns_quiet_open);
}

/* One budget for all the locks of a batch. */
static int wait_for_lock(void *left_ms, int tries)
{
    const struct timespec pause = {0, 1000000};

    (void)tries;
    if (*(int *)left_ms <= 0)
        return 0;
    nanosleep(&pause, NULL);
    --*(int *)left_ms;
    return 1;
}

static enum uns_err open_file(const char *real, int flags, sqlite3 **ret_db)
{
    sqlite3 *db = NULL;
    int rc;

    install_open();
    rc = sqlite3_open_v2(real, &db, flags | FLAGS, NULL);
    if (rc == SQLITE_OK)
        rc = sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    if (rc != SQLITE_OK) {
        sqlite3_close(db);
        return uns_sql_err(rc);
    }
    *ret_db = db;
    return UNS_OK;
}

/* SQLite's own rule (sqlite3_wal_autocheckpoint) would never empty the log:
 * how much of it is in the file already is known in shared memory alone, and
 * that is gone when we close as the only user.  TRUNCATE does.  If a reader is
 * in the way, a later commit tries again. */
static int after_commit(void *limit, sqlite3 *db, const char *name, int pages)
{
    if (pages >= *(const int *)limit)
        (void)sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_TRUNCATE,
                                        NULL, NULL);
    return SQLITE_OK;
}

/* Others may be about to do the same: a file that is not in WAL mode yet can
 * be written all the same, and the next batch tries again. */
static enum uns_err use_wal(sqlite3 *db)
{
    enum uns_err err = uns_sql_exec(
        db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");

    return err == UNS_BUSY ? UNS_OK : err;
}

static enum uns_err attempt(sqlite3 *db, bool upgrade, uns_store_work *work,
                            void *arg)
{
    enum uns_err err = uns_sql_exec(db, "BEGIN IMMEDIATE");

    if (err != UNS_OK)
        return err;
    if (upgrade)
        err = uns_schema_upgrade(db);
    if (err == UNS_OK)
        err = work(db, arg);
    if (err == UNS_OK)
        err = uns_sql_exec(db, "COMMIT");
    if (err != UNS_OK)
        (void)sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    return err;
}

/* A statement that cannot be prepared is the sign that a column is missing:
 * asking for the columns each time would cost more than the batch. */
static enum uns_err transact(sqlite3 *db, uns_store_work *work, void *arg)
{
    bool current = false;
    enum uns_err err = uns_schema_check(db, &current);

    if (err == UNS_OK && current)
        err = attempt(db, false, work, arg);
    if (err == UNS_FOREIGN || (err == UNS_OK && !current))
        err = attempt(db, true, work, arg);
    return err;
}

static enum uns_err change(sqlite3 *db, uns_store_work *work, void *arg)
{
    bool current;
    enum uns_err err = uns_schema_check(db, &current);

    if (err == UNS_OK) /* nothing was changed before */
        err = use_wal(db);
    return err == UNS_OK ? transact(db, work, arg) : err;
}

/* *left_ms: of the patience. */
static enum uns_err change_once(const char *real, uns_store_work *work,
                                void *arg, int *left_ms)
{
    sqlite3 *db = NULL;
    int log_pages = *left_ms > 0 ? LOG_PAGES : LOG_PAGES_LOOP;
    enum uns_err err = open_file(real, SQLITE_OPEN_READWRITE, &db);

    if (err != UNS_OK)
        return err;
    sqlite3_busy_handler(db, wait_for_lock, left_ms);
    sqlite3_wal_hook(db, after_commit, &log_pages);
    err = change(db, work, arg);
    if (err != UNS_OK && err != UNS_BUSY) /* who tries again says that */
        uns_log("%s: not written: %s", real,
                err == UNS_UNSUPPORTED ? "it is of a later version of unstall"
                                       : uns_err_str(err));
    sqlite3_close(db);
    return err;
}

/* A file that is damaged is set aside, and the change made in a new one. */
static enum uns_err change_file(const char *path, uns_store_work *work,
                                void *arg, int wait_ms)
{
    char real[PATH_MAX];
    struct uns_aside_file file;
    enum uns_err err = uns_store_prepare(path, real);

    if (err != UNS_OK)
        return err;
    if (!uns_aside_look(real, &file))
        return UNS_IO;
    err = change_once(real, work, arg, &wait_ms);
    if (err != UNS_CORRUPT)
        return err;
    if (uns_aside_put(real, &file) != UNS_OK)
        return UNS_CORRUPT;
    err = uns_store_prepare(path, real);
    return err == UNS_OK ? change_once(real, work, arg, &wait_ms) : err;
}

static enum uns_err use_file(const char *path, int flags, uns_store_work *work,
                             void *arg, int *left_ms)
{
    char real[PATH_MAX];
    sqlite3 *db = NULL;
    bool current;
    enum uns_err err = uns_store_locate(path, real);

    if (err == UNS_OK)
        err = open_file(real, flags, &db);
    if (err != UNS_OK)
        return err;
    sqlite3_busy_handler(db, wait_for_lock, left_ms);
    err = uns_schema_check(db, &current);
    if (err == UNS_OK)
        err = work(db, arg);
    sqlite3_close(db);
    return err;
}

static enum uns_err read_file(const char *path, uns_store_work *work, void *arg,
                              int wait_ms)
{
    return use_file(path, SQLITE_OPEN_READONLY, work, arg, &wait_ms);
}

typedef enum uns_err use_fn(const char *path, uns_store_work *work, void *arg,
                            int wait_ms);

static enum uns_err in_host(use_fn *use, const char *path, uns_store_work *work,
                            void *arg, int wait_ms)
{
    struct uns_quiet quiet;
    enum uns_err err = UNS_BUSY;

    uns_quiet_begin(&quiet);
    if (uns_store_lock(&wait_ms)) {
        err = use(path, work, arg, wait_ms);
        uns_store_unlock();
    }
    uns_quiet_end(&quiet);
    return err;
}

enum uns_err uns_store_change(const char *path, uns_store_work *work, void *arg,
                              int wait_ms)
{
    return in_host(change_file, path, work, arg, wait_ms);
}

enum uns_err uns_store_read(const char *path, uns_store_work *work, void *arg,
                            int wait_ms)
{
    return in_host(read_file, path, work, arg, wait_ms);
}

enum uns_err uns_store_maintain(const char *path, uns_store_work *work,
                                void *arg, int wait_ms)
{
    return use_file(path, SQLITE_OPEN_READWRITE, work, arg, &wait_ms);
}

struct batch {
    const struct uns_entry *list;
    struct uns_delete old; /* older than the store is to keep */
    bool due;              /* there are some */
};

static enum uns_err insert_all(sqlite3 *db, void *arg)
{
    struct batch *batch = arg;
    const struct uns_entry *list = batch->list;
    struct uns_rows rows = {0};
    enum uns_err err = uns_rows_prepare(&rows, db);

    for (; err == UNS_OK && list != NULL; list = list->next)
        err = uns_rows_insert(&rows, list);
    uns_rows_done(&rows);
    if (err == UNS_OK)
        batch->due = uns_delete_is_due(db, batch->old.before_us);
    return err;
}

/* A transaction of its own, after the one that records: nothing that goes
 * wrong with the old calls is to cost the new ones. */
static void delete_old(const char *path, struct batch *batch)
{
    (void)!uns_store_change(path, uns_delete_old, &batch->old, 0);
}

enum uns_err uns_store_write(const char *path, const struct uns_entry *list,
                             int wait_ms)
{
    struct batch batch = {.list = list};
    enum uns_err err;

    if (list == NULL)
        return UNS_OK;
    batch.old = (struct uns_delete){
        .before_us =
            uns_delete_before(list->call.started_at, list->retain_days),
        .most = UNS_DELETE_HOST,
    };
    err = uns_store_change(path, insert_all, &batch, wait_ms);
    if (err == UNS_BUSY)
        uns_log("%s: not written: %s", path, uns_err_str(err));
    if (err == UNS_OK && batch.due && wait_ms > 0)
        delete_old(path, &batch);
    return err;
}

enum uns_err uns_store_open(const char *path, sqlite3 **ret_db)
{
    char real[PATH_MAX];
    sqlite3 *db = NULL;
    bool current;
    enum uns_err err = uns_store_locate(path, real);

    if (err == UNS_OK)
        err = open_file(real, SQLITE_OPEN_READONLY, &db);
    if (err != UNS_OK)
        return err;
    sqlite3_busy_timeout(db, 1000);
    err = uns_schema_check(db, &current);
    if (err == UNS_OK || err == UNS_UNSUPPORTED)
        err = uns_schema_complete(db);
    if (err != UNS_OK) {
        sqlite3_close(db);
        return err;
    }
    *ret_db = db;
    return UNS_OK;
}
