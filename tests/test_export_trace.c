/* SPDX-License-Identifier: MIT */
/* Slices of one track are inside of one another, whatever the records say. */
#include "export_fixture.h"

static const struct uns_export all = {.select = UNS_SELECT_ALL};

static cJSON *trace_of(const struct place *place)
{
    char *text = exported(place, uns_export_trace, &all);
    cJSON *trace = cJSON_Parse(text);

    if (trace == NULL)
        print_error("%s\n", text);
    assert_non_null(trace);
    free(text);
    return trace;
}

static double number(const cJSON *event, const char *key)
{
    const cJSON *value = cJSON_GetObjectItem(event, key);

    assert_true(cJSON_IsNumber(value));
    return value->valuedouble;
}

static bool is(const cJSON *event, const char *key, const char *text)
{
    const char *value = cJSON_GetStringValue(cJSON_GetObjectItem(event, key));

    return value != NULL && strcmp(value, text) == 0;
}

/* The `n`-th event of that phase and name, or NULL. */
static const cJSON *event_of(const cJSON *trace, const char *phase,
                             const char *name, int n)
{
    const cJSON *event;

    cJSON_ArrayForEach(event, cJSON_GetObjectItem(trace, "traceEvents"))
    {
        if (is(event, "ph", phase) && is(event, "name", name) && n-- == 0)
            return event;
    }
    return NULL;
}

static int count_of(const cJSON *trace, const char *phase, const char *name)
{
    int n = 0;

    while (event_of(trace, phase, name, n) != NULL)
        n++;
    return n;
}

static void check_slice_at(const cJSON *trace, const char *name,
                           int64_t from_us, int64_t length_us)
{
    const cJSON *event = event_of(trace, "X", name, 0);

    if (event == NULL)
        print_error("no %s\n", name);
    assert_non_null(event);
    CHECK_INT(name, number(event, "ts"), BEGAN_US + from_us);
    CHECK_INT(name, number(event, "dur"), length_us);
}

static void test_trace_draws_phases_one_after_another(void **state)
{
    static const struct {
        const char *name;
        int64_t from_us, length_us;
    } rows[] = {
        {"m1: ok", 0, 9000000},
        {"attempt 0: self, won", 0, 9000000},
        {"dns", 0, 10000},
        {"connect", 10000, 20000},
        {"tls", 30000, 30000},
        {"wait", 60000, 340000},
        {"first token", 400000, 300900},
        {"content", 700900, 8000000},
        {"tail", 8700900, 299100},
    };
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    cJSON *trace;

    entry->attempt[0].dns_ms = 10;
    entry->attempt[0].connect_ms = 20;
    entry->attempt[0].tls_ms = 30;
    entry->attempt[0].first_byte_ms = 400;
    write_ok(place->db, entry);
    trace = trace_of(place);
    for (size_t i = 0; i < ROWS(rows); i++)
        check_slice_at(trace, rows[i].name, rows[i].from_us, rows[i].length_us);
    cJSON_Delete(trace);
}

static void test_trace_leaves_out_what_is_not_known(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    struct uns_attempt_record *a = &entry->attempt[0];
    cJSON *trace;

    a->ttft_ms = a->ttft_us = a->generation_ms = UNS_NULL;
    write_ok(place->db, entry);
    trace = trace_of(place);
    assert_null(event_of(trace, "X", "content", 0));
    assert_null(event_of(trace, "X", "dns", 0));
    check_slice_at(trace, "no content", 0, 9000000);
    cJSON_Delete(trace);
}

/* Stored milliseconds are cut off, and damaged ones say anything. */
static void test_trace_keeps_slices_inside_of_their_attempt(void **state)
{
    static const struct {
        const char *name;
        int64_t dns_ms, ttft_us, generation_ms, started_ms;
    } rows[] = {
        {"longer than all", 1, 8999999, 500000, 0},
        {"longer than time", INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX},
        {"negative", -5, -7, -9, -1},
        {"begins after the end", 1, 100, 100, 9999},
        {"backwards", 8000, 5, 1, 0},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct place *place = NULL;
        struct uns_entry *entry = call_named("a");
        const cJSON *event;
        cJSON *trace;

        assert_int_equal(place_setup((void **)&place), 0);
        entry->attempt[0].dns_ms = rows[i].dns_ms;
        entry->attempt[0].ttft_us = rows[i].ttft_us;
        entry->attempt[0].generation_ms = rows[i].generation_ms;
        entry->attempt[0].started_ms = rows[i].started_ms;
        write_ok(place->db, entry);
        trace = trace_of(place);
        cJSON_ArrayForEach(event, cJSON_GetObjectItem(trace, "traceEvents"))
        {
            if (!is(event, "ph", "X"))
                continue;
            CHECK_INT(rows[i].name, number(event, "dur") >= 0, true);
            CHECK_INT(rows[i].name, number(event, "ts") >= BEGAN_US, true);
            CHECK_INT(rows[i].name,
                      number(event, "ts") + number(event, "dur") <=
                          BEGAN_US + 9000000,
                      true);
        }
        cJSON_Delete(trace);
        assert_int_equal(place_teardown((void **)&place), 0);
    }
    (void)state;
}

static void test_trace_marks_chunks_and_stalls(void **state)
{
    static const int64_t at_ms[] = {700, 3700, 3800};
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    const cJSON *stall;
    cJSON *trace;

    give_timeline(entry, 0, at_ms, ROWS(at_ms));
    write_ok(place->db, entry);
    trace = trace_of(place);
    CHECK_INT("chunks", count_of(trace, "i", "chunk"), 3);
    for (int i = 0; i < 3; i++)
        CHECK_INT("chunk", number(event_of(trace, "i", "chunk", i), "ts"),
                  BEGAN_US + at_ms[i] * 1000);
    /* It has begun 0.9 ms before the content, by numbers that were cut off. */
    check_slice_at(trace, "stall", 700900, 2999100);
    stall = cJSON_GetObjectItem(event_of(trace, "X", "stall", 0), "args");
    CHECK_INT("stall", number(stall, "duration_ms"), 3000);
    cJSON_Delete(trace);
}

/* A track for each attempt, a process for each program and pid. */
static void test_trace_names_processes_and_tracks(void **state)
{
    struct place *place = *state;
    struct uns_entry *hedged = call_named("a");
    struct uns_entry *other = call_named("b");
    const cJSON *first, *second;
    cJSON *trace;

    hedged->attempt[1] = hedged->attempt[0];
    hedged->attempt[1].seq = 1;
    hedged->attempt[1].started_ms = 3000;
    strcpy(hedged->attempt[1].source, "backup");
    hedged->attempts = 2;
    other->call.pid = 8;
    write_ok(place->db, hedged);
    write_ok(place->db, other);
    write_ok(place->db, call_named("c"));
    trace = trace_of(place);
    CHECK_INT("processes", count_of(trace, "M", "process_name"), 2);
    CHECK_INT("tracks", count_of(trace, "M", "thread_name"), 4);
    first = event_of(trace, "X", "attempt 0: self, won", 0);
    second = event_of(trace, "X", "attempt 1: backup, won", 0);
    CHECK_INT("process", number(second, "pid"), number(first, "pid"));
    CHECK_INT("track", number(second, "tid"), number(first, "tid") + 1);
    CHECK_INT("start", number(second, "ts"), BEGAN_US + 3000000);
    cJSON_Delete(trace);
}

/* P8: the arguments are the metrics, by their names. */
static void test_trace_tells_all_that_is_known(void **state)
{
    struct place *place = *state;
    const cJSON *args;
    cJSON *trace;

    write_ok(place->db, call_named("a"));
    trace = trace_of(place);
    args = cJSON_GetObjectItem(event_of(trace, "X", "m1: ok", 0), "args");
    CHECK_INT("ttft_us", number(args, "ttft_us"), 700900);
    assert_true(is(args, "program", "curl"));
    assert_null(cJSON_GetObjectItem(args, "arm"));
    assert_null(cJSON_GetObjectItem(args, "tokens_in"));
    cJSON_Delete(trace);
}

static void test_trace_has_no_place_for_a_call_without_begin(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    cJSON *trace;

    entry->call.started_at = UNS_NULL;
    write_ok(place->db, entry);
    trace = trace_of(place);
    CHECK_INT("events",
              cJSON_GetArraySize(cJSON_GetObjectItem(trace, "traceEvents")), 0);
    cJSON_Delete(trace);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_trace_draws_phases_one_after_another),
        TEST(test_trace_leaves_out_what_is_not_known),
        cmocka_unit_test(test_trace_keeps_slices_inside_of_their_attempt),
        TEST(test_trace_marks_chunks_and_stalls),
        TEST(test_trace_names_processes_and_tracks),
        TEST(test_trace_tells_all_that_is_known),
        TEST(test_trace_has_no_place_for_a_call_without_begin),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
