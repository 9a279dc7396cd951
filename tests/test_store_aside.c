/* SPDX-License-Identifier: MIT */
/* A damaged database is out of the way at the next write, whole and once; what
 * may be somebody's letter is left where it is. */
#include "store_fixture.h"

#include "engine/store_aside.h"

struct found {
    size_t count;
    char last[PATH_MAX];
};

static void note(const char *aside, void *arg)
{
    struct found *found = arg;

    found->count++;
    snprintf(found->last, sizeof found->last, "%s", aside);
}

static struct found asides_of(const char *path)
{
    struct found found = {0};

    uns_aside_each(path, note, &found);
    return found;
}

static void put_file(const char *path, const char *text, size_t times)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    while (times-- > 0)
        fputs(text, file);
    fclose(file);
}

static enum uns_err write_one(const char *path, const char *uuid)
{
    struct uns_entry *entry = entry_named(uuid);
    enum uns_err err = uns_store_write(path, entry, 50);

    uns_entry_free(entry);
    return err;
}

/* The file of a database that is all noise from `from` on. */
static void damage(const struct place *place, long from)
{
    struct stat st;
    FILE *file;

    do_sql(place->db, "PRAGMA journal_mode = DELETE");
    assert_int_equal(stat(place->db, &st), 0);
    file = fopen(place->db, "r+");
    assert_non_null(file);
    fseek(file, from, SEEK_SET);
    for (long i = from; i < st.st_size; i++)
        fputc(0xa5, file);
    fclose(file);
}

/* P4: calls are recorded again, at once. */
static void test_aside_begins_a_new_database_at_the_next_write(void **state)
{
    static const struct {
        const char *name;
        long from;
    } rows[] = {
        {"all of it", 0},
        {"behind its header", 100},
        {"its pages but one", 4096},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct place *place = NULL;
        struct found found;

        (void)state;
        assert_int_equal(place_setup((void **)&place), 0);
        CHECK_INT(rows[i].name, write_one(place->db, "old"), UNS_OK);
        damage(place, rows[i].from);
        CHECK_INT(rows[i].name, write_one(place->db, "new"), UNS_OK);
        CHECK_INT(rows[i].name, ask(place->db, "SELECT count(*) FROM calls"),
                  1);
        CHECK_INT(rows[i].name, mode_of(place->db), 0600);
        found = asides_of(place->db);
        CHECK_INT(rows[i].name, found.count, 1);
        CHECK_INT(rows[i].name, mode_of(found.last), 0600);
        place_teardown((void **)&place);
    }
}

static void test_aside_takes_the_log_along(void **state)
{
    struct place *place = *state;
    struct uns_aside_file file;
    struct found found;
    char log[PATH_MAX + 8];

    assert_int_equal(write_one(place->db, "a"), UNS_OK);
    assert_int_equal(access(place->wal, F_OK), 0);
    assert_true(uns_aside_look(place->db, &file));
    assert_int_equal(uns_aside_put(place->db, &file), UNS_OK);
    assert_int_equal(access(place->db, F_OK), -1);
    assert_int_equal(access(place->wal, F_OK), -1);
    found = asides_of(place->db);
    assert_int_equal(found.count, 1);
    snprintf(log, sizeof log, "%s-wal", found.last);
    assert_int_equal(access(log, F_OK), 0);
    assert_int_equal(ask(found.last, "SELECT count(*) FROM calls"), 1);
}

/* Two processes find the same damage; one has mended it already. */
static void test_aside_leaves_the_new_database_of_another_alone(void **state)
{
    struct place *place = *state;
    struct uns_aside_file file;

    assert_int_equal(write_one(place->db, "a"), UNS_OK);
    assert_true(uns_aside_look(place->db, &file));
    file.ino++;
    assert_int_equal(uns_aside_put(place->db, &file), UNS_OK);
    assert_int_equal(asides_of(place->db).count, 0);
    assert_int_equal(ask(place->db, "SELECT count(*) FROM calls"), 1);
}

static void test_aside_takes_only_what_was_ours(void **state)
{
    static const struct {
        const char *name, *file, *text;
        bool ours;
    } rows[] = {
        {"our name", "unstall.db", "a letter", true},
        {"a letter", "letter.txt", "Dear SQLite format 3", false},
        {"half a magic", "short.db", "SQLite format", false},
        {"nothing", "empty.db", "", false},
    };
    struct place *place = *state;
    char path[200];

    for (size_t i = 0; i < ROWS(rows); i++) {
        snprintf(path, sizeof path, "%s/%s", place->dir, rows[i].file);
        put_file(path, rows[i].text, 1);
        CHECK_INT(rows[i].name, uns_aside_may(path), rows[i].ours);
    }
    snprintf(path, sizeof path, "%s/other.db", place->dir);
    do_sql(path, "CREATE TABLE t (x)");
    assert_true(uns_aside_may(path));
    snprintf(path, sizeof path, "%s/nowhere", place->dir);
    assert_false(uns_aside_may(path));
}

static void test_aside_leaves_a_letter_where_it_is(void **state)
{
    struct place *place = *state;
    char path[200];

    snprintf(path, sizeof path, "%s/letter.txt", place->dir);
    put_file(path, "Dear reader, this is no database at all. ", 300);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(write_one(path, "a"), UNS_CORRUPT);
    assert_int_equal(asides_of(path).count, 0);
    assert_int_equal(access(path, F_OK), 0);
}

/* A disk that damages every file is not filled with them. */
static void test_aside_keeps_a_bounded_number(void **state)
{
    struct place *place = *state;
    char path[200];

    assert_int_equal(write_one(place->db, "a"), UNS_OK);
    for (int i = 0; i < UNS_ASIDE_MOST; i++) {
        snprintf(path, sizeof path, "%s.damaged-%d", place->db, i);
        put_file(path, "x", 1);
    }
    damage(place, 0);
    assert_int_equal(write_one(place->db, "b"), UNS_CORRUPT);
    assert_int_equal(asides_of(place->db).count, UNS_ASIDE_MOST);
    assert_int_equal(access(place->db, F_OK), 0);
}

static void test_aside_lists_neither_logs_nor_other_files(void **state)
{
    static const char *const names[] = {
        "unstall.db.damaged-1-wal", "unstall.db.damaged-1-shm",
        "unstall.db.backup",        "other.db.damaged-1",
        "unstall.dbx.damaged-1",    "unstall.db.damaged-1",
    };
    struct place *place = *state;
    struct found found;
    char path[200];

    assert_int_equal(write_one(place->db, "a"), UNS_OK);
    for (size_t i = 0; i < ROWS(names); i++) {
        snprintf(path, sizeof path, "%s/%s", place->state, names[i]);
        put_file(path, "x", 1);
    }
    found = asides_of(place->db);
    assert_int_equal(found.count, 1);
    CHECK_TEXT("with its directory", found.last, path);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aside_begins_a_new_database_at_the_next_write),
        TEST(test_aside_takes_the_log_along),
        TEST(test_aside_leaves_the_new_database_of_another_alone),
        TEST(test_aside_takes_only_what_was_ours),
        TEST(test_aside_leaves_a_letter_where_it_is),
        TEST(test_aside_keeps_a_bounded_number),
        TEST(test_aside_lists_neither_logs_nor_other_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
