/* SPDX-License-Identifier: MIT */
/* R11, P5: the bucket in a real database. */
#include "budget_fixture.h"

#include "engine/clock.h"

static void test_budget_starts_with_the_burst(void **state)
{
    static const struct row {
        const char *name;
        double burst, ratio;
        int tokens;
    } rows[] = {
        {"ten", 10, 0.1, 10},         {"one", 1, 0, 1},
        {"never hedge", 0, 0, 0},     {"no burst", 0, 0.5, 0},
        {"less than one", 0.9, 0, 0}, {"and a half", 2.5, 0, 2},
    };
    struct place *place = *state;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_policy policy =
            policy_of(rows[i].name, rows[i].burst, rows[i].ratio);

        CHECK_INT(rows[i].name, take_all(place->db, &policy, 20),
                  rows[i].tokens);
        CHECK_TEXT(rows[i].name, take(place->db, &policy), "budget_exhausted");
    }
}

/* Looking takes nothing, and makes no file. */
static void test_budget_can_be_looked_at(void **state)
{
    struct place *place = *state;
    struct uns_policy policy = policy_of("r", 3, 0.5);
    double left = -1;

    assert_true(uns_budget_look(place->db, &policy, &left));
    CHECK_INT("no file", left, 3);
    CHECK_INT("none made", access(place->db, F_OK) == 0, false);
    CHECK_INT("nowhere", uns_budget_look(NULL, &policy, &left), false);
    CHECK_TEXT("taken", take(place->db, &policy), NULL);
    for (int i = 0; i < 2; i++) {
        assert_true(uns_budget_look(place->db, &policy, &left));
        CHECK_INT("one less", left, 2);
    }
    policy.hedge.budget_burst = 5;
    assert_true(uns_budget_look(place->db, &policy, &left));
    CHECK_INT("a greater burst", left, 4);
    policy = policy_of("other", 4, 0);
    assert_true(uns_budget_look(place->db, &policy, &left));
    CHECK_INT("another route", left, 4);
}

/* Ten tenths are one, a thousand times; and no more than the burst. */
static void test_budget_is_refilled_by_finished_calls(void **state)
{
    static const struct row {
        const char *name;
        double burst, ratio;
        int calls, tokens;
    } rows[] = {
        {"not yet", 10, 0.1, 9, 0},        {"ten of ten", 10, 0.1, 10, 1},
        {"a hundred", 20, 0.1, 100, 10},   {"thirds", 10, 0.3, 10, 3},
        {"full", 5, 0.1, 1000, 5},         {"two each", 9, 2, 3, 6},
        {"nothing", 3, 0, 50, 0},          {"without burst", 0, 0.25, 4, 1},
        {"saves up one", 0, 0.25, 400, 1}, {"one in 100 000", 1, 1e-5, 100, 0},
    };
    struct place *place = *state;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_policy policy =
            policy_of(rows[i].name, rows[i].burst, rows[i].ratio);

        take_all(place->db, &policy, 100);
        finish(place->db, &policy, rows[i].calls);
        CHECK_INT(rows[i].name, take_all(place->db, &policy, 100),
                  rows[i].tokens);
    }
}

static void test_budget_adds_tenths_exactly(void **state)
{
    struct place *place = *state;
    struct uns_policy policy = policy_of(NULL, 1, 0.1);

    assert_int_equal(take_all(place->db, &policy, 9), 1);
    for (int n = 0; n < 50; n++) {
        for (int i = 0; i < 9; i++)
            finish(place->db, &policy, 1);
        CHECK_TEXT("nine", take(place->db, &policy), "budget_exhausted");
        finish(place->db, &policy, 1);
        CHECK_INT("ten", take(place->db, &policy) == NULL, true);
    }
    CHECK_INT("spent", spent(place->db), 51);
}

static void test_budget_is_of_one_route(void **state)
{
    struct place *place = *state;
    struct uns_policy none = policy_of(NULL, 2, 0),
                      any = policy_of("https://*", 2, 0);
    char text[300];
    struct uns_policy longest = policy_of(text, 1, 1);

    memset(text, 'r', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(take_all(place->db, &none, 9), 2);
    assert_int_equal(take_all(place->db, &any, 9), 2);
    CHECK_INT("row",
              ask(place->db, "SELECT spent FROM budget"
                             " WHERE route = '*'"),
              2);
    /* Cut alike where it is taken and where a record pays. */
    assert_int_equal(take_all(place->db, &longest, 9), 1);
    finish(place->db, &longest, 1);
    CHECK_INT("long route", take_all(place->db, &longest, 9), 1);
}

/* A call that is written again after a batch that failed pays once. */
static void test_budget_is_paid_once_by_a_call(void **state)
{
    struct place *place = *state;
    struct uns_policy policy = policy_of(NULL, 5, 1);
    struct uns_entry *entry = entry_numbered(1);

    take_all(place->db, &policy, 9);
    entry->pays = &policy.hedge;
    for (int i = 0; i < 3; i++)
        assert_int_equal(uns_store_write(place->db, entry, WAIT_MS), UNS_OK);
    uns_entry_free(entry);
    CHECK_INT("tokens", take_all(place->db, &policy, 9), 1);
}

static void test_budget_takes_back(void **state)
{
    struct place *place = *state;
    struct uns_policy policy = policy_of(NULL, 2, 0);

    policy.hedge.budget_per_day = 2;
    take_all(place->db, &policy, 9);
    uns_budget_give_back(place->db, &policy, WAIT_MS);
    CHECK_INT("spent", spent(place->db), 1);
    CHECK_INT("again", take_all(place->db, &policy, 9), 1);
    for (int i = 0; i < 5; i++)
        uns_budget_give_back(place->db, &policy, WAIT_MS);
    CHECK_INT("in the row", ask(place->db, "SELECT tokens FROM budget"), 2);
    CHECK_INT("never over the burst", take_all(place->db, &policy, 9), 2);
}

/* A changed setting acts at once, and forgives nothing. */
static void test_budget_follows_its_settings(void **state)
{
    struct place *place = *state;
    struct uns_policy policy = policy_of(NULL, 10, 0);

    for (int i = 0; i < 4; i++)
        assert_null(take(place->db, &policy));
    policy.hedge.budget_burst = 5;
    CHECK_INT("5 less 4", take_all(place->db, &policy, 99), 1);
    policy.hedge.budget_burst = 0;
    CHECK_TEXT("off", take(place->db, &policy), "budget_exhausted");
    policy.hedge.budget_burst = 12;
    CHECK_INT("12 less 5", take_all(place->db, &policy, 99), 7);
    policy.hedge.budget_burst = 3;
    policy.hedge.budget_ratio = 1;
    finish(place->db, &policy, 9); /* 9 below, to be earned first */
    CHECK_TEXT("in debt", take(place->db, &policy), "budget_exhausted");
    finish(place->db, &policy, 1);
    CHECK_INT("out of it", take_all(place->db, &policy, 99), 1);
}

struct cap_row {
    const char *name;
    int64_t per_hour, per_day;
    int at_once, next_hour, next_day;
};

static void test_budget_has_absolute_caps(void **state)
{
    static const struct cap_row rows[] = {
        {"none", UNS_NULL, UNS_NULL, 50, 50, 50},
        {"hour", 3, UNS_NULL, 3, 3, 3},
        {"day", UNS_NULL, 4, 4, 0, 4},
        {"both", 3, 4, 3, 1, 3},
        {"zero", 0, UNS_NULL, 0, 0, 0},
        {"zero days", UNS_NULL, 0, 0, 0, 0},
    };
    struct place *place = *state;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_policy policy = policy_of(rows[i].name, 1000, 0);

        policy.hedge.budget_per_hour = rows[i].per_hour;
        policy.hedge.budget_per_day = rows[i].per_day;
        CHECK_INT(rows[i].name, take_all(place->db, &policy, 50),
                  rows[i].at_once);
        do_sql(place->db, "UPDATE budget SET hour = hour - 1");
        CHECK_INT(rows[i].name, take_all(place->db, &policy, 50),
                  rows[i].next_hour);
        do_sql(place->db, "UPDATE budget SET hour = hour - 24, day = day - 1");
        CHECK_INT(rows[i].name, take_all(place->db, &policy, 50),
                  rows[i].next_day);
    }
}

/* No clock fills a bucket. */
static void test_budget_is_not_refilled_by_time(void **state)
{
    struct place *place = *state;
    struct uns_policy policy = policy_of(NULL, 3, 0.5);

    take_all(place->db, &policy, 9);
    do_sql(place->db, "UPDATE budget SET hour = 0, day = 0");
    CHECK_TEXT("years later", take(place->db, &policy), "budget_exhausted");
}

static sqlite3 *locker;

static void lock(const char *path)
{
    assert_int_equal(sqlite3_open(path, &locker), SQLITE_OK);
    assert_int_equal(sqlite3_exec(locker, "BEGIN IMMEDIATE", NULL, NULL, NULL),
                     SQLITE_OK);
}

static void unlock(void)
{
    sqlite3_close(locker);
}

/* What cannot be read pays for nothing, and is not waited for long. */
static void test_budget_unreadable_gives_nothing(void **state)
{
    struct place *place = *state;
    struct uns_policy policy = policy_of(NULL, 10, 0.1);
    uns_ns began;

    CHECK_TEXT("no place", take(NULL, &policy), "budget_unreadable");
    CHECK_TEXT("a directory", take(place->dir, &policy), "budget_unreadable");
    CHECK_TEXT("no directory", take("/proc/nowhere/a.db", &policy),
               "budget_unreadable");
    assert_null(take(place->db, &policy));
    lock(place->db);
    began = uns_clock_now();
    CHECK_TEXT("locked", uns_budget_take(place->db, &policy, 0),
               "budget_unreadable");
    CHECK_INT("without waiting", uns_clock_now() - began < 40 * UNS_MS, true);
    began = uns_clock_now();
    CHECK_TEXT("locked", uns_budget_take(place->db, &policy, 50),
               "budget_unreadable");
    CHECK_INT("waiting", uns_clock_now() - began >= 40 * UNS_MS, true);
    unlock();
    assert_null(take(place->db, &policy));
    CHECK_INT("spent", spent(place->db), 2);
    do_sql(place->db, "PRAGMA user_version = 99");
    CHECK_TEXT("of a later version", take(place->db, &policy),
               "budget_unreadable");
}

static void test_budget_survives_rubbish(void **state)
{
    struct place *place = *state;
    struct uns_policy policy = policy_of(NULL, 10, 0.1);

    assert_null(take(place->db, &policy));
    do_sql(place->db, "UPDATE budget SET tokens = NULL");
    CHECK_TEXT("null", take(place->db, &policy), "budget_exhausted");
    do_sql(place->db, "UPDATE budget SET tokens = 'many', burst = 'x'");
    (void)take(place->db, &policy);
    do_sql(place->db, "UPDATE budget SET tokens = 1e300, burst = 10");
    CHECK_INT("no more than the burst", take_all(place->db, &policy, 50), 10);
}

/* A file of an earlier version has other columns. */
static void test_budget_brings_an_older_file_up(void **state)
{
    struct place *place = *state;
    struct uns_policy policy = policy_of(NULL, 3, 0.1);

    finish(place->db, &policy, 1);
    do_sql(place->db, "DROP TABLE budget; CREATE TABLE budget (route TEXT"
                      " PRIMARY KEY, tokens REAL, filled_at_us INTEGER,"
                      " hour_count INTEGER, day_count INTEGER)");
    CHECK_INT("tokens", take_all(place->db, &policy, 9), 3);
    finish(place->db, &policy, 10);
    CHECK_INT("paid", take_all(place->db, &policy, 9), 1);
}

int main(void)
{
#define ON_A_PLACE(test) \
    cmocka_unit_test_setup_teardown(test, place_setup, place_teardown)
    const struct CMUnitTest tests[] = {
        ON_A_PLACE(test_budget_starts_with_the_burst),
        ON_A_PLACE(test_budget_can_be_looked_at),
        ON_A_PLACE(test_budget_is_refilled_by_finished_calls),
        ON_A_PLACE(test_budget_adds_tenths_exactly),
        ON_A_PLACE(test_budget_is_of_one_route),
        ON_A_PLACE(test_budget_is_paid_once_by_a_call),
        ON_A_PLACE(test_budget_takes_back),
        ON_A_PLACE(test_budget_follows_its_settings),
        ON_A_PLACE(test_budget_has_absolute_caps),
        ON_A_PLACE(test_budget_is_not_refilled_by_time),
        ON_A_PLACE(test_budget_unreadable_gives_nothing),
        ON_A_PLACE(test_budget_survives_rubbish),
        ON_A_PLACE(test_budget_brings_an_older_file_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
