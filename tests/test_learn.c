/* SPDX-License-Identifier: MIT */
/* Learned delays (R2): what the store has of a place, and what the process
 * sees of it.  The wait shows in when the rival is sent. */
#include "bench.h"
#include "store_fixture.h"

#include "core/delay.h"

#define HI DELTA("Hi") STOP DONE

static const struct fake_beat healthy[] = {HEAD(10, OK_HEAD), BODY(20, HI),
                                           END(40, CURLE_OK)};
static const struct fake_beat in_two_s[] = {HEAD(10, OK_HEAD), BODY(2000, HI),
                                            END(2010, CURLE_OK)};
static const struct fake_beat very_late[] = {
    HEAD(10, OK_HEAD), BODY(500000, HI), END(500000, CURLE_OK)};

static const char *db;
static char url[96], origin[64];

/* A place that no other test knows: the estimates outlive a test. */
static void new_place(void)
{
    static int number;

    sprintf(origin, "https://p%d.example", ++number);
    sprintf(url, "%s/v1/chat/completions", origin);
}

static struct uns_delay quantile(double q)
{
    return (struct uns_delay){.how = UNS_DELAY_QUANTILE, .quantile = q};
}

static void open_at(struct uns_delay after)
{
    bench_open();
    bench.db = db;
    bench_set(CURLOPT_URL, url);
    bench.policy.hedge.after = after;
    bench.policy.hedge.budget_ratio = 0.1;
}

struct primary {
    const char *origin, *model;
    bool streaming;
    int64_t ttft_us; /* UNS_NULL: cancelled */
    int64_t wall_ms;
    int64_t pid;
};

static struct primary usual(int64_t ttft_us)
{
    return (struct primary){origin, "gpt-4o", true, ttft_us, 9000, 1};
}

static void record(const struct primary *primary)
{
    static long number;
    struct uns_entry *entry = entry_numbered(++number);

    strcpy(entry->call.model, primary->model);
    entry->call.streaming = primary->streaming;
    entry->call.pid = primary->pid;
    entry->attempts = 2;
    strcpy(entry->attempt[0].origin, primary->origin);
    entry->attempt[0].ttft_us = primary->ttft_us;
    entry->attempt[0].wall_ms = primary->wall_ms;
    /* A rival, which is no sample of the place. */
    strcpy(entry->attempt[1].origin, primary->origin);
    entry->attempt[1].ttft_us = 77;
    write_ok(db, entry);
}

/* from, from + step, ... */
static void record_many(int count, int64_t from_ms, int64_t step_ms)
{
    for (int i = 0; i < count; i++) {
        struct primary primary = usual((from_ms + i * step_ms) * 1000);

        record(&primary);
    }
}

/* Makes a call that never answers by itself; when was its rival sent? */
static int64_t wait_ms(void)
{
    int64_t at_ns;

    fake.requests = 0;
    BENCH_RUN(very_late, healthy);
    if (fake.requests < 2)
        return -1;
    at_ns = fake.request[1]->start_ns - fake.request[0]->start_ns;
    return at_ns / UNS_MS;
}

static void new_db(void **state)
{
    db = ((struct place *)*state)->db;
    new_place();
}

static void test_learn_warms_up_on_twenty(void **state)
{
    new_db(state);
    record_many(19, 1000, 0);
    open_at(quantile(0.95));
    CHECK_INT("19", wait_ms(), 5000);
    bench_close("19");
    new_place();
    record_many(20, 1000, 0);
    open_at(quantile(0.95));
    CHECK_INT("20", wait_ms(), 1000);
    bench_close("20");
}

/* 101 samples from 1.00 to 2.00 s. */
static void test_learn_reads_the_store(void **state)
{
    static const struct row {
        const char *name;
        struct uns_delay after;
        double ratio;
        uns_ns floor_ns;
        int64_t wait_ms;
    } rows[] = {
        {"median", {UNS_DELAY_QUANTILE, 0, 0.5}, 0.1, 0, 1500},
        {"p95", {UNS_DELAY_QUANTILE, 0, 0.95}, 0.1, 0, 1950},
        {"auto", {UNS_DELAY_AUTO, 0, 0}, 0.1, 0, 1920},
        {"auto, more", {UNS_DELAY_AUTO, 0, 0}, 0.25, 0, 1800},
        {"floor", {UNS_DELAY_QUANTILE, 0, 0.5}, 0.1, 1800 * UNS_MS, 1800},
        {"below it", {UNS_DELAY_QUANTILE, 0, 0.95}, 0.1, 1800 * UNS_MS, 1950},
        {"a number",
         {UNS_DELAY_FIXED, 300 * UNS_MS, 0},
         0.1,
         1800 * UNS_MS,
         300},
    };

    new_db(state);
    for (size_t i = 0; i < ROWS(rows); i++) {
        new_place();
        record_many(101, 1000, 10);
        open_at(rows[i].after);
        bench.policy.hedge.budget_ratio = rows[i].ratio;
        bench.policy.hedge.floor_ns = rows[i].floor_ns;
        CHECK_INT(rows[i].name, wait_ms(), rows[i].wait_ms);
        bench_close(rows[i].name);
    }
}

/* Only primaries of this origin and model that streamed alike. */
static void test_learn_keeps_places_apart(void **state)
{
    new_db(state);
    record_many(40, 1000, 0);
    for (int i = 0; i < 40; i++) {
        const struct primary others[] = {
            {"https://other.example", "gpt-4o", true, 9000000, 9000, 1},
            {origin, "gpt-4o-mini", true, 9000000, 9000, 1},
            {origin, "", true, 9000000, 9000, 1},
            {origin, "gpt-4o", false, 9000000, 9000, 1},
        };

        for (size_t n = 0; n < ROWS(others); n++)
            record(&others[n]);
    }
    open_at(quantile(0.95));
    CHECK_INT("this place", wait_ms(), 1000);
    bench_close("this place");
    open_at(quantile(0.95));
    bench_set(CURLOPT_POSTFIELDS,
              "{\"model\":\"gpt-4o\",\"stream\":false,\"messages\":[]}");
    CHECK_INT("whole answers", wait_ms(), 9000);
    bench_close("whole answers");
}

static void test_learn_takes_the_newest_512(void **state)
{
    new_db(state);
    record_many(300, 9000, 0);
    record_many(512, 1000, 0);
    open_at(quantile(0.999));
    CHECK_INT("newest", wait_ms(), 1000);
    bench_close("newest");
}

/* "Longer than" is no sample: 40 at 1 s, 60 cancelled after 2 s. */
static void test_learn_knows_cancelled_ones(void **state)
{
    struct primary cancelled;

    new_db(state);
    cancelled = usual(UNS_NULL);
    cancelled.wall_ms = 2000;
    record_many(40, 1000, 0);
    for (int i = 0; i < 60; i++)
        record(&cancelled);
    record_many(40, 3000, 0);
    open_at(quantile(0.5));
    CHECK_INT("of 140, 40 at 1 s", wait_ms(), 3000);
    bench_close("median");
    new_place();
    cancelled.origin = origin;
    for (int i = 0; i < 60; i++)
        record(&cancelled);
    open_at(quantile(0.5));
    CHECK_INT("nothing but those", wait_ms(), 5000);
    bench_close("nothing but those");
}

/* One call that is answered so. */
static void one_call(const struct fake_beat *play)
{
    open_at(quantile(0.4));
    BENCH_RUN(play);
    CHECK_INT("unhedged", fake.requests, 1);
    bench_close("one call");
}

static int64_t wait_once(void)
{
    int64_t ms;

    open_at(quantile(0.4));
    ms = wait_ms();
    bench_close("one wait");
    return ms;
}

/* Finished calls of its own count at once, cancelled primaries as such. */
static void test_learn_from_its_own_calls(void **state)
{
    new_db(state);
    for (int i = 0; i < 20; i++)
        one_call(in_two_s);
    for (int i = 0; i < 60; i++)
        CHECK_INT("whatever it hedges", wait_once(), 2000);
    for (int i = 0; i < 512; i++)
        one_call(healthy);
    CHECK_INT("faster now", wait_once(), 20);
}

/* And the oldest of all make room for them. */
static void test_learn_forgets_the_oldest(void **state)
{
    new_db(state);
    record_many(400, 9000, 0);
    record_many(112, 1000, 0);
    for (int i = 0; i < 180; i++)
        one_call(healthy);
    CHECK_INT("180 of 20 ms, 112 of 1 s, 220 of 9 s", wait_once(), 1000);
}

/* Other processes' calls are seen after a minute, its own not twice, and none
 * once more at the next look. */
static void test_learn_from_others_now_and_then(void **state)
{
    struct primary own;

    new_db(state);
    record_many(20, 1000, 0);
    open_at(quantile(0.12));
    CHECK_INT("at first", wait_ms(), 1000);
    record_many(200, 3000, 0);
    own = usual(8000);
    own.pid = getpid();
    for (int i = 0; i < 100; i++)
        record(&own);
    CHECK_INT("not yet", wait_ms(), 1000);
    fake_pass_ms(61000);
    CHECK_INT("now", wait_ms(), 3000);
    for (int i = 0; i < 5; i++) {
        fake_pass_ms(61000);
        CHECK_INT("and once", wait_ms(), 3000);
    }
    bench_close("others");
}

/* Nothing to read: the wait for before anything is known. */
static void test_learn_without_a_store(void **state)
{
    new_db(state);
    for (int n = 0; n < 3; n++) {
        static const char *const names[] = {"no file", "no path", "rubbish"};

        new_place();
        open_at(quantile(0.95));
        bench.has_store = n != 1;
        if (n == 2) {
            record_many(30, 1000, 0);
            do_sql(db, "DROP TABLE attempts");
        }
        CHECK_INT(names[n], wait_ms(), 5000);
        bench_close(names[n]);
    }
}

/* A busy store costs one call its learned wait, not all for a minute. */
static void test_learn_looks_again_after_a_lock(void **state)
{
    sqlite3 *locker;

    new_db(state);
    record_many(30, 1000, 0);
    do_sql(db, "PRAGMA journal_mode = DELETE");
    assert_int_equal(sqlite3_open(db, &locker), SQLITE_OK);
    assert_int_equal(sqlite3_exec(locker, "BEGIN EXCLUSIVE", NULL, NULL, NULL),
                     SQLITE_OK);
    open_at(quantile(0.95));
    CHECK_INT("locked", wait_ms(), 5000);
    sqlite3_close(locker);
    CHECK_INT("free", wait_ms(), 1000);
    bench_close("lock");
}

/* More places than are kept: those that are used stay.  (The clock begins anew
 * for each call.) */
static void test_learn_forgets_places_out_of_use(void **state)
{
    char used[96];

    new_db(state);
    strcpy(used, url);
    record_many(30, 1000, 0);
    for (int n = 1; n <= 40; n++) {
        open_at(quantile(0.5));
        fake_pass_ms(1000000 * n);
        CHECK_INT("known", wait_ms(), 1000);
        bench_close("used");
        do_sql(db, "DELETE FROM attempts"); /* it is known here alone */
        new_place();
        open_at(quantile(0.5));
        fake_pass_ms(1000000 * n + 500000);
        BENCH_RUN(healthy);
        bench_close("other");
        strcpy(url, used);
    }
}

int main(void)
{
#define ON_A_PLACE(test) \
    cmocka_unit_test_setup_teardown(test, place_setup, place_teardown)
    const struct CMUnitTest tests[] = {
        ON_A_PLACE(test_learn_warms_up_on_twenty),
        ON_A_PLACE(test_learn_reads_the_store),
        ON_A_PLACE(test_learn_keeps_places_apart),
        ON_A_PLACE(test_learn_takes_the_newest_512),
        ON_A_PLACE(test_learn_knows_cancelled_ones),
        ON_A_PLACE(test_learn_from_its_own_calls),
        ON_A_PLACE(test_learn_forgets_the_oldest),
        ON_A_PLACE(test_learn_from_others_now_and_then),
        ON_A_PLACE(test_learn_without_a_store),
        ON_A_PLACE(test_learn_looks_again_after_a_lock),
        ON_A_PLACE(test_learn_forgets_places_out_of_use),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
