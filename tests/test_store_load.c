/* SPDX-License-Identifier: MIT */
/* What store_rows has written comes back as the same entry. */
#include "engine/store_load.h"

#include "store_fixture.h"

static sqlite3 *open_db(const struct place *place)
{
    sqlite3 *db = NULL;

    assert_int_equal(uns_store_open(place->db, &db), UNS_OK);
    return db;
}

static void fill(enum uns_metric_table table, void *record, int64_t base)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);

    for (size_t i = 0; i < count; i++) {
        char *field = (char *)record + metrics[i].offset;
        int64_t number = base + (int64_t)i;

        if (metrics[i].table != table || i % 5 == 4)
            continue; /* some stay NULL */
        if (metrics[i].is_text)
            snprintf(field, metrics[i].size, "%lld %s", (long long)base,
                     metrics[i].name);
        else
            memcpy(field, &number, sizeof number);
    }
}

static struct uns_entry *sample(void)
{
    struct uns_entry *entry = uns_entry_new();

    fill(UNS_METRIC_CALLS, &entry->call, 1000);
    entry->attempts = 2;
    for (unsigned i = 0; i < 2; i++) {
        fill(UNS_METRIC_ATTEMPTS, &entry->attempt[i], 2000 + i);
        entry->attempt[i].seq = i;
    }
    entry->timeline[1].data = malloc(3);
    memcpy(entry->timeline[1].data, "\x00\xff\x01", 3);
    entry->timeline[1].len = 3;
    return entry;
}

static void test_store_load_returns_the_entry(void **state)
{
    struct place *place = *state;
    struct uns_entry *wrote = sample(), *read = NULL;
    sqlite3 *db;

    write_ok(place->db, entry_named("other"));
    assert_int_equal(uns_store_write(place->db, wrote, 0), UNS_OK);
    db = open_db(place);
    assert_int_equal(uns_store_load(db, 2, &read), UNS_OK);
    assert_memory_equal(&read->call, &wrote->call, sizeof read->call);
    assert_int_equal(read->attempts, 2);
    assert_memory_equal(read->attempt, wrote->attempt, sizeof read->attempt);
    assert_null(read->timeline[0].data);
    assert_int_equal(read->timeline[1].len, 3);
    assert_memory_equal(read->timeline[1].data, "\x00\xff\x01", 3);
    uns_entry_free(read);
    uns_entry_free(wrote);
    sqlite3_close(db);
}

static void test_store_load_says_when_there_is_no_such_call(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = NULL;
    sqlite3 *db;

    write_ok(place->db, entry_named("a"));
    db = open_db(place);
    assert_int_equal(uns_store_load(db, 2, &entry), UNS_NOTFOUND);
    assert_null(entry);
    sqlite3_close(db);
}

/* A gap that was a stall is over the threshold that is told, one that was
 * none is not. */
static void test_store_load_tells_a_threshold_by_the_stalls(void **state)
{
    static const struct uns_moment moments[] = {
        {UNS_MARK_CHUNK, 1, 0, 0, 0},
        {UNS_MARK_CHUNK, 1, 3 * UNS_S, 0, 3 * UNS_S},
        {UNS_MARK_CHUNK, 1, 8 * UNS_S, 0, 5 * UNS_S},
    };

    static const struct {
        const char *name;
        uns_ns threshold_ns, want_ns;
    } rows[] = {
        {"both", 2 * UNS_S, 3 * UNS_S - 1},
        {"the longer", 3 * UNS_S, 5 * UNS_S - 1},
        {"none", 5 * UNS_S, UNS_NEVER},
    };
    struct place *place = *state;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_entry *entry = entry_named(rows[i].name), *read = NULL;
        struct uns_timeline timeline;
        sqlite3 *db;

        entry->attempts = 1;
        entry->timeline[0].data = malloc(UNS_TIMELINE_MIN);
        uns_timeline_init(&timeline, entry->timeline[0].data, UNS_TIMELINE_MIN,
                          UNS_S);
        for (size_t m = 0; m < ROWS(moments); m++)
            uns_timeline_note(&timeline, &moments[m]);
        entry->timeline[0].len = timeline.len;
        entry->stall_threshold_ns = rows[i].threshold_ns;
        write_ok(place->db, entry);
        db = open_db(place);
        assert_int_equal(uns_store_load(db, (int64_t)i + 1, &read), UNS_OK);
        CHECK_INT(rows[i].name, read->stall_threshold_ns, rows[i].want_ns);
        uns_entry_free(read);
        sqlite3_close(db);
    }
}

/* Files of others: more attempts than there can be, texts too long, numbers
 * where texts should be. */
static void test_store_load_bears_a_strange_file(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = entry_named("a"), *read = NULL;
    sqlite3 *db;

    entry->attempts = UNS_RACE_ATTEMPTS;
    write_ok(place->db, entry);
    do_sql(place->db,
           "INSERT INTO attempts (call_id, seq) VALUES (1, 5), (1, 6);"
           "UPDATE calls SET program = printf('%.*c', 500, 'x'), model = 17,"
           " wall_ms = 'long', ttft_ms = x'00', outcome = x'ff00ff'");
    db = open_db(place);
    assert_int_equal(uns_store_load(db, 1, &read), UNS_OK);
    assert_int_equal(read->attempts, UNS_RACE_ATTEMPTS);
    assert_int_equal(strlen(read->call.program), sizeof read->call.program - 1);
    assert_string_equal(read->call.model, "17");
    assert_int_equal(read->call.wall_ms, 0);
    assert_string_equal(read->call.outcome, "\xff");
    uns_entry_free(read);
    sqlite3_close(db);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_store_load_returns_the_entry),
        TEST(test_store_load_says_when_there_is_no_such_call),
        TEST(test_store_load_tells_a_threshold_by_the_stalls),
        TEST(test_store_load_bears_a_strange_file),
    };

    return cmocka_run_group_tests_name("store_load", tests, NULL, NULL);
}
