/* SPDX-License-Identifier: MIT */
/* A destination goes on where it stopped, and nothing is passed over when the
 * store gives its ids anew (P4). */
#include "cli/cursor.h"

#include "store_fixture.h"

static struct uns_cursor cursor_of(const struct place *place, const char *name)
{
    return (struct uns_cursor){.store = place->db, .destination = name};
}

static int64_t loaded(const struct place *place, const char *name)
{
    struct uns_cursor cursor = cursor_of(place, name);

    cursor.after_id = -1;
    assert_int_equal(uns_cursor_load(&cursor), UNS_OK);
    return cursor.after_id;
}

static void save(const struct place *place, const char *name, int64_t id,
                 const char *uuid)
{
    struct uns_cursor cursor = cursor_of(place, name);

    assert_int_equal(uns_cursor_save(&cursor, id, uuid), UNS_OK);
    CHECK_INT(name, cursor.after_id, id);
}

/* Calls a, b, c with the ids 1, 2, 3. */
static void fill(const struct place *place)
{
    for (const char *name = "a\0b\0c\0"; *name != '\0'; name += 2)
        write_ok(place->db, entry_named(name));
}

static void test_cursor_begins_before_the_first_call(void **state)
{
    fill(*state);
    CHECK_INT("new", loaded(*state, "x"), 0);
}

static void test_cursor_goes_on_where_it_was(void **state)
{
    fill(*state);
    CHECK_INT("new", loaded(*state, "x"), 0);
    save(*state, "x", 2, "b");
    CHECK_INT("x", loaded(*state, "x"), 2);
    save(*state, "x", 3, "c");
    CHECK_INT("x", loaded(*state, "x"), 3);
}

static void test_cursor_is_one_of_each_destination(void **state)
{
    fill(*state);
    CHECK_INT("new", loaded(*state, "x"), 0);
    save(*state, "x", 2, "b");
    save(*state, "y", 1, "a");
    CHECK_INT("x", loaded(*state, "x"), 2);
    CHECK_INT("y", loaded(*state, "y"), 1);
    CHECK_INT("z", loaded(*state, "x "), 0);
}

static void test_cursor_survives_what_is_deleted(void **state)
{
    static const struct {
        const char *name, *sql;
        int64_t want;
    } rows[] = {
        {"earlier ones", "DELETE FROM calls WHERE id = 1", 2},
        {"the one it stands on", "DELETE FROM calls WHERE id = 2", 2},
        {"all later ones", "DELETE FROM calls WHERE id = 3", 2},
        {"its own and all later ones", "DELETE FROM calls WHERE id >= 2", 1},
        {"the same, the last one first",
         "DELETE FROM calls WHERE id = 3; DELETE FROM calls WHERE id = 2", 1},
        {"the same, and their ids are other calls'",
         "DELETE FROM calls WHERE id >= 2; INSERT INTO calls (uuid) VALUES"
         " ('n'), ('m')",
         1},
        {"all", "DELETE FROM calls", 0},
        {"all, and its id is another call's",
         "DELETE FROM calls; INSERT INTO calls (id, uuid) VALUES (1, 'n'),"
         " (2, 'm')",
         0},
        {"the uuid", "UPDATE calls SET uuid = NULL", 0},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct place *place = NULL;

        assert_int_equal(place_setup((void **)&place), 0);
        fill(place);
        CHECK_INT(rows[i].name, loaded(place, "x"), 0);
        save(place, "x", 2, "b");
        do_sql(place->db, rows[i].sql);
        CHECK_INT(rows[i].name, loaded(place, "x"), rows[i].want);
        assert_int_equal(place_teardown((void **)&place), 0);
    }
    (void)state;
}

static void test_cursor_leaves_the_store_as_it_was(void **state)
{
    const struct place *place = *state;

    fill(place);
    CHECK_INT("new", loaded(place, "x"), 0);
    save(place, "x", 3, "c");
    write_ok(place->db, entry_named("d"));
    CHECK_INT("calls", ask(place->db, "SELECT count(*) FROM calls"), 4);
    CHECK_INT("x", loaded(place, "x"), 3);
}

/* A damaged file is set aside, and a new one begun. */
static void test_cursor_begins_anew_with_the_store(void **state)
{
    const struct place *place = *state;
    FILE *out;

    fill(place);
    CHECK_INT("new", loaded(place, "x"), 0);
    save(place, "x", 3, "c");
    out = fopen(place->db, "w");
    assert_true(fputs("no database, but longer than nothing", out) >= 0);
    fclose(out);
    unlink(place->wal);
    unlink(place->shm);
    CHECK_INT("anew", loaded(place, "x"), 0);
    save(place, "x", 3, "c"); /* of a batch that was on its way */
    write_ok(place->db, entry_named("d"));
    CHECK_INT("d is to come", loaded(place, "x"), 0);
}

static void test_cursor_without_a_place_is_an_error(void **state)
{
    const struct place *place = *state;
    struct uns_cursor cursor = {.store = place->dir, .destination = "x"};

    assert_int_not_equal(uns_cursor_load(&cursor), UNS_OK);
    assert_int_not_equal(uns_cursor_save(&cursor, 1, "a"), UNS_OK);
    CHECK_INT("kept", cursor.after_id, 0);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_cursor_begins_before_the_first_call),
        TEST(test_cursor_goes_on_where_it_was),
        TEST(test_cursor_is_one_of_each_destination),
        cmocka_unit_test(test_cursor_survives_what_is_deleted),
        TEST(test_cursor_leaves_the_store_as_it_was),
        TEST(test_cursor_begins_anew_with_the_store),
        TEST(test_cursor_without_a_place_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
