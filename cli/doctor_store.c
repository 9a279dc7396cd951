/* SPDX-License-Identifier: MIT */
/* doctor_store - would the next call's record be written, and can those that
 * are there be read?  Nothing is created or changed. */
#include "doctor.h"

#include "engine/sql.h"
#include "engine/store.h"
#include "engine/store_aside.h"
#include "engine/store_path.h"
#include "engine/store_schema.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define CHECKED_BYTES                                      \
    (INT64_C(256) << 20) /* a larger one is not read whole \
                          */
#define SPACE_BYTES (UINT64_C(64) << 20)

static struct uns_finding *add(struct uns_doctor *doctor, enum uns_level level,
                               const char *means, const char *todo)
{
    struct uns_finding *row =
        uns_findings_add(&doctor->findings, level, "store");

    if (means != NULL)
        uns_findings_say(&row->means, "%s", means);
    if (todo != NULL)
        uns_findings_say(&row->todo, "%s", todo);
    return row;
}

/* The budget lies there, too, and what cannot be counted is not spent. */
static struct uns_finding *add_useless(struct uns_doctor *doctor,
                                       const char *means, const char *todo)
{
    doctor->unpaid = true;
    return add(doctor, UNS_LEVEL_BAD, means, todo);
}

/* "/a/b" -> "/a"; "b" -> "." */
static void cut_name(char path[PATH_MAX])
{
    char *slash = strrchr(path, '/');

    if (slash == NULL)
        memcpy(path, ".", sizeof ".");
    else
        slash[slash == path] = '\0';
}

/* The directory that is there, or the first that would be made in. */
static void existing_directory(const char *path, char ret_dir[PATH_MAX])
{
    snprintf(ret_dir, PATH_MAX, "%s", path);
    do
        cut_name(ret_dir);
    while (access(ret_dir, F_OK) != 0 && strcmp(ret_dir, "/") != 0 &&
           strcmp(ret_dir, ".") != 0);
}

/* The rule of engine/store_path.c: it writes nowhere else. */
static void check_directory(struct uns_doctor *doctor, const char *path)
{
    char dir[PATH_MAX];
    struct stat st;
    struct statvfs fs;

    existing_directory(path, dir);
    if (stat(dir, &st) != 0 || access(dir, W_OK | X_OK) != 0)
        uns_findings_say(
            &add_useless(doctor, "No call is recorded, and none is hedged.",
                         "Make it writable, or name another place "
                         "(store.path).")
                 ->found,
            "%s: you cannot write there", dir);
    else if (access(path, F_OK) == 0 && st.st_uid != geteuid())
        uns_findings_say(
            &add_useless(doctor,
                         "Calls are not recorded in somebody else's "
                         "directory, and none is hedged.",
                         "Name one of your own (store.path).")
                 ->found,
            "%s: belongs to user %ld", dir, (long)st.st_uid);
    if (statvfs(dir, &fs) == 0 && fs.f_bavail * fs.f_frsize < SPACE_BYTES)
        uns_findings_say(
            &add(doctor, UNS_LEVEL_WARN,
                 "What the store cannot take is kept in memory, and lost at "
                 "exit.",
                 "Make room.")
                 ->found,
            "%s: %llu MB left", dir,
            (unsigned long long)(fs.f_bavail * fs.f_frsize >> 20));
}

static bool is_sound(sqlite3 *db)
{
    sqlite3_stmt *stmt = NULL;
    bool sound = false;

    if (sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &stmt, NULL) ==
            SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        sound = strcmp((const char *)sqlite3_column_text(stmt, 0), "ok") == 0;
    sqlite3_finalize(stmt);
    return sound;
}

static void tell_damage(struct uns_doctor *doctor, const char *path)
{
    bool aside = uns_aside_may(path);

    doctor->unpaid |= !aside;
    uns_findings_say(
        &add(doctor, UNS_LEVEL_BAD,
             aside ? "Its calls cannot be listed."
                   : "No call is recorded or hedged, and none can be listed.",
             aside ? "Nothing: at the next call it is set aside and a new one "
                     "begun. sqlite3's .recover may get at the old rows."
                   : "Move it away, with its -wal and -shm: a new one is made "
                     "at the next call.")
             ->found,
        "%s: damaged, or no database of unstall", path);
}

/* The log is a part of it until somebody has put it in. */
static int64_t with_log(const char *path, int64_t size)
{
    char log[PATH_MAX + 8];
    struct stat st;

    snprintf(log, sizeof log, "%s-wal", path);
    return size + (stat(log, &st) == 0 ? (int64_t)st.st_size : 0);
}

static void look_into(struct uns_doctor *doctor, const char *path, sqlite3 *db,
                      int64_t size)
{
    int64_t calls = 0, version = 0;

    if ((!doctor->brief && size <= CHECKED_BYTES && !is_sound(db)) ||
        uns_sql_int(db, "SELECT count(*) FROM calls", &calls) != UNS_OK ||
        uns_sql_int(db, "PRAGMA user_version", &version) != UNS_OK) {
        tell_damage(doctor, path);
        return;
    }
    if (version > (int64_t)uns_schema_version())
        uns_findings_say(
            &add_useless(doctor,
                         "A later unstall made it: this one reads it, and "
                         "records and hedges nothing.",
                         "Use the later one, or name another file "
                         "(store.path).")
                 ->found,
            "%s: schema %lld, and this unstall knows %u", path,
            (long long)version, uns_schema_version());
    else
        uns_findings_say(&add(doctor, UNS_LEVEL_GOOD, NULL, NULL)->found,
                         "%s: %lld call%s, %lld kB, schema %lld", path,
                         (long long)calls, calls == 1 ? "" : "s",
                         (long long)(size + 1023) / 1024, (long long)version);
}

static void tell_aside(const char *aside, void *arg)
{
    uns_findings_say(
        &add(arg, UNS_LEVEL_WARN,
             "It was damaged, and its calls are in no list.",
             "sqlite3's .recover may get at them. When it is of no use, "
             "delete it with its -wal and -shm.")
             ->found,
        "%s: set aside", aside);
}

/* Whose file, and may it be written? */
static bool check_file(struct uns_doctor *doctor, const char *real,
                       struct stat *ret_st)
{
    if (lstat(real, ret_st) == 0 && S_ISREG(ret_st->st_mode) &&
        ret_st->st_uid == geteuid() && access(real, R_OK | W_OK) == 0)
        return true;
    uns_findings_say(&add_useless(doctor,
                                  "Calls are not recorded there, and none is "
                                  "hedged.",
                                  "Name another file (store.path), or chmod "
                                  "600 it.")
                          ->found,
                     "%s: no file of yours that you can write", real);
    return false;
}

void uns_doctor_store(struct uns_doctor *doctor, const char *path)
{
    char real[PATH_MAX];
    struct stat st;
    sqlite3 *db = NULL;
    enum uns_err err;

    if (path == NULL) {
        uns_findings_say(&add_useless(doctor,
                                      "No call is recorded, and none is "
                                      "hedged.",
                                      "Set HOME or XDG_STATE_HOME.")
                              ->found,
                         "no place for the database");
        return;
    }
    check_directory(doctor, path);
    uns_aside_each(path, tell_aside, doctor);
    err = uns_store_locate(path, real);
    if (err == UNS_NOTFOUND) {
        uns_findings_say(&add(doctor, UNS_LEVEL_NOTE, NULL, NULL)->found,
                         "%s: not there yet, no call was recorded", path);
        return;
    }
    if (!check_file(doctor, err == UNS_OK ? real : path, &st))
        return;
    err = uns_store_open(path, &db);
    if (err == UNS_OK)
        look_into(doctor, real, db, with_log(real, (int64_t)st.st_size));
    else if (err == UNS_CORRUPT || err == UNS_FOREIGN)
        tell_damage(doctor, real);
    else
        uns_findings_say(&add(doctor, UNS_LEVEL_BAD, NULL, NULL)->found,
                         "%s: %s", real, uns_err_str(err));
    sqlite3_close(db);
}
