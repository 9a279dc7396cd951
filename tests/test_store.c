/* SPDX-License-Identifier: MIT */
/* What is written is what is read: every metric, nulls, stalls, blobs; and
 * what becomes of files of other versions. */
#include "store_fixture.h"

#include "engine/store_schema.h"

/* A value that tells which metric it belongs to. */
static int64_t number_of(const struct uns_metric *metric)
{
    if (strcmp(metric->name, "seq") == 0)
        return 0;
    return metric->offset * INT64_C(1000003) + 7;
}

static void fill(enum uns_metric_table table, char *record)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);

    for (const struct uns_metric *m = metrics; m < metrics + count; m++) {
        int64_t number = number_of(m);

        if (m->table != table)
            continue;
        if (m->is_text)
            snprintf(record + m->offset, m->size, "%s of it", m->name);
        else
            memcpy(record + m->offset, &number, sizeof number);
    }
}

static void check_value(const struct uns_metric *metric, sqlite3_stmt *stmt)
{
    char want[256];

    if (!metric->is_text) {
        CHECK_INT(metric->name, sqlite3_column_int64(stmt, 0),
                  number_of(metric));
        return;
    }
    snprintf(want, metric->size, "%s of it", metric->name);
    CHECK_TEXT(metric->name, (const char *)sqlite3_column_text(stmt, 0), want);
}

/* The value of one metric in the only row of its table. */
static sqlite3_stmt *select_metric(sqlite3 *db, const struct uns_metric *metric)
{
    static const char *const names[] = {"calls", "attempts", "stalls"};
    sqlite3_stmt *stmt = NULL;
    char *sql = sqlite3_mprintf("SELECT %s FROM %s", metric->name,
                                names[metric->table]);

    CHECK_INT(sql, sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    CHECK_INT(sql, sqlite3_step(stmt), SQLITE_ROW);
    sqlite3_free(sql);
    return stmt;
}

typedef void check_fn(const struct uns_metric *metric, sqlite3_stmt *stmt);

static void each_metric(const char *path, check_fn *check)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);
    sqlite3 *db = NULL;

    assert_int_equal(uns_store_open(path, &db), UNS_OK);
    assert_true(count > 20);
    for (size_t i = 0; i < count; i++) {
        sqlite3_stmt *stmt;

        if (metrics[i].table > UNS_METRIC_ATTEMPTS)
            continue;
        stmt = select_metric(db, &metrics[i]);
        check(&metrics[i], stmt);
        sqlite3_finalize(stmt);
    }
    sqlite3_close(db);
}

static void test_store_returns_every_metric(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = uns_entry_new();

    fill(UNS_METRIC_CALLS, (char *)&entry->call);
    fill(UNS_METRIC_ATTEMPTS, (char *)&entry->attempt[0]);
    entry->attempts = 1;
    write_ok(place->db, entry);
    each_metric(place->db, check_value);
}

static void check_null(const struct uns_metric *metric, sqlite3_stmt *stmt)
{
    if (strcmp(metric->name, "seq") == 0)
        return;
    CHECK_INT(metric->name, sqlite3_column_type(stmt, 0), SQLITE_NULL);
}

/* P8: what could not be told is NULL, never 0. */
static void test_store_keeps_what_could_not_be_told_as_null(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = uns_entry_new();

    entry->attempts = 1;
    write_ok(place->db, entry);
    each_metric(place->db, check_null);
}

static void test_store_takes_a_text_that_fills_its_field(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = entry_named("full");

    memset(entry->call.program, 'x', sizeof entry->call.program);
    write_ok(place->db, entry);
    assert_int_equal(ask(place->db, "SELECT length(program) FROM calls"),
                     sizeof entry->call.program);
}

static void test_store_numbers_the_attempts_of_a_call(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = entry_named("a");

    entry->attempts = UNS_RACE_ATTEMPTS;
    write_ok(place->db, entry_named("other"));
    write_ok(place->db, entry);
    assert_int_equal(ask(place->db, "SELECT count(*) * 100 + sum(seq) FROM"
                                    " attempts JOIN calls ON id = call_id"
                                    " WHERE uuid = 'a'"),
                     510);
}

static void put_timeline(struct uns_entry *entry, unsigned attempt,
                         const struct uns_moment *moments, size_t count)
{
    const size_t cap = 4096;
    struct uns_timeline timeline;

    entry->timeline[attempt].data = malloc(cap);
    uns_timeline_init(&timeline, entry->timeline[attempt].data, cap, UNS_S);
    for (size_t i = 0; i < count; i++)
        uns_timeline_note(&timeline, &moments[i]);
    entry->timeline[attempt].len = timeline.len;
}

static const struct uns_moment stalled[] = {
    {UNS_MARK_CHUNK, 1, 1 * UNS_S, 0, 0},
    {UNS_MARK_CHUNK, 2, 3 * UNS_S, 0, 2 * UNS_S},
    {UNS_MARK_OTHER, 1, 6 * UNS_S, 0, 0},
    {UNS_MARK_CHUNK, 1, 8500 * UNS_MS, 0, 5500 * UNS_MS},
    {UNS_MARK_CHUNK, 1, 12 * UNS_S, 0, 3 * UNS_S},
};

/* P7, P8: more than the threshold, not the threshold itself; after_chunk
 * counts chunks, not pieces; at_ms is where the silence begins. */
static void test_store_lists_the_stalls_of_a_timeline(void **state)
{
    static const char *const want[] = {
        "seq = 1 AND after_chunk = 3 AND at_ms = 3000 AND duration_ms = 5500",
        "seq = 1 AND after_chunk = 4 AND at_ms = 9000 AND duration_ms = 3000",
    };
    struct place *place = *state;
    struct uns_entry *entry = entry_named("a");

    entry->attempts = 2;
    put_timeline(entry, 1, stalled, ROWS(stalled));
    write_ok(place->db, entry);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM stalls"), 2);
    for (size_t i = 0; i < ROWS(want); i++) {
        char sql[200];

        sprintf(sql, "SELECT count(*) FROM stalls WHERE %s", want[i]);
        CHECK_INT(want[i], ask(place->db, sql), 1);
    }
}

static void test_store_keeps_the_timeline_byte_for_byte(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = entry_named("a");
    sqlite3 *db;
    sqlite3_stmt *stmt;

    entry->attempts = 1;
    put_timeline(entry, 0, stalled, ROWS(stalled));
    assert_int_equal(uns_store_write(place->db, entry, 0), UNS_OK);
    assert_int_equal(uns_store_open(place->db, &db), UNS_OK);
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT timeline FROM attempts", -1,
                                        &stmt, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_int_equal(sqlite3_column_bytes(stmt, 0), entry->timeline[0].len);
    assert_memory_equal(sqlite3_column_blob(stmt, 0), entry->timeline[0].data,
                        entry->timeline[0].len);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    uns_entry_free(entry);
}

/* P4: a batch may be tried again when it is not known what became of it. */
static void test_store_does_not_double_a_batch(void **state)
{
    struct place *place = *state;
    struct uns_entry *first = entry_named("a"), *second = entry_named("b");

    first->attempts = second->attempts = 2;
    put_timeline(first, 0, stalled, ROWS(stalled));
    write_ok(place->db, second);
    second = entry_named("b");
    first->next = second;
    for (int i = 0; i < 3; i++)
        assert_int_equal(uns_store_write(place->db, first, 0), UNS_OK);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"), 2);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM attempts"), 4);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM stalls"), 2);
    uns_entry_free(first);
    uns_entry_free(second);
}

static void test_store_writes_nothing_for_an_empty_list(void **state)
{
    struct place *place = *state;

    assert_int_equal(uns_store_write(place->db, NULL, 0), UNS_OK);
    assert_int_not_equal(access(place->db, F_OK), 0);
}

static void test_store_has_the_tables_and_indexes(void **state)
{
    static const char *const names[] = {
        "calls",      "attempts",         "stalls",        "budget",
        "calls_uuid", "calls_started_at", "attempts_call", "stalls_call",
    };
    struct place *place = *state;

    write_ok(place->db, entry_named("a"));
    for (size_t i = 0; i < ROWS(names); i++) {
        char sql[160];

        sprintf(sql, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'",
                names[i]);
        CHECK_INT(names[i], ask(place->db, sql), 1);
    }
    assert_int_equal(ask(place->db, "PRAGMA user_version"),
                     uns_schema_version());
}

/* A metric that this program knows and the file does not. */
static void test_store_adds_the_columns_that_a_file_lacks(void **state)
{
    struct place *place = *state;

    write_ok(place->db, entry_named("old"));
    do_sql(place->db, "ALTER TABLE calls DROP COLUMN wall_ms;"
                      "ALTER TABLE attempts DROP COLUMN source;"
                      "DROP INDEX stalls_call");
    write_ok(place->db, entry_named("new"));
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"
                                    " WHERE wall_ms IS NULL"),
                     2);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM pragma_table_info("
                                    "'attempts', 'main')"
                                    " WHERE name = 'source'"),
                     1);
}

/* A file from before the first schema, with something in it. */
static void test_store_brings_an_older_file_forward(void **state)
{
    struct place *place = *state;

    write_ok(place->db, entry_named("old"));
    do_sql(place->db, "PRAGMA user_version = 0; DROP TABLE budget;"
                      "DROP INDEX calls_uuid;"
                      "ALTER TABLE calls DROP COLUMN wall_ms");
    write_ok(place->db, entry_named("new"));
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"), 2);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM budget"), 0);
    assert_int_equal(ask(place->db, "PRAGMA user_version"),
                     uns_schema_version());
}

static void test_store_leaves_a_column_alone_that_it_does_not_know(void **state)
{
    struct place *place = *state;

    write_ok(place->db, entry_named("a"));
    do_sql(place->db, "ALTER TABLE calls ADD COLUMN later TEXT DEFAULT 'x'");
    write_ok(place->db, entry_named("b"));
    assert_int_equal(
        ask(place->db, "SELECT count(*) FROM calls WHERE later = 'x'"), 2);
}

static void test_store_reads_but_never_writes_a_later_schema(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = entry_named("b");

    write_ok(place->db, entry_named("a"));
    do_sql(place->db, "PRAGMA user_version = 99; PRAGMA journal_mode = DELETE;"
                      "ALTER TABLE calls DROP COLUMN wall_ms");
    assert_int_equal(uns_store_write(place->db, entry, 0), UNS_UNSUPPORTED);
    assert_int_not_equal(access(place->wal, F_OK), 0);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"), 1);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"
                                    " WHERE wall_ms IS NULL"),
                     1);
    uns_entry_free(entry);
}

static void test_store_completes_an_older_file_for_readers(void **state)
{
    struct place *place = *state;

    write_ok(place->db, entry_named("a"));
    do_sql(place->db, "ALTER TABLE calls DROP COLUMN wall_ms;"
                      "DROP TABLE stalls");
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"
                                    " WHERE wall_ms IS NULL AND uuid = 'a'"),
                     1);
    assert_int_equal(ask(place->db, "SELECT count(duration_ms) FROM stalls"),
                     0);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM main.sqlite_schema"
                                    " WHERE name = 'stalls'"),
                     0);
}

static void test_store_reads_an_empty_file_as_empty(void **state)
{
    struct place *place = *state;
    char path[128];
    FILE *file;

    sprintf(path, "%s/empty.db", place->dir);
    file = fopen(path, "w");
    fclose(file);
    assert_int_equal(ask(path, "SELECT count(wall_ms) FROM calls"), 0);
    assert_int_equal(ask(path, "SELECT count(timeline) FROM attempts"), 0);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_store_returns_every_metric),
        TEST(test_store_keeps_what_could_not_be_told_as_null),
        TEST(test_store_takes_a_text_that_fills_its_field),
        TEST(test_store_numbers_the_attempts_of_a_call),
        TEST(test_store_lists_the_stalls_of_a_timeline),
        TEST(test_store_keeps_the_timeline_byte_for_byte),
        TEST(test_store_does_not_double_a_batch),
        TEST(test_store_writes_nothing_for_an_empty_list),
        TEST(test_store_has_the_tables_and_indexes),
        TEST(test_store_adds_the_columns_that_a_file_lacks),
        TEST(test_store_brings_an_older_file_forward),
        TEST(test_store_leaves_a_column_alone_that_it_does_not_know),
        TEST(test_store_reads_but_never_writes_a_later_schema),
        TEST(test_store_completes_an_older_file_for_readers),
        TEST(test_store_reads_an_empty_file_as_empty),
    };

    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
