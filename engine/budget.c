/* SPDX-License-Identifier: MIT */
/*
 * budget - three statements, each one the whole decision, so that what one
 * process reads no other can change before it writes.  Tokens are rounded to
 * nine digits when they are added: ten times 0.1 is 1.
 *
 * A row remembers the burst that it was filled for.  When the setting changes,
 * the difference is added or taken away: what has been spent stays spent.
 */
#include "budget.h"

#include "clock.h"
#include "log.h"
#include "sql.h"
#include "store.h"

#include <stdio.h>

#define HOUR_US (3600 * INT64_C(1000000))
#define DAY_US  (24 * HOUR_US)

/* What is in the bucket by today's settings. */
#define TOKENS "min(:cap, tokens + (:burst - burst))"

static const char open_sql[] =
    "INSERT OR IGNORE INTO budget (route, tokens, burst, spent, hour,"
    " hour_count, day, day_count)"
    " VALUES (:route, :burst, :burst, 0, :hour, 0, :day, 0)";

static const char take_sql[] =
    "UPDATE budget SET tokens = " TOKENS " - 1, burst = :burst,"
    " spent = spent + 1, hour = :hour, day = :day,"
    " hour_count = iif(hour = :hour, hour_count, 0) + 1,"
    " day_count = iif(day = :day, day_count, 0) + 1"
    " WHERE route = :route AND " TOKENS " >= 1"
    " AND (:per_hour IS NULL OR"
    " iif(hour = :hour, hour_count, 0) < :per_hour)"
    " AND (:per_day IS NULL OR iif(day = :day, day_count, 0) < :per_day)";

static const char give_back_sql[] =
    "UPDATE budget SET tokens = min(:cap, tokens + 1), spent = spent - 1,"
    " hour_count = hour_count - (hour = :hour),"
    " day_count = day_count - (day = :day) WHERE route = :route";

static const char refill_sql[] =
    "UPDATE budget SET burst = :burst,"
    " tokens = min(:cap, round(tokens + (:burst - burst) + :ratio, 9))"
    " WHERE route = :route";

static const char look_sql[] =
    "SELECT " TOKENS " FROM budget WHERE route = :route";

/* What a statement works on, and what came of it. */
struct deed {
    const char *sql, *route;
    const struct uns_hedge *hedge;
    bool done;
    double left; /* of look_sql */
};

/* A ratio without a burst saves up for one request at a time. */
static double cap_of(const struct uns_hedge *hedge)
{
    return hedge->budget_burst < 1 && hedge->budget_ratio > 0
               ? 1
               : hedge->budget_burst;
}

static void bind_number(sqlite3_stmt *stmt, const char *name, double value)
{
    sqlite3_bind_double(stmt, sqlite3_bind_parameter_index(stmt, name), value);
}

/* UNS_NULL stays NULL. */
static void bind_whole(sqlite3_stmt *stmt, const char *name, int64_t value)
{
    if (value != UNS_NULL)
        sqlite3_bind_int64(stmt, sqlite3_bind_parameter_index(stmt, name),
                           value);
}

/* The clock is read inside the transaction: who had to wait for it would
 * else turn the hour back. */
static void bind(sqlite3_stmt *stmt, const struct deed *deed)
{
    const struct uns_hedge *hedge = deed->hedge;
    int64_t now_us = uns_clock_wall_us();

    sqlite3_bind_text(stmt, sqlite3_bind_parameter_index(stmt, ":route"),
                      deed->route, -1, SQLITE_STATIC);
    bind_number(stmt, ":burst", hedge->budget_burst);
    bind_number(stmt, ":cap", cap_of(hedge));
    bind_number(stmt, ":ratio", hedge->budget_ratio);
    bind_whole(stmt, ":per_hour", hedge->budget_per_hour);
    bind_whole(stmt, ":per_day", hedge->budget_per_day);
    bind_whole(stmt, ":hour", now_us / HOUR_US);
    bind_whole(stmt, ":day", now_us / DAY_US);
}

static enum uns_err run(sqlite3 *db, const char *sql, struct deed *deed)
{
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK) {
        bind(stmt, deed);
        rc = sqlite3_step(stmt);
    }
    sqlite3_finalize(stmt);
    deed->done = rc == SQLITE_DONE && sqlite3_changes(db) > 0;
    return uns_sql_err(rc);
}

/* A bucket that nobody has used yet is a full one. */
static enum uns_err open_and_run(sqlite3 *db, void *arg)
{
    struct deed *deed = arg;
    enum uns_err err = run(db, open_sql, deed);

    return err == UNS_OK ? run(db, deed->sql, deed) : err;
}

/* As long as what a record can say. */
struct route {
    char text[sizeof((struct uns_call_record *)NULL)->route];
};

static struct route route_of(const struct uns_policy *policy)
{
    struct route route;

    (void)snprintf(route.text, sizeof route.text, "%s",
                   policy->route ? policy->route : UNS_BUDGET_DEFAULT);
    return route;
}

const char uns_budget_busy[] = "budget_unreadable";

const char *uns_budget_take(const char *path, const struct uns_policy *policy,
                            int wait_ms)
{
    struct route route = route_of(policy);
    struct deed deed = {
        .sql = take_sql, .route = route.text, .hedge = &policy->hedge};
    enum uns_err err = UNS_IO;

    if (cap_of(&policy->hedge) < 1)
        return "budget_exhausted";
    if (path)
        err = uns_store_change(path, open_and_run, &deed, wait_ms);
    if (err)
        return err == UNS_BUSY ? uns_budget_busy : "budget_unreadable";
    return deed.done ? NULL : "budget_exhausted";
}

static enum uns_err look(sqlite3 *db, void *arg)
{
    struct deed *deed = arg;
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, deed->sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK) {
        bind(stmt, deed);
        rc = sqlite3_step(stmt);
    }
    if (rc == SQLITE_ROW)
        deed->left = sqlite3_column_double(stmt, 0);
    sqlite3_finalize(stmt);
    return rc == SQLITE_ROW ? UNS_OK : uns_sql_err(rc);
}

bool uns_budget_look(const char *path, const struct uns_policy *policy,
                     double *ret_left)
{
    struct route route = route_of(policy);
    struct deed deed = {.sql = look_sql,
                        .route = route.text,
                        .hedge = &policy->hedge,
                        .left = cap_of(&policy->hedge)};
    enum uns_err err = path ? uns_store_read(path, look, &deed, 0) : UNS_IO;

    if (err != UNS_OK && err != UNS_NOTFOUND)
        return false;
    *ret_left = deed.left;
    return true;
}

void uns_budget_give_back(const char *path, const struct uns_policy *policy,
                          int wait_ms)
{
    struct route route = route_of(policy);
    struct deed deed = {
        .sql = give_back_sql, .route = route.text, .hedge = &policy->hedge};

    if (uns_store_change(path, open_and_run, &deed, wait_ms) != UNS_OK)
        uns_log("the token of a request that was not sent is lost");
}

enum uns_err uns_budget_refill(sqlite3 *db, const char *route,
                               const struct uns_hedge *hedge)
{
    struct deed deed = {.sql = refill_sql,
                        .route = *route ? route : UNS_BUDGET_DEFAULT,
                        .hedge = hedge};

    return open_and_run(db, &deed);
}
