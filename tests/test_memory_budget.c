/* SPDX-License-Identifier: MIT */
/* P5, R11: without memory no token is had for nothing, none is lost that was
 * not spent, and the bucket is what it was afterwards. */
#include "starve.h"
#include "store_fixture.h"

#include "engine/budget.h"

static const struct uns_policy policy = {
    .route = "https://r.example/*",
    .hedge = {.budget_burst = 5,
              .budget_ratio = 0.5,
              .budget_per_hour = 100,
              .budget_per_day = UNS_NULL},
};

static struct place *here;
static int taken, given_back, finished; /* as we were told */

static enum uns_err empty_table(sqlite3 *db, void *arg)
{
    (void)arg;
    return uns_sql_exec(db, "DELETE FROM budget");
}

static void full(void)
{
    assert_int_equal(uns_store_change(here->db, empty_table, NULL, 20), UNS_OK);
    taken = given_back = finished = 0;
}

/* With two tokens missing. */
static void used(void)
{
    full();
    for (; taken < 2; taken++)
        assert_null(uns_budget_take(here->db, &policy, 20));
}

struct bucket {
    int64_t spent;
    double tokens;
};

static enum uns_err read_bucket(sqlite3 *db, void *arg)
{
    struct bucket *bucket = arg;
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, "SELECT spent, tokens FROM budget", -1,
                                &stmt, NULL);

    if (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
        bucket->spent = sqlite3_column_int64(stmt, 0);
        bucket->tokens = sqlite3_column_double(stmt, 1);
    }
    sqlite3_finalize(stmt);
    return uns_sql_err(rc);
}

/* As it is in the table; full if nobody has used it. */
static struct bucket bucket(void)
{
    struct bucket bucket = {0, 5};

    assert_int_equal(uns_store_read(here->db, read_bucket, &bucket, 20),
                     UNS_OK);
    return bucket;
}

static void check_bucket(const char *row, enum uns_err err)
{
    int spent = taken - given_back;
    double left = 5 - spent + 0.5 * finished;

    (void)err;
    CHECK_INT(row, bucket().spent, spent);
    CHECK_INT(row, 10 * bucket().tokens, 10 * (left < 5 ? left : 5));
}

static enum uns_err take(void)
{
    const char *why = uns_budget_take(here->db, &policy, 20);

    taken += why == NULL;
    if (why)
        CHECK_TEXT("why", why, "budget_unreadable");
    return why ? UNS_NOMEM : UNS_OK;
}

static enum uns_err look(void)
{
    double left = -1;

    if (!uns_budget_look(here->db, &policy, &left)) {
        CHECK_INT("untouched", left, -1);
        return UNS_NOMEM;
    }
    CHECK_INT("left", left, 3);
    return UNS_OK;
}

/* It says nothing; what the bucket says is checked. */
static enum uns_err give_back(void)
{
    int64_t before;

    fake_memory_count(false);
    before = bucket().spent;
    fake_memory_count(true);
    uns_budget_give_back(here->db, &policy, 20);
    fake_memory_count(false);
    if (bucket().spent == before)
        return UNS_NOMEM;
    given_back++;
    return UNS_OK;
}

/* A finished call pays, if and only if it is written. */
static enum uns_err finish(void)
{
    static long number;
    struct uns_entry *entry;
    enum uns_err err;

    fake_memory_count(false);
    entry = entry_numbered(++number);
    strcpy(entry->call.route, policy.route);
    entry->pays = &policy.hedge;
    fake_memory_count(true);
    err = uns_store_write(here->db, entry, 20);
    fake_memory_count(false);
    uns_entry_free(entry);
    finished += err == UNS_OK;
    return err;
}

static void test_budget_counts_right_without_memory(void **state)
{
    static const struct operation ops[] = {
        {"take", full, take, check_bucket},
        {"take one more", used, take, check_bucket},
        {"look", used, look, check_bucket},
        {"give back", used, give_back, check_bucket},
        {"finish", used, finish, check_bucket},
    };

    (void)state;
    starve_each(ops, ROWS(ops));
}

static int enter(void **state)
{
    place_setup(state);
    here = *state;
    write_ok(here->db, entry_named("before"));
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budget_counts_right_without_memory),
    };

    return cmocka_run_group_tests(tests, enter, place_teardown);
}
