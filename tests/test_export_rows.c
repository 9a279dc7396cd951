/* SPDX-License-Identifier: MIT */
/* Rows for other programs: NULL stays nothing, and no text breaks a line. */
#include "export_fixture.h"

static const struct uns_export all = {.select = UNS_SELECT_ALL};

static struct uns_export of_table(enum uns_metric_table table)
{
    return (struct uns_export){.select = UNS_SELECT_ALL, .table = table};
}

/* The `n`-th line of a CSV, counted from 0, without its end; a copy. */
static char *line_of(const char *text, int n)
{
    for (; n > 0; n--)
        text = strstr(text, "\r\n") + 2;
    return strndup(text, (size_t)(strstr(text, "\r\n") - text));
}

/* The field under a title; no field has a comma here. */
static char *field_of(const char *csv, const char *title)
{
    char *titles = line_of(csv, 0), *row = line_of(csv, 1);
    char *rest = row, *name = titles, *field = NULL;

    while (name != NULL) {
        char *word = strsep(&name, ","), *value = strsep(&rest, ",");

        if (strcmp(word, title) == 0)
            field = strdup(value);
    }
    free(titles);
    free(row);
    return field;
}

static void test_csv_quotes_what_would_break_a_field(void **state)
{
    static const struct {
        const char *model, *field;
    } rows[] = {
        {"gpt-4o", "gpt-4o"},
        {"a b", "\"a b\""},
        {"a\"b", "\"a\"\"b\""},
        {"a\nb\rc", "\"a\nb\rc\""},
        {"\xe6\xa8\xa1", "\"\xe6\xa8\xa1\""},
        {"\xff", "\"\xef\xbf\xbd\""},
        {"'=1+1", "'=1+1"},
    };

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct place *place = NULL;
        struct uns_entry *entry = call_named("a");
        char *csv, *field;

        assert_int_equal(place_setup((void **)&place), 0);
        strcpy(entry->call.model, rows[i].model);
        write_ok(place->db, entry);
        csv = exported(place, uns_export_csv, &all);
        field = field_of(csv, "model");
        CHECK_TEXT(rows[i].model, field, rows[i].field);
        free(field);
        free(csv);
        assert_int_equal(place_teardown((void **)&place), 0);
    }
    (void)state;
}

static void test_csv_tells_null_from_zero(void **state)
{
    struct place *place = *state;
    char *csv, *field;

    write_ok(place->db, call_named("a"));
    csv = exported(place, uns_export_csv, &all);

    field = field_of(csv, "stall_ms");
    CHECK_TEXT("zero", field, "0");
    free(field);
    field = field_of(csv, "tokens_in");
    CHECK_TEXT("null", field, "");
    free(field);
    field = field_of(csv, "arm");
    CHECK_TEXT("no text", field, "");
    free(field);
    free(csv);
}

/* P8: each fact by the name under which it is explained. */
static void test_csv_titles_are_the_metrics(void **state)
{
    static const struct {
        const char *name;
        enum uns_metric_table table;
        const char *own; /* a column beside the metrics */
    } rows[] = {
        {"calls", UNS_METRIC_CALLS, "id"},
        {"attempts", UNS_METRIC_ATTEMPTS, "call_id"},
        {"stalls", UNS_METRIC_STALLS, NULL},
    };
    struct place *place = *state;
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);

    write_ok(place->db, call_named("a"));
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct uns_export export = of_table(rows[i].table);
        char *csv = exported(place, uns_export_csv, &export);
        char *titles = line_of(csv, 0), *rest = titles;

        if (rows[i].own != NULL)
            CHECK_TEXT(rows[i].name, strsep(&rest, ","), rows[i].own);
        for (size_t k = 0; k < count; k++)
            if (metrics[k].table == rows[i].table)
                CHECK_TEXT(rows[i].name, strsep(&rest, ","), metrics[k].name);
        assert_null(rest);
        free(titles);
        free(csv);
    }
}

static void test_csv_has_rows_of_selected_calls_only(void **state)
{
    struct place *place = *state;
    struct uns_export export = of_table(UNS_METRIC_ATTEMPTS);
    struct uns_entry *other = call_named("b");
    char *csv;

    strcpy(other->call.program, "php");
    strcpy(other->attempt[0].source, "elsewhere");
    write_ok(place->db, call_named("a"));
    write_ok(place->db, other);
    export.select.program = "curl";
    csv = exported(place, uns_export_csv, &export);
    check_has("curl's", csv, ",self,");
    assert_null(strstr(csv, "elsewhere"));
    free(csv);
}

static void test_jsonl_nests_attempts_and_stalls(void **state)
{
    static const int64_t at_ms[] = {700, 3700, 3800};
    struct place *place = *state;
    struct uns_entry *entry = call_named("a\n\"");
    char *text;
    cJSON *call, *attempt, *stall;

    give_timeline(entry, 0, at_ms, ROWS(at_ms));
    write_ok(place->db, entry);
    text = exported(place, uns_export_jsonl, &all);

    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    call = cJSON_Parse(text);
    CHECK_TEXT("uuid", cJSON_GetStringValue(cJSON_GetObjectItem(call, "uuid")),
               "a\n\"");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(call, "arm")));
    attempt = cJSON_GetArrayItem(cJSON_GetObjectItem(call, "attempt_list"), 0);
    CHECK_INT("wall", cJSON_GetObjectItem(attempt, "wall_ms")->valueint, 9000);
    assert_null(cJSON_GetObjectItem(attempt, "timeline"));
    stall = cJSON_GetArrayItem(cJSON_GetObjectItem(call, "stall_list"), 0);
    CHECK_INT("length", cJSON_GetObjectItem(stall, "duration_ms")->valueint,
              3000);
    CHECK_INT("after", cJSON_GetObjectItem(stall, "after_chunk")->valueint, 1);
    cJSON_Delete(call);
    free(text);
}

static void test_jsonl_goes_by_time(void **state)
{
    static const int64_t offsets[] = {3000, 1000, 2000};
    struct place *place = *state;
    char *text, *rest;

    for (size_t i = 0; i < ROWS(offsets); i++) {
        char uuid[] = {(char)('a' + i), '\0'};
        struct uns_entry *entry = call_named(uuid);

        entry->call.started_at += offsets[i];
        write_ok(place->db, entry);
    }
    text = rest = exported(place, uns_export_jsonl, &all);
    check_has("first", strsep(&rest, "\n"), "\"uuid\": \"b\"");
    check_has("second", strsep(&rest, "\n"), "\"uuid\": \"c\"");
    check_has("third", strsep(&rest, "\n"), "\"uuid\": \"a\"");
    free(text);
}

/* A host's file of early days lacks columns, or all tables but one. */
static void test_rows_of_an_old_store_are_null(void **state)
{
    struct place *place = *state;
    char path[160];
    sqlite3 *db = NULL;
    struct uns_common common = {.command = "test", .db = path};
    char *text = NULL;
    size_t len;
    FILE *out;

    snprintf(path, sizeof path, "%s/old.db", place->dir);
    do_sql(path, "CREATE TABLE calls (id INTEGER PRIMARY KEY, uuid TEXT,"
                 " started_at INTEGER); INSERT INTO calls VALUES (1, 'a', 5)");
    assert_int_equal(uns_db_open_quietly(&common, &db), UNS_EXIT_OK);
    out = open_memstream(&text, &len);
    assert_int_equal(uns_export_jsonl(db, &all, out), SQLITE_DONE);
    fclose(out);
    check_has("old", text, "\"uuid\": \"a\"");
    check_has("old", text, "\"wall_ms\": null");
    check_has("old", text, "\"attempt_list\": []");
    free(text);
    sqlite3_close(db);
}

static void test_nothing_recorded_is_an_empty_store(void **state)
{
    struct place *place = *state;
    char *text = exported(place, uns_export_jsonl, &all);

    CHECK_TEXT("jsonl", text, "");
    free(text);
    text = exported(place, uns_export_csv, &all);
    assert_ptr_equal(strstr(text, "\r\n"), text + strlen(text) - 2);
    free(text);
    assert_int_equal(access(place->db, F_OK), -1);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_csv_quotes_what_would_break_a_field),
        TEST(test_csv_tells_null_from_zero),
        TEST(test_csv_titles_are_the_metrics),
        TEST(test_csv_has_rows_of_selected_calls_only),
        TEST(test_jsonl_nests_attempts_and_stalls),
        TEST(test_jsonl_goes_by_time),
        TEST(test_rows_of_an_old_store_are_null),
        TEST(test_nothing_recorded_is_an_empty_store),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
