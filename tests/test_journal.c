/* SPDX-License-Identifier: MIT */
/* When finished calls reach the store, and what becomes of them when they
 * cannot. */
#include "journal_fixture.h"

#include <errno.h>
#include <signal.h>

static sqlite3 *lock_store(void)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(db_path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), 0);
    return db;
}

static void unlock_store(sqlite3 *db)
{
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_close(db);
}

static int first_at_once(void *arg)
{
    (void)arg;
    clock_ns = 0;
    put(1);
    NEED(written() == 1);
    return 0;
}

static void test_journal_writes_the_first_call_at_once(void **state)
{
    apart(state, first_at_once);
}

static int every_250_ms(void *arg)
{
    (void)arg;
    put(1);
    put(2);
    clock_ns += 250 * UNS_MS - 1;
    put(3);
    NEED(written() == 1);
    NEED(uns_journal_state().waiting == 2);
    clock_ns += 1;
    put(4);
    NEED(written() == 4);
    NEED(uns_journal_state().waiting == 0);
    return 0;
}

static void test_journal_writes_every_250_ms(void **state)
{
    apart(state, every_250_ms);
}

static int every_64_calls(void *arg)
{
    (void)arg;
    put(1);
    put_many(2, 63);
    NEED(written() == 1);
    put(65);
    NEED(written() == 65);
    return 0;
}

static void test_journal_writes_every_64_calls(void **state)
{
    apart(state, every_64_calls);
}

static int flushes(void *arg)
{
    (void)arg;
    uns_journal_flush();
    put_many(1, 10);
    uns_journal_flush();
    NEED(written() == 10);
    return 0;
}

static void test_journal_flush_writes_what_waits(void **state)
{
    apart(state, flushes);
}

/* P4: a locked database loses nothing. */
static int keeps_what_is_not_taken(void *arg)
{
    sqlite3 *db;

    (void)arg;
    put(1);
    db = lock_store();
    clock_ns += UNS_S;
    put(2);
    put(3);
    NEED(uns_journal_state().waiting == 2);
    unlock_store(db);
    put(4); /* too soon for another try */
    NEED(written() == 1);
    clock_ns += UNS_S;
    put(5);
    NEED(written() == 5);
    NEED(ask(db_path, "SELECT group_concat(uuid, '') = '12345' FROM calls"));
    return 0;
}

static void test_journal_keeps_what_the_store_cannot_take(void **state)
{
    apart(state, keeps_what_is_not_taken);
}

static int drops_the_oldest(void *arg)
{
    const long limit = UNS_JOURNAL_ENTRIES;
    sqlite3 *db;

    (void)arg;
    put(0);
    db = lock_store();
    put_many(1, limit + 100);
    clock_ns += UNS_S;
    put(limit + 101);
    NEED(uns_journal_state().waiting == (size_t)limit);
    NEED(uns_journal_state().dropped == 101);
    unlock_store(db);
    uns_journal_flush();
    NEED(written() == limit + 1);
    NEED(ask(db_path, "SELECT min(CAST(uuid AS INTEGER)) FROM calls"
                      " WHERE uuid <> '0'") == 102);
    return 0;
}

static void test_journal_drops_the_oldest_beyond_its_limit(void **state)
{
    apart(state, drops_the_oldest);
}

static int is_bounded_in_bytes(void *arg)
{
    sqlite3 *db;

    (void)arg;
    put(0);
    db = lock_store();
    for (long i = 1; i <= 20; i++) {
        struct uns_entry *entry = entry_numbered(i);

        entry->attempts = 1;
        entry->timeline[0].len = UNS_JOURNAL_BYTES / 10;
        entry->timeline[0].data = calloc(1, entry->timeline[0].len);
        clock_ns += UNS_S;
        uns_journal_put(db_path, entry, false);
    }
    NEED(uns_journal_state().waiting == 9);
    NEED(uns_journal_state().dropped == 11);
    unlock_store(db);
    return 0;
}

static void test_journal_is_bounded_in_bytes(void **state)
{
    apart(state, is_bounded_in_bytes);
}

static int exits_with_calls_waiting(void *arg)
{
    (void)arg;
    put_many(1, 3);
    exit(0);
}

static void test_journal_writes_the_rest_at_exit(void **state)
{
    apart(state, exits_with_calls_waiting);
    assert_int_equal(written(), 3);
}

static void put_late(void)
{
    put(3);
}

static int calls_in_an_exit_handler(void *arg)
{
    (void)arg;
    atexit(put_late);
    put_many(1, 2);
    exit(0);
}

static void test_journal_takes_calls_from_exit_handlers(void **state)
{
    apart(state, calls_in_an_exit_handler);
    assert_int_equal(written(), 3);
}

static bool ends_late;

/* Runs after the journal's own destructor. */
__attribute__((destructor(101))) static void put_after_the_end(void)
{
    if (ends_late)
        put(3);
}

static int calls_after_the_end(void *arg)
{
    (void)arg;
    ends_late = true;
    put_many(1, 2);
    exit(0);
}

static void test_journal_takes_calls_after_its_own_end(void **state)
{
    apart(state, calls_after_the_end);
    assert_int_equal(written(), 3);
}

static int changes_nothing_of_the_host(void *arg)
{
    sigset_t before, after;

    (void)arg;
    sigemptyset(&before);
    sigaddset(&before, SIGUSR1);
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = 4711;
    put(1);
    uns_journal_put("/proc/no/such.db", entry_numbered(2), true);
    uns_journal_put(db_path, NULL, true);
    uns_journal_flush();
    NEED(errno == 4711);
    sigprocmask(SIG_SETMASK, NULL, &after);
    NEED(sigismember(&after, SIGUSR1) && !sigismember(&after, SIGINT));
    return 0;
}

static void test_journal_changes_nothing_of_the_host(void **state)
{
    apart(state, changes_nothing_of_the_host);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_journal_writes_the_first_call_at_once),
        TEST(test_journal_writes_every_250_ms),
        TEST(test_journal_writes_every_64_calls),
        TEST(test_journal_flush_writes_what_waits),
        TEST(test_journal_keeps_what_the_store_cannot_take),
        TEST(test_journal_drops_the_oldest_beyond_its_limit),
        TEST(test_journal_is_bounded_in_bytes),
        TEST(test_journal_writes_the_rest_at_exit),
        TEST(test_journal_takes_calls_from_exit_handlers),
        TEST(test_journal_takes_calls_after_its_own_end),
        TEST(test_journal_changes_nothing_of_the_host),
    };

    return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
