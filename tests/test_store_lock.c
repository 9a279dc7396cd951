/* SPDX-License-Identifier: MIT */
/* Many writers at one file: threads, processes, forks, and a log that does
 * not grow for ever. */
#include "engine/store_lock.h"

#include "store_fixture.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#define PROCESSES 8
#define THREADS   4
#define EACH      25
#define FIRST     10000000 /* no process has such a number */

static enum uns_err try_write(const char *path, int wait_ms)
{
    struct uns_entry *entry = entry_named("try");
    enum uns_err err = uns_store_write(path, entry, wait_ms);

    uns_entry_free(entry);
    return err;
}

static int64_t elapsed_ms(const struct timespec *since)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - since->tv_sec) * 1000 +
           (now.tv_nsec - since->tv_nsec) / 1000000;
}

/* P4, P6: the host is not held up longer than was said. */
static void test_store_lock_waits_as_long_as_it_may(void **state)
{
    static const int waits[] = {0, 20};
    struct place *place = *state;
    struct timespec begin;
    sqlite3 *db;

    write_ok(place->db, entry_named("a"));
    assert_int_equal(sqlite3_open(place->db, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), 0);
    for (size_t i = 0; i < ROWS(waits); i++) {
        clock_gettime(CLOCK_MONOTONIC, &begin);
        CHECK_INT("locked", try_write(place->db, waits[i]), UNS_BUSY);
        assert_true(elapsed_ms(&begin) >= waits[i]);
        assert_true(elapsed_ms(&begin) < 5000);
    }
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
    assert_int_equal(try_write(place->db, 0), UNS_OK);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"), 2);
}

static void *write_some(void *arg)
{
    static _Atomic long serial;
    const char *path = arg;

    for (int i = 0; i < EACH; i++) {
        struct uns_entry *entry = entry_numbered(getpid() * 1000L + serial++);

        entry->attempts = 1;
        if (uns_store_write(path, entry, 20000) != UNS_OK)
            return arg;
        uns_entry_free(entry);
    }
    return NULL;
}

static int write_some_and_exit(void *path)
{
    return write_some(path) == NULL ? 0 : 1;
}

/* The file does not exist yet: they also race for making it. */
static void test_store_lock_lets_eight_processes_write(void **state)
{
    struct place *place = *state;
    pid_t pids[PROCESSES];

    for (int i = 0; i < PROCESSES; i++) {
        pids[i] = fork();
        if (pids[i] == 0)
            _exit(write_some_and_exit(place->db));
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status = -1;

        waitpid(pids[i], &status, 0);
        CHECK_INT("process", status, 0);
    }
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"),
                     PROCESSES * EACH);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM attempts"),
                     PROCESSES * EACH);
}

static void test_store_lock_lets_threads_write(void **state)
{
    struct place *place = *state;
    pthread_t threads[THREADS];
    void *failed;

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, write_some, place->db);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"),
                     THREADS * EACH);
}

static atomic_bool stop;

static void *write_until_stopped(void *arg)
{
    for (long serial = FIRST; !atomic_load(&stop); serial++) {
        struct uns_entry *entry = entry_numbered(serial);

        if (uns_store_write(arg, entry, 20000) != UNS_OK)
            return arg;
        uns_entry_free(entry);
    }
    return NULL;
}

static int write_one(void *path)
{
    struct uns_entry *entry = entry_numbered(getpid());
    enum uns_err err = uns_store_write(path, entry, 20000);

    uns_entry_free(entry);
    return (int)err;
}

/* Children are forked off while a thread writes: none may inherit a database
 * that is open, and each can write. */
static void test_store_lock_is_not_carried_over_fork(void **state)
{
    struct place *place = *state;
    pthread_t thread;
    void *failed;
    int children = 0;

    if (!FORKS_BESIDE_THREADS)
        skip();
    pthread_create(&thread, NULL, write_until_stopped, place->db);
    for (; children < 50; children++)
        CHECK_INT("child", in_child(write_one, place->db), UNS_OK);
    atomic_store(&stop, true);
    pthread_join(thread, &failed);
    assert_null(failed);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"
                                    " WHERE CAST(uuid AS INTEGER) < 10000000"),
                     children);
}

static int take_it(void *left_ms)
{
    return uns_store_lock(left_ms) ? 0 : 1;
}

static void *take_it_in_thread(void *left_ms)
{
    return uns_store_lock(left_ms) ? left_ms : NULL;
}

static void test_store_lock_is_had_by_one_thread(void **state)
{
    pthread_t thread;
    int left_ms = 0;
    void *got = &left_ms;

    (void)state;
    assert_true(uns_store_lock(&left_ms));
    pthread_create(&thread, NULL, take_it_in_thread, &left_ms);
    pthread_join(thread, &got);
    assert_null(got);
    uns_store_unlock();
    pthread_create(&thread, NULL, take_it_in_thread, &left_ms);
    pthread_join(thread, &got);
    assert_non_null(got);
    uns_store_unlock();
}

/* fork() gives up waiting in the end; such a child must keep off SQLite. */
static void test_store_lock_bars_a_child_born_in_a_write(void **state)
{
    int left_ms = 0;

    (void)state;
    assert_true(uns_store_lock(&left_ms));
    assert_int_equal(in_child(take_it, &left_ms), 1);
    uns_store_unlock();
    assert_int_equal(in_child(take_it, &left_ms), 0);
}

static int64_t size_of(const char *path)
{
    struct stat st;

    assert_int_equal(stat(path, &st), 0);
    return st.st_size;
}

static void write_batches(const char *path, int count, int wait_ms)
{
    static long serial;

    for (int i = 0; i < count; i++) {
        struct uns_entry *entry = entry_numbered(serial++);

        entry->attempts = 2;
        assert_int_equal(uns_store_write(path, entry, wait_ms), UNS_OK);
        uns_entry_free(entry);
    }
}

/* Closing does not move the log into the file, and SQLite's own rule for it
 * would see a new log at every open. */
static void test_store_lock_keeps_the_log_short(void **state)
{
    struct place *place = *state;

    write_batches(place->db, 150, 50);
    assert_true(size_of(place->wal) < 300 * 4120);
    write_batches(place->db, 150, 50);
    assert_true(size_of(place->wal) < 300 * 4120);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"), 300);
}

/* In an event loop the disk is not waited for so soon. */
static void test_store_lock_lets_the_log_grow_in_an_event_loop(void **state)
{
    struct place *place = *state;

    write_batches(place->db, 150, 0);
    assert_true(size_of(place->wal) > 300 * 4120);
    write_batches(place->db, 1, 50);
    assert_true(size_of(place->wal) < 300 * 4120);
}

/* A reader that reads on must not stop the writers. */
static void test_store_lock_writes_beside_a_reader(void **state)
{
    struct place *place = *state;
    sqlite3_stmt *stmt;
    sqlite3 *db;

    write_batches(place->db, 2, 0);
    assert_int_equal(uns_store_open(place->db, &db), UNS_OK);
    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT id FROM calls", -1, &stmt, NULL), 0);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    write_batches(place->db, 150, 5);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_int_equal(sqlite3_step(stmt), SQLITE_DONE); /* its own moment */
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"), 152);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_store_lock_waits_as_long_as_it_may),
        TEST(test_store_lock_lets_eight_processes_write),
        TEST(test_store_lock_lets_threads_write),
        TEST(test_store_lock_is_not_carried_over_fork),
        TEST(test_store_lock_is_had_by_one_thread),
        TEST(test_store_lock_bars_a_child_born_in_a_write),
        TEST(test_store_lock_keeps_the_log_short),
        TEST(test_store_lock_lets_the_log_grow_in_an_event_loop),
        TEST(test_store_lock_writes_beside_a_reader),
    };

    return cmocka_run_group_tests_name("store_lock", tests, NULL, NULL);
}
