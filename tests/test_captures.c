/* SPDX-License-Identifier: MIT */
/* Which of the files in a directory are captures of the selected calls: no
 * other one is touched. */
#include "cli/captures.h"

#include "cli/db.h"
#include "store_fixture.h"

#include <errno.h>

#define OF(call) "{\"unstall_capture\":1,\"call\":\"" call "\"}\n@5 end whole\n"

static const char *path_of(const struct place *place, const char *name)
{
    static char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", place->dir, name);
    return path;
}

static void put(const struct place *place, const char *name, const char *text)
{
    FILE *out = fopen(path_of(place, name), "w");

    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static bool is_there(const struct place *place, const char *name)
{
    struct stat st;

    return lstat(path_of(place, name), &st) == 0;
}

/* Calls a, of the program p, and b, of q. */
static sqlite3 *fill(const struct place *place)
{
    struct uns_entry *a = entry_named("a"), *b = entry_named("b");
    sqlite3 *db = NULL;

    strcpy(a->call.program, "p");
    strcpy(b->call.program, "q");
    write_ok(place->db, a);
    write_ok(place->db, b);
    assert_int_equal(uns_store_open(place->db, &db), UNS_OK);
    assert_int_equal(uns_db_functions(db), SQLITE_OK);
    return db;
}

/* Those of the program p. */
static struct uns_captures delete_in(const struct place *place, sqlite3 *db)
{
    const struct uns_select select = {
        .since_us = UNS_NULL, .until_us = UNS_NULL, .program = "p"};
    struct uns_captures captures;
    int dir = uns_captures_open(place->dir);

    assert_true(dir >= 0);
    assert_true(uns_captures_delete(dir, db, &select, &captures));
    close(dir);
    return captures;
}

static void test_captures_are_deleted_by_the_call_they_name(void **state)
{
    static const struct {
        const char *name, *file, *text;
        bool goes, other;
    } rows[] = {
        {"selected", "1.capture", OF("a"), true, false},
        {"killed", "1.capture",
         "{\"unstall_capture\":1,\"call\":\"a\"}\n@5 900\nda", true, false},
        {"not selected", "1.capture", OF("b"), false, true},
        {"not recorded", "1.capture", OF("c"), false, true},
        {"says of none", "1.capture", "{\"unstall_capture\":1}\n", false, true},
        {"a later format", "1.capture",
         "{\"unstall_capture\":2,\"call\":\"a\"}\n", false, true},
        {"a number", "1.capture", "{\"unstall_capture\":1,\"call\":1}\n", false,
         true},
        {"cut off", "1.capture", "{\"unstall_capture\":1,\"call\":\"a\"", false,
         true},
        {"another name", "1.captured", OF("a"), false, false},
        {"no more than a suffix", ".capture", OF("a"), false, false},
        {"another file", "1.capture", "data: \"call\":\"a\"\n", false, false},
        {"empty", "1.capture", "", false, false},
    };
    const struct place *place = *state;
    sqlite3 *db = fill(place);

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_captures captures;

        put(place, rows[i].file, rows[i].text);
        captures = delete_in(place, db);
        CHECK_INT(rows[i].name, captures.gone, rows[i].goes);
        CHECK_INT(rows[i].name, captures.others, rows[i].other);
        CHECK_INT(rows[i].name, captures.failed, 0);
        CHECK_INT(rows[i].name, is_there(place, rows[i].file), !rows[i].goes);
        (void)unlink(path_of(place, rows[i].file));
    }
    sqlite3_close(db);
}

static void test_captures_are_never_found_behind_a_link(void **state)
{
    const struct place *place = *state;
    sqlite3 *db = fill(place);

    put(place, "real", OF("a"));
    assert_int_equal(symlink("real", path_of(place, "1.capture")), 0);
    /* A pipe must not be waited for. */
    assert_int_equal(mkfifo(path_of(place, "2.capture"), 0600), 0);
    CHECK_INT("gone", delete_in(place, db).gone, 0);
    assert_true(is_there(place, "real"));
    assert_true(is_there(place, "1.capture"));
    assert_true(is_there(place, "2.capture"));
    sqlite3_close(db);
}

static void test_captures_are_looked_for_in_directories_of_ours(void **state)
{
    static const struct {
        const char *name, *dir;
        int err;
    } rows[] = {
        {"none", "/nowhere/at/all", ENOENT},
        {"a file", "/etc/passwd", ENOTDIR},
        {"a link", "/proc/self/cwd", ENOTDIR},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        CHECK_INT(rows[i].name, uns_captures_open(rows[i].dir), -1);
        CHECK_INT(rows[i].name, errno, rows[i].err);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_captures_are_deleted_by_the_call_they_name),
        TEST(test_captures_are_never_found_behind_a_link),
        TEST(test_captures_are_looked_for_in_directories_of_ours),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
