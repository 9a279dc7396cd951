/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_STORE_FIXTURE_H
#define UNS_TESTS_STORE_FIXTURE_H

/* store_fixture - a temporary directory, entries made from the metrics table,
 * and questions to the file that was written. */

#include "check.h"
#include "child.h"
#include "core/timeline.h"
#include "engine/sql.h"
#include "engine/store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    char dir[64];
    char state[96]; /* dir/state/unstall: not there yet */
    char db[128];   /* state/unstall.db */
    char wal[140];  /* and its companions */
    char shm[140];
};

static inline int place_setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);

    assert_non_null(place);
    strcpy(place->dir, "/tmp/unstall-test-XXXXXX");
    assert_non_null(mkdtemp(place->dir));
    sprintf(place->state, "%s/state/unstall", place->dir);
    sprintf(place->db, "%s/unstall.db", place->state);
    sprintf(place->wal, "%s-wal", place->db);
    sprintf(place->shm, "%s-shm", place->db);
    *state = place;
    return 0;
}

static inline int place_teardown(void **state)
{
    struct place *place = *state;
    char command[128];

    sprintf(command, "rm -rf '%s'", place->dir);
    assert_int_equal(system(command), 0);
    free(place);
    return 0;
}

/* A second use of "the same" entry must differ: uuid. */
static inline struct uns_entry *entry_named(const char *uuid)
{
    struct uns_entry *entry = uns_entry_new();

    assert_non_null(entry);
    snprintf(entry->call.uuid, sizeof entry->call.uuid, "%s", uuid);
    entry->stall_threshold_ns = 2 * UNS_S;
    return entry;
}

static inline struct uns_entry *entry_numbered(long number)
{
    char uuid[32];

    snprintf(uuid, sizeof uuid, "%ld", number);
    return entry_named(uuid);
}

static inline void write_ok(const char *path, struct uns_entry *entry)
{
    assert_int_equal(uns_store_write(path, entry, 1000), UNS_OK);
    uns_entry_free(entry);
}

/* The one number that `sql` asks for. */
static inline int64_t ask(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    int64_t value = -1;
    enum uns_err err;

    CHECK_INT(sql, uns_store_open(path, &db), UNS_OK);
    err = uns_sql_int(db, sql, &value);
    if (err != UNS_OK)
        print_error("%s\n", sqlite3_errmsg(db));
    CHECK_INT(sql, err, UNS_OK);
    sqlite3_close(db);
    return value;
}

/* Statements by hand, past our own code. */
static inline void do_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    CHECK_INT(sql, sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static inline int mode_of(const char *path)
{
    struct stat st;

    CHECK_INT(path, lstat(path, &st), 0);
    return (int)(st.st_mode & 07777);
}

#endif
