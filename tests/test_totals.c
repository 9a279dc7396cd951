/* SPDX-License-Identifier: MIT */
/* Counters never fall: a call is counted once, and stays counted when it is
 * deleted (P4). */
#include "cli/totals.h"

#include "export_fixture.h"

#define LABELS "host=\"a.test:8443\",model=\"m1\",program=\"curl\""

static struct uns_cursor cursor_of(const struct place *place)
{
    return (struct uns_cursor){.store = place->db, .destination = "x"};
}

/* What is behind the cursor, counted. */
static struct uns_groups counted(const struct place *place, int64_t after_id)
{
    struct uns_select select = UNS_SELECT_ALL;
    struct uns_groups groups = {0};
    sqlite3 *db = open_store(place);

    select.after_id = after_id;
    assert_int_equal(uns_groups_collect(db, &select, &groups), SQLITE_DONE);
    sqlite3_close(db);
    return groups;
}

static int64_t number_of(struct uns_groups *groups, const char *labels,
                         const char *name)
{
    const struct uns_group *group = uns_groups_at(groups, labels);
    char known[UNS_GROUP_NAME];

    for (size_t i = 0; i < UNS_GROUP_NUMBERS; i++)
        if (strcmp(uns_groups_name(known, i), name) == 0)
            return group->number[i];
    return -1;
}

/* One run: its total of `name`. */
static int64_t run(const struct place *place, const char *name)
{
    struct uns_cursor cursor = cursor_of(place);
    struct uns_groups groups;
    int64_t number;

    assert_int_equal(uns_cursor_load(&cursor), UNS_OK);
    groups = counted(place, cursor.after_id);
    assert_int_equal(uns_totals_add(&cursor, &groups), UNS_OK);
    number = number_of(&groups, LABELS, name);
    uns_groups_clear(&groups);
    return number;
}

static void test_totals_count_each_call_once(void **state)
{
    struct place *place = *state;

    write_ok(place->db, call_named("a"));
    CHECK_INT("first", run(place, "calls_ok"), 1);
    CHECK_INT("nothing new", run(place, "calls_ok"), 1);
    write_ok(place->db, call_named("b"));
    write_ok(place->db, call_named("c"));
    CHECK_INT("two more", run(place, "calls_ok"), 3);
    CHECK_INT("a class", run(place, "ttft_ms<=1.0"), 3);
    CHECK_INT("another", run(place, "ttft_ms<=0.5"), 0);
    CHECK_INT("a sum", run(place, "wall_ms"), 27000);
}

static void test_totals_outlive_the_calls(void **state)
{
    static const struct {
        const char *name, *sql;
    } rows[] = {
        {"some go", "DELETE FROM calls WHERE id = 1"},
        {"the last goes", "DELETE FROM calls WHERE id = 4"},
        {"all go, and the ids begin anew",
         "DELETE FROM calls; DELETE FROM attempts"},
    };
    struct place *place = *state;
    int64_t want = 0;

    for (size_t i = 0; i < ROWS(rows); i++) {
        char uuid[] = {(char)('a' + i), '\0'}, more[] = {'m', uuid[0], '\0'};

        write_ok(place->db, call_named(uuid));
        write_ok(place->db, call_named(more));
        want += 2;
        CHECK_INT(rows[i].name, run(place, "calls"), want);
        do_sql(place->db, rows[i].sql);
        CHECK_INT(rows[i].name, run(place, "calls"), want);
    }
    write_ok(place->db, call_named("z"));
    CHECK_INT("after all", run(place, "calls"), want + 1);
}

/* Two timers at once: one of them adds nothing. */
static void test_totals_are_not_added_twice(void **state)
{
    struct place *place = *state;
    struct uns_cursor one = cursor_of(place), two = one;
    struct uns_groups first, second;

    write_ok(place->db, call_named("a"));
    assert_int_equal(uns_cursor_load(&one), UNS_OK);
    assert_int_equal(uns_cursor_load(&two), UNS_OK);
    first = counted(place, one.after_id);
    second = counted(place, two.after_id);
    assert_int_equal(uns_totals_add(&one, &first), UNS_OK);
    assert_int_equal(uns_totals_add(&two, &second), UNS_BUSY);
    CHECK_INT("once", run(place, "calls"), 1);
    uns_groups_clear(&first);
    uns_groups_clear(&second);
}

static void test_totals_keep_groups_and_destinations_apart(void **state)
{
    struct place *place = *state;
    struct uns_entry *other = call_named("b");
    struct uns_cursor cursor = cursor_of(place);
    struct uns_groups groups;

    strcpy(other->call.model, "m2");
    write_ok(place->db, call_named("a"));
    write_ok(place->db, other);
    CHECK_INT("x", run(place, "calls"), 1);
    cursor.destination = "y";
    assert_int_equal(uns_cursor_load(&cursor), UNS_OK);
    CHECK_INT("y", cursor.after_id, 0);
    groups = counted(place, 0);
    assert_int_equal(uns_totals_add(&cursor, &groups), UNS_OK);
    CHECK_INT("groups", groups.count, 2);
    CHECK_INT("y", number_of(&groups, LABELS, "calls"), 1);
    uns_groups_clear(&groups);
    CHECK_INT("x", run(place, "calls"), 1);
}

/* A later version's number is kept, and not shown. */
static void test_totals_leave_what_they_do_not_know(void **state)
{
    struct place *place = *state;

    write_ok(place->db, call_named("a"));
    CHECK_INT("begun", run(place, "calls"), 1);
    do_sql(place->db, "INSERT INTO export_totals VALUES"
                      " ('x', 'host=\"\"', 'calls_of_tomorrow', 7)");
    CHECK_INT("goes on", run(place, "calls"), 1);
    CHECK_INT("kept",
              ask(place->db, "SELECT value FROM export_totals"
                             " WHERE name = 'calls_of_tomorrow'"),
              7);
}

static void test_totals_begin_anew_when_asked(void **state)
{
    struct place *place = *state;
    struct uns_cursor cursor = cursor_of(place);

    write_ok(place->db, call_named("a"));
    write_ok(place->db, call_named("b"));
    CHECK_INT("begun", run(place, "calls"), 2);
    do_sql(place->db, "DELETE FROM calls WHERE id = 1");
    assert_int_equal(uns_totals_forget(&cursor), UNS_OK);
    CHECK_INT("anew", run(place, "calls"), 1);
}

static void test_totals_are_purged_with_their_names(void **state)
{
    struct place *place = *state;
    sqlite3 *db = NULL;

    write_ok(place->db, call_named("a"));
    CHECK_INT("begun", run(place, "calls"), 1);
    assert_int_equal(sqlite3_open(place->db, &db), SQLITE_OK);
    assert_int_equal(uns_cursor_purge(db), UNS_OK);
    assert_int_equal(uns_cursor_purge(db), UNS_OK);
    sqlite3_close(db);
    CHECK_INT("tables",
              ask(place->db, "SELECT count(*) FROM sqlite_schema"
                             " WHERE name LIKE 'export%'"),
              0);
    CHECK_INT("anew", run(place, "calls"), 1);
}

/* Numbers of the store are found by these. */
static void test_group_numbers_have_names_of_their_own(void **state)
{
    char one[UNS_GROUP_NAME], two[UNS_GROUP_NAME];

    (void)state;
    for (size_t i = 0; i < UNS_GROUP_NUMBERS; i++)
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(uns_groups_name(one, i),
                                    uns_groups_name(two, k));
    CHECK_TEXT("count", uns_groups_name(one, UNS_COUNT_calls_ok), "calls_ok");
    CHECK_TEXT("sum", uns_groups_name(one, UNS_GROUP_SUM), "tokens_in");
    CHECK_TEXT("class", uns_groups_name(one, UNS_GROUP_TIME), "ttft_ms<=0.1");
    CHECK_TEXT("last", uns_groups_name(one, UNS_GROUP_NUMBERS - 1), "wall_ms");
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_totals_count_each_call_once),
        TEST(test_totals_outlive_the_calls),
        TEST(test_totals_are_not_added_twice),
        TEST(test_totals_keep_groups_and_destinations_apart),
        TEST(test_totals_leave_what_they_do_not_know),
        TEST(test_totals_begin_anew_when_asked),
        TEST(test_totals_are_purged_with_their_names),
        cmocka_unit_test(test_group_numbers_have_names_of_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
