/* SPDX-License-Identifier: MIT */
/* The stalls of one call and of another. */
#include "export_fixture.h"

#include "cli/stall_rows.h"

static void test_stall_rows_come_call_by_call(void **state)
{
    static const int64_t at_ms[] = {100, 3100, 3200, 6300};
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    struct uns_stall_row stall;
    sqlite3_stmt *stalls;
    sqlite3 *db;

    give_timeline(entry, 0, at_ms, ROWS(at_ms));
    write_ok(place->db, entry);
    write_ok(place->db, call_named("b"));
    db = open_store(place);
    stalls = uns_stall_rows(db);

    uns_stall_rows_of(stalls, 2);
    assert_int_equal(uns_stall_rows_next(stalls, &stall), SQLITE_DONE);
    uns_stall_rows_of(stalls, 1);
    assert_int_equal(uns_stall_rows_next(stalls, &stall), SQLITE_ROW);
    CHECK_INT("begin", stall.at_ms, 100);
    CHECK_INT("length", stall.duration_ms, 3000);
    assert_int_equal(uns_stall_rows_next(stalls, &stall), SQLITE_ROW);
    CHECK_INT("after", stall.after_chunk, 3);
    assert_int_equal(uns_stall_rows_next(stalls, &stall), SQLITE_DONE);
    sqlite3_finalize(stalls);
    sqlite3_close(db);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_stall_rows_come_call_by_call),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
