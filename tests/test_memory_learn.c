/* SPDX-License-Identifier: MIT */
/* Learned delays and the record of a call, when there is no memory for them:
 * the call goes on with the delay that holds before anything is known, and the
 * next one has learned. */
#include "bench.h"
#include "store_fixture.h"

#include "core/delay.h"

#define WARMUP  5000
#define LEARNED 1000
#define PLACES  16 /* that are kept in memory */

static const struct fake_beat healthy[] = {
    HEAD(10, OK_HEAD), BODY(20, DELTA("Hi") STOP DONE), END(40, CURLE_OK)};
static const struct fake_beat late[] = {HEAD(10, OK_HEAD),
                                        BODY(20000, DELTA("Lo") STOP DONE),
                                        END(20010, CURLE_OK)};

static const char *db;
static char url[96], origin[64];

/* A place that nothing is known of in memory; its first tokens came after a
 * second. */
static void new_place(void)
{
    static long number;
    struct uns_entry *list = NULL;

    sprintf(origin, "https://p%ld.example", ++number);
    sprintf(url, "%s/v1/chat/completions", origin);
    for (long i = 0; i < UNS_DELAY_LEAST; i++) {
        struct uns_entry *entry = entry_numbered(1000 * number + i);

        strcpy(entry->call.model, "gpt-4o");
        entry->call.streaming = 1;
        entry->call.pid = 1;
        entry->attempts = 1;
        entry->attempt[0].seq = 0;
        entry->attempt[0].ttft_us = LEARNED * 1000;
        strcpy(entry->attempt[0].origin, origin);
        entry->next = list;
        list = entry;
    }
    assert_int_equal(uns_store_write(db, list, 1000), UNS_OK);
    while (list) {
        struct uns_entry *next = list->next;

        uns_entry_free(list);
        list = next;
    }
}

static void open_call(void)
{
    bench_open();
    bench_sources(1);
    bench.db = db;
    bench_set(CURLOPT_URL, url);
    bench.policy.hedge.after =
        (struct uns_delay){.how = UNS_DELAY_QUANTILE, .quantile = 0.5};
}

/* When was the rival sent?  -1: none was, and the call took its time. */
static int64_t wait_ms(const char *row)
{
    BENCH_RUN(late, healthy);
    CHECK_INT(row, bench.code, CURLE_OK);
    if (fake.requests < 2)
        return -1;
    return (fake.request[1]->start_ns - fake.request[0]->start_ns) / UNS_MS;
}

/* The record is whole, or there is none. */
static void check_record(const char *row, int64_t waited)
{
    const struct uns_entry *entry = bench.entry;

    CHECK_INT(row, bench.entries, entry != NULL);
    if (!entry)
        return;
    CHECK_TEXT(row, entry->call.outcome, "ok");
    CHECK_INT(row, entry->attempts, waited < 0 ? 1 : 2);
    CHECK_INT(row, entry->call.wall_ms, waited < 0 ? 20010 : waited + 40);
    CHECK_TEXT(row, entry->attempt[0].origin, origin);
    CHECK_TEXT(row, entry->attempt[entry->call.winner].outcome, "won");
}

/* Returns how many allocations the first call asked for. */
static unsigned call_twice(unsigned n, bool all)
{
    char row[64];
    unsigned asked;
    int64_t waited;
    long live;

    snprintf(row, sizeof row, "allocation %u%s", n, all ? " and later" : "");
    new_place();
    live = fake_memory_live();
    open_call();
    fake_memory_fail(n, all);
    waited = wait_ms(row);
    asked = fake_memory_asked();
    if (waited >= 0 && waited != WARMUP)
        CHECK_INT(row, waited, LEARNED);
    check_record(row, waited);
    bench_close(row);
    open_call();
    CHECK_INT(row, wait_ms(row), LEARNED);
    assert_non_null(bench.entry);
    check_record(row, LEARNED);
    bench_close(row);
    if (n > 0) /* there is no place left to learn beside the others */
        CHECK_INT(row, fake_memory_live() - live, 0);
    return asked;
}

static void test_learn_knows_at_the_next_call_without_memory(void **state)
{
    unsigned asked = 0;

    db = ((struct place *)*state)->db;
    for (unsigned i = 0; i <= PLACES; i++)
        asked = call_twice(0, false);
    assert_true(asked > 10);
    for (unsigned n = 1; n <= asked; n += n < 60 ? 1 : 1 + asked / 60) {
        call_twice(n, false);
        call_twice(n, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_learn_knows_at_the_next_call_without_memory, place_setup,
            place_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
