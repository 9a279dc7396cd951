/* SPDX-License-Identifier: MIT */
/* Calls come one after another, whole, in the order that was asked for. */
#include "cli/reader.h"

#include "cli/db.h"
#include "store_fixture.h"

static sqlite3 *open_db(const struct place *place)
{
    const struct uns_common common = {.command = "test", .db = place->db};
    sqlite3 *db = NULL;

    assert_int_equal(uns_db_open(&common, &db), UNS_EXIT_OK);
    assert_non_null(db);
    return db;
}

static void put_timeline(struct uns_entry *entry, unsigned i, size_t len)
{
    entry->timeline[i].data = malloc(len);
    memset(entry->timeline[i].data, (int)('a' + i), len);
    entry->timeline[i].len = len;
}

/* Four calls, neither in the order of time nor of their models. */
static void fill(const struct place *place)
{
    static const struct {
        const char *uuid, *model, *program, *endpoint, *outcome;
        int64_t started_us;
        unsigned attempts;
        size_t timeline;
    } rows[] = {
        {"a", "m2", "curl", "https://a.test/v1", "ok", 4000, 1, 10},
        {"b", "m1", "php", "https://b.test:8443/v1", "ok", 3000, 2, 5000},
        {"c", "", "curl", "https://a.test/v1", "failed", 2000, 0, 0},
        {"d", "m1", "curl", "https://a.test/v2", "ok", 1000, 1, 0},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_entry *entry = entry_named(rows[i].uuid);

        strcpy(entry->call.model, rows[i].model);
        strcpy(entry->call.program, rows[i].program);
        strcpy(entry->call.endpoint, rows[i].endpoint);
        strcpy(entry->call.outcome, rows[i].outcome);
        entry->call.started_at = rows[i].started_us;
        entry->attempts = rows[i].attempts;
        for (unsigned k = 0; k < rows[i].attempts; k++) {
            entry->attempt[k].seq = k;
            if (rows[i].timeline > 0)
                put_timeline(entry, k, rows[i].timeline);
        }
        write_ok(place->db, entry);
    }
}

/* The uuids of the calls, in the order in which they come. */
static const char *order(sqlite3 *db, const struct uns_select *select,
                         const char *key)
{
    static char uuids[64];
    struct uns_reader *reader = uns_reader_open(db, select, key);
    int rc;

    assert_non_null(reader);
    uuids[0] = '\0';
    while ((rc = uns_reader_next(reader)) == SQLITE_ROW)
        strcat(uuids, uns_reader_entry(reader)->call.uuid);
    assert_int_equal(rc, SQLITE_DONE);
    uns_reader_close(reader);
    return uuids;
}

static void test_reader_keeps_the_calls_of_a_key_together(void **state)
{
    static const struct uns_select all = UNS_SELECT_ALL;

    static const struct {
        const char *name, *key, *want;
    } rows[] = {
        {"as they began", NULL, "dcba"},
        {"without a key first", "model", "cdba"},
        {"an expression", "host_of(endpoint)", "dcab"},
        {"by two", "program || ifnull(model, '')", "cdab"},
    };

    sqlite3 *db;

    fill(*state);
    db = open_db(*state);
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(rows[i].name, order(db, &all, rows[i].key), rows[i].want);
    assert_null(uns_reader_open(db, &all, "no_such_column"));
    sqlite3_close(db);
}

static void test_select_leaves_out_what_it_names(void **state)
{
    static const struct {
        const char *name;
        struct uns_select select;
        const char *want;
    } rows[] = {
        {"since, included", {.since_us = 2000, .until_us = UNS_NULL}, "cba"},
        {"until, included", {.since_us = UNS_NULL, .until_us = 2000}, "dc"},
        {"both", {.since_us = 2000, .until_us = 3000}, "cb"},
        {"program", {UNS_NULL, UNS_NULL, .program = "ph?"}, "b"},
        {"host", {UNS_NULL, UNS_NULL, .host = "a.test"}, "dca"},
        {"host at any port", {UNS_NULL, UNS_NULL, .host = "b.test"}, "b"},
        {"host at a port", {UNS_NULL, UNS_NULL, .host = "b.test:1"}, ""},
        {"model", {UNS_NULL, UNS_NULL, .model = "m*"}, "dba"},
        {"outcome", {UNS_NULL, UNS_NULL, .outcome = "failed"}, "c"},
        {"arm of none", {UNS_NULL, UNS_NULL, .arm = "control"}, ""},
        {"mode of none", {UNS_NULL, UNS_NULL, .mode = "hedge"}, ""},
        {"experiment of none", {UNS_NULL, UNS_NULL, .experiment = "x"}, ""},
        {"two", {UNS_NULL, 3500, .program = "curl", .model = "m1"}, "d"},
    };

    sqlite3 *db;

    fill(*state);
    db = open_db(*state);
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(rows[i].name, order(db, &rows[i].select, NULL),
                   rows[i].want);
    sqlite3_close(db);
}

static void test_reader_has_each_call_whole(void **state)
{
    static const struct uns_select all = UNS_SELECT_ALL;
    sqlite3 *db;
    struct uns_reader *reader;
    const struct uns_entry *entry;

    fill(*state);
    db = open_db(*state);
    reader = uns_reader_open(db, &all, "model");
    entry = uns_reader_entry(reader);
    assert_int_equal(uns_reader_next(reader), SQLITE_ROW);
    assert_int_equal(entry->attempts, 0);
    assert_null(uns_reader_key(reader));
    assert_int_equal(uns_reader_id(reader), 3);
    assert_int_equal(uns_reader_next(reader), SQLITE_ROW);
    assert_int_equal(entry->attempts, 1);
    assert_int_equal(entry->timeline[0].len, 0);
    assert_string_equal(uns_reader_key(reader), "m1");
    assert_int_equal(uns_reader_next(reader), SQLITE_ROW);
    assert_int_equal(entry->attempts, 2);
    assert_int_equal(entry->attempt[1].seq, 1);
    assert_int_equal(entry->timeline[1].len, 5000);
    assert_int_equal(entry->timeline[1].data[4999], 'b');
    assert_int_equal(uns_reader_next(reader), SQLITE_ROW);
    assert_int_equal(entry->attempts, 1);
    assert_int_equal(entry->timeline[0].len, 10);
    assert_int_equal(entry->timeline[0].data[9], 'a');
    assert_int_equal(uns_reader_next(reader), SQLITE_DONE);
    uns_reader_close(reader);
    uns_reader_close(NULL);
    sqlite3_close(db);
}

/* Files of others: more attempts than there can be. */
static void test_reader_bears_a_strange_file(void **state)
{
    const struct place *place = *state;
    static const struct uns_select all = UNS_SELECT_ALL;
    struct uns_reader *reader;
    sqlite3 *db;

    fill(*state);
    do_sql(place->db, "INSERT INTO attempts (call_id, seq)"
                      " SELECT 3, column1 FROM (VALUES (0), (1), (2), (3), (4),"
                      " (5), (6))"
                      " UNION ALL SELECT 99, 0");
    db = open_db(*state);
    reader = uns_reader_open(db, &all, "model");
    assert_int_equal(uns_reader_next(reader), SQLITE_ROW);
    assert_int_equal(uns_reader_entry(reader)->attempts, UNS_RACE_ATTEMPTS);
    assert_int_equal(uns_reader_next(reader), SQLITE_ROW);
    assert_int_equal(uns_reader_entry(reader)->attempts, 1);
    uns_reader_close(reader);
    sqlite3_close(db);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_reader_keeps_the_calls_of_a_key_together),
        TEST(test_select_leaves_out_what_it_names),
        TEST(test_reader_has_each_call_whole),
        TEST(test_reader_bears_a_strange_file),
    };

    return cmocka_run_group_tests_name("reader", tests, NULL, NULL);
}
