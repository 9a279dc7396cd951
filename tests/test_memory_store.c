/* SPDX-License-Identifier: MIT */
/* The store without memory, allocation by allocation, SQLite's included: a
 * batch is written as a whole or not at all (P4), a sound file is never taken
 * for a damaged one, and what is read is all of it or an error (P8). */
#include "starve.h"
#include "store_fixture.h"

#include "core/delay.h"
#include "engine/store_aside.h"
#include "engine/store_load.h"
#include "engine/store_times.h"

#include <fcntl.h>

#define CALLS  2 /* of the batch */
#define CHUNKS 1500
#define STALLS 3
#define DAY_US INT64_C(86400000000)

static struct place *here;
static struct uns_entry *batch;

/* Databases as they are begun with, made once. */
static struct image {
    char data[1 << 18];
    ssize_t len;
} sound, older, damaged;

/* --- what there is before -------------------------------------------------*/

static void remove_asides(void);

static void no_store(void)
{
    remove_asides();
    unlink(here->db);
    unlink(here->wal);
    unlink(here->shm);
}

/* One with a timeline that is longer than a page of the file. */
static void draw(struct uns_entry *entry)
{
    struct uns_timeline timeline;
    uint8_t *bytes = malloc(UNS_TIMELINE_BYTES);
    uns_ns at_ns = 0;

    assert_non_null(bytes);
    uns_timeline_init(&timeline, bytes, UNS_TIMELINE_BYTES, 2 * UNS_S);
    for (int i = 0; i < CHUNKS; i++) {
        uns_ns gap_ns = i % 500 == 250 ? 3 * UNS_S : UNS_S;

        at_ns += gap_ns;
        uns_timeline_note(&timeline, &(struct uns_moment){UNS_MARK_CHUNK, 1,
                                                          at_ns, 0, gap_ns});
    }
    assert_true(timeline.len > 4096);
    entry->timeline[0].data = bytes;
    entry->timeline[0].len = timeline.len;
}

static struct uns_entry *call_of(const char *uuid, int64_t day)
{
    struct uns_entry *entry = entry_named(uuid);

    entry->call.started_at = day * DAY_US;
    entry->call.streaming = 1;
    strcpy(entry->call.model, "m");
    entry->attempts = 1;
    entry->attempt[0].seq = 0;
    entry->attempt[0].ttft_us = 1500000;
    strcpy(entry->attempt[0].origin, "https://o.example");
    draw(entry);
    return entry;
}

static void copy_from(const char *path, struct image *image)
{
    int fd = open(path, O_RDONLY);

    image->len = read(fd, image->data, sizeof image->data);
    assert_true(image->len > 0 && (size_t)image->len < sizeof image->data);
    close(fd);
}

static void begin_with(const struct image *image)
{
    int fd;

    no_store();
    fd = open(here->db, O_WRONLY | O_CREAT, 0600);
    assert_int_equal(write(fd, image->data, (size_t)image->len), image->len);
    close(fd);
}

/* One call, of long ago. */
static void with_one(void)
{
    begin_with(&sound);
}

static void with_an_older_one(void)
{
    begin_with(&older);
}

static void with_a_damaged_one(void)
{
    begin_with(&damaged);
}

static void make_images(void)
{
    write_ok(here->db, call_of("before", 1));
    do_sql(here->db, "PRAGMA journal_mode = DELETE");
    copy_from(here->db, &sound);
    do_sql(here->db, "PRAGMA user_version = 0; DROP TABLE budget;"
                     "DROP INDEX calls_uuid;"
                     "ALTER TABLE calls DROP COLUMN wall_ms;"
                     "ALTER TABLE attempts DROP COLUMN source");
    copy_from(here->db, &older);
    damaged = sound;
    memset(damaged.data + 100, 0xa5, (size_t)damaged.len - 100);
}

/* --- what there is afterwards ---------------------------------------------*/

static int asides;

static void count_aside(const char *aside, void *arg)
{
    (void)arg;
    asides++;
    if (arg)
        unlink(aside);
}

static void remove_asides(void)
{
    uns_aside_each(here->db, count_aside, &asides);
    asides = 0;
}

/* Without what uns_store_open() adds to an older file, and so in a moment; 0:
 * there is no such file, or no such table in it. */
static int64_t rows(const char *sql)
{
    sqlite3 *db = NULL;
    int64_t count = 0;

    if (sqlite3_open_v2(here->db, &db, SQLITE_OPEN_READWRITE, NULL) ==
        SQLITE_OK)
        (void)!uns_sql_int(db, sql, &count);
    sqlite3_close(db);
    return count;
}

static void check_rows(const char *row, int64_t calls)
{
    CHECK_INT(row, rows("SELECT count(*) FROM calls"), calls);
    CHECK_INT(row, rows("SELECT count(timeline) FROM attempts"), calls);
    CHECK_INT(row, rows("SELECT count(*) FROM stalls"), calls * STALLS);
    uns_aside_each(here->db, count_aside, NULL);
    CHECK_INT(row, asides, 0);
}

static void all_or_nothing(const char *row, enum uns_err err)
{
    check_rows(row, err == UNS_OK ? CALLS : 0);
}

static void one_and_all_or_nothing(const char *row, enum uns_err err)
{
    check_rows(row, err == UNS_OK ? 1 + CALLS : 1);
}

/* The old call goes, or stays for the next batch. */
static void one_or_gone(const char *row, enum uns_err err)
{
    int64_t old = rows("SELECT count(*) FROM calls WHERE uuid = 'before'");

    if (err == UNS_OK)
        check_rows(row, CALLS + old);
    else
        check_rows(row, 1);
}

/* The damaged one is where it was, or aside; it is there once. */
static void set_aside_once(const char *row, enum uns_err err)
{
    char byte = 0;
    int fd = open(here->db, O_RDONLY);
    bool is_damaged =
        fd >= 0 && pread(fd, &byte, 1, 100) == 1 && byte == '\xa5';

    if (fd >= 0)
        close(fd);
    asides = 0;
    uns_aside_each(here->db, count_aside, NULL);
    CHECK_INT(row, asides + is_damaged, 1);
    if (err == UNS_OK)
        CHECK_INT(row, rows("SELECT count(*) FROM calls"), CALLS);
}

static void nothing(const char *row, enum uns_err err)
{
    (void)row;
    (void)err;
}

/* --- operations -----------------------------------------------------------*/

static enum uns_err write_batch(void)
{
    return uns_store_write(here->db, batch, 20);
}

/* The newest call tells the day: the old one is to go. */
static enum uns_err write_and_delete(void)
{
    enum uns_err err;

    batch->retain_days = 30;
    err = write_batch();
    batch->retain_days = 0;
    return err;
}

/* Columns and tables that the file lacks have to be there. */
static enum uns_err open_older(void)
{
    int64_t count = -1;
    sqlite3 *db;
    enum uns_err err = uns_store_open(here->db, &db);

    if (err != UNS_OK)
        return err;
    err = uns_sql_int(db,
                      "SELECT count(*) + count(wall_ms) +"
                      " (SELECT count(*) FROM budget) FROM calls",
                      &count);
    if (err == UNS_OK)
        CHECK_INT("open", count, 1);
    sqlite3_close(db);
    return err;
}

static enum uns_err load(void)
{
    struct uns_entry *entry = NULL;
    sqlite3 *db;
    enum uns_err err = uns_store_open(here->db, &db);

    if (err != UNS_OK)
        return err;
    err = uns_store_load(db, 1, &entry);
    if (err == UNS_OK) {
        CHECK_TEXT("load", entry->call.uuid, "before");
        CHECK_INT("load", entry->attempts, 1);
        CHECK_INT("load", entry->timeline[0].len > 4096, true);
        CHECK_INT("load", entry->stall_threshold_ns, 3 * UNS_S - 1);
        uns_entry_free(entry);
    }
    sqlite3_close(db);
    return err;
}

static enum uns_err read_times(void)
{
    static const struct uns_times_of whose = {
        .origin = "https://o.example", .model = "m", .streaming = true};
    static struct uns_times times;
    enum uns_err err = uns_store_times(here->db, &whose, 0, &times);

    if (err == UNS_OK) {
        CHECK_INT("times", times.count, 1);
        CHECK_INT("times", times.time[0].us, 1500000);
    }
    return err;
}

static void test_store_writes_all_or_nothing_without_memory(void **state)
{
    static const struct operation ops[] = {
        {"a new file", no_store, write_batch, all_or_nothing},
        {"one more batch", with_one, write_batch, one_and_all_or_nothing},
        {"an older file", with_an_older_one, write_batch,
         one_and_all_or_nothing},
        {"old calls go", with_one, write_and_delete, one_or_gone},
    };

    (void)state;
    starve_each(ops, ROWS(ops));
}

static void test_store_sets_aside_what_is_damaged_alone(void **state)
{
    static const struct operation op = {"a damaged file", with_a_damaged_one,
                                        write_batch, set_aside_once};

    (void)state;
    starve_each(&op, 1);
}

static void test_store_reads_all_or_says_so_without_memory(void **state)
{
    static const struct operation ops[] = {
        {"open", with_an_older_one, open_older, nothing},
        {"load", with_one, load, nothing},
        {"times", with_one, read_times, nothing},
    };

    (void)state;
    starve_each(ops, ROWS(ops));
}

static int enter(void **state)
{
    place_setup(state);
    here = *state;
    batch = call_of("first", 100);
    batch->next = call_of("second", 100);
    make_images();
    return 0;
}

static int leave(void **state)
{
    uns_entry_free(batch->next);
    uns_entry_free(batch);
    return place_teardown(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store_writes_all_or_nothing_without_memory),
        cmocka_unit_test(test_store_sets_aside_what_is_damaged_alone),
        cmocka_unit_test(test_store_reads_all_or_says_so_without_memory),
    };

    return cmocka_run_group_tests(tests, enter, leave);
}
