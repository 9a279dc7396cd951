/* SPDX-License-Identifier: MIT */
/* What goes and what stays: old calls with all that is theirs, a few at a
 * time, and never at the cost of a new one. */
#include "store_fixture.h"

#include "engine/store_delete.h"

#define DAY_US INT64_C(86400000000)
#define NOW_US (INT64_C(20000) * DAY_US + 12345)

static struct uns_entry *entry_of_day(long number, int64_t days_ago)
{
    struct uns_entry *entry = entry_numbered(number);

    entry->call.started_at = NOW_US - days_ago * DAY_US;
    entry->attempts = 2;
    return entry;
}

static void fill(const char *path, long first, long count, int64_t days_ago)
{
    for (long i = 0; i < count; i++)
        write_ok(path, entry_of_day(first + i, days_ago));
}

static void test_delete_counts_whole_days(void **state)
{
    static const struct {
        const char *name;
        int64_t now_us, days, want;
    } rows[] = {
        {"a day begins at midnight", NOW_US, 90, 19910 * DAY_US},
        {"the day after", NOW_US + DAY_US, 90, 19911 * DAY_US},
        {"for ever", NOW_US, UNS_NULL, UNS_NULL},
        {"not asked for", NOW_US, 0, UNS_NULL},
        {"nobody knows when", UNS_NULL, 90, UNS_NULL},
        {"a clock before 1970", -5, 90, UNS_NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].name, uns_delete_before(rows[i].now_us, rows[i].days),
                  rows[i].want);
}

static void test_delete_takes_a_call_with_all_that_is_its(void **state)
{
    struct place *place = *state;
    struct uns_delete what = {.before_us = NOW_US - 50 * DAY_US, .most = 10};

    fill(place->db, 1, 3, 100);
    fill(place->db, 4, 2, 10);
    do_sql(place->db, "INSERT INTO stalls (call_id, seq)"
                      " SELECT id, 0 FROM calls");
    assert_int_equal(uns_store_change(place->db, uns_delete_old, &what, 100),
                     UNS_OK);
    assert_int_equal(what.gone, 3);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"), 2);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM attempts"), 4);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM stalls"), 2);
    assert_int_equal(ask(place->db, "SELECT min(call_id) FROM attempts"), 4);
}

static void test_delete_takes_the_oldest_first_and_no_more_than_told(void **s)
{
    struct place *place = *s;
    struct uns_delete what = {.before_us = NOW_US, .most = 2};

    for (long i = 0; i < 5; i++)
        write_ok(place->db, entry_of_day(i, 100 + i));
    assert_int_equal(uns_store_change(place->db, uns_delete_old, &what, 100),
                     UNS_OK);
    assert_int_equal(what.gone, 2);
    assert_int_equal(ask(place->db, "SELECT max(started_at) FROM calls"),
                     NOW_US - 100 * DAY_US);
    assert_int_equal(ask(place->db, "SELECT min(started_at) FROM calls"),
                     NOW_US - 102 * DAY_US);
}

static enum uns_err delete_listed(sqlite3 *db, void *arg)
{
    sqlite3_stmt *stmt = NULL;
    enum uns_err err;

    assert_int_equal(sqlite3_prepare_v2(db,
                                        "SELECT id FROM calls"
                                        " WHERE uuid IN ('2', '4')",
                                        -1, &stmt, NULL),
                     SQLITE_OK);
    err = uns_delete_these(db, stmt, 100, arg);
    sqlite3_finalize(stmt);
    return err;
}

static void test_delete_takes_just_those_that_are_listed(void **state)
{
    struct place *place = *state;
    size_t gone = 0;

    fill(place->db, 1, 4, 0);
    assert_int_equal(uns_store_change(place->db, delete_listed, &gone, 100),
                     UNS_OK);
    assert_int_equal(gone, 2);
    assert_int_equal(ask(place->db, "SELECT sum(uuid) FROM calls"), 1 + 3);
}

/* A batch that may wait takes a bounded number of old ones with it. */
static void test_delete_comes_with_a_batch_that_may_wait(void **state)
{
    static const struct {
        const char *name;
        int64_t days;
        int wait_ms;
        int64_t left; /* of 70 old ones and the new one */
    } rows[] = {
        {"in an event loop: not now", 90, 0, 71},
        {"kept for ever", UNS_NULL, 50, 72},
        {"not old enough for that", 900, 50, 73},
        {"old: a bounded number", 90, 50, 74 - UNS_DELETE_HOST},
        {"the next batch: the rest", 90, 50, 5},
        {"then nothing more", 90, 50, 6},
    };
    struct place *place = *state;

    fill(place->db, 100, 70, 100);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_entry *entry = entry_of_day((long)i, 0);

        entry->retain_days = rows[i].days;
        CHECK_INT(rows[i].name,
                  uns_store_write(place->db, entry, rows[i].wait_ms), UNS_OK);
        uns_entry_free(entry);
        CHECK_INT(rows[i].name, ask(place->db, "SELECT count(*) FROM calls"),
                  rows[i].left);
    }
}

/* P4: what goes wrong with the old ones costs no new one. */
static void test_delete_that_fails_costs_no_new_call(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = entry_of_day(1, 0);

    fill(place->db, 100, 3, 100);
    do_sql(place->db, "CREATE TRIGGER keep BEFORE DELETE ON calls"
                      " BEGIN SELECT RAISE(ABORT, 'no'); END");
    entry->retain_days = 90;
    assert_int_equal(uns_store_write(place->db, entry, 50), UNS_OK);
    uns_entry_free(entry);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"), 4);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM attempts"), 8);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delete_counts_whole_days),
        TEST(test_delete_takes_a_call_with_all_that_is_its),
        TEST(test_delete_takes_the_oldest_first_and_no_more_than_told),
        TEST(test_delete_takes_just_those_that_are_listed),
        TEST(test_delete_comes_with_a_batch_that_may_wait),
        TEST(test_delete_that_fails_costs_no_new_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
