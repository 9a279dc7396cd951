/* SPDX-License-Identifier: MIT */
/* Samples add up, their names and units are the format's, and no name of a
 * model breaks a line or makes two samples of one name. */
#include "export_fixture.h"

static const struct uns_export all = {.select = UNS_SELECT_ALL};

#define OF(model) "{host=\"a.test:8443\",model=\"" model "\",program=\"curl\""
#define M1        OF("m1")

static struct uns_entry *call_with(const char *uuid, const char *model)
{
    struct uns_entry *entry = call_named(uuid);

    strcpy(entry->call.model, model);
    return entry;
}

static char *samples(const struct place *place)
{
    return exported(place, uns_export_prometheus, &all);
}

static void check_samples(const struct place *place, const char *const *lines,
                          size_t count)
{
    char *text = samples(place);
    char line[512];

    for (size_t i = 0; i < count; i++) {
        snprintf(line, sizeof line, "\n%s\n", lines[i]);
        check_has(lines[i], text, line);
    }
    free(text);
}

static void test_counters_count_calls_by_outcome(void **state)
{
    static const char *const want[] = {
        "unstall_calls_total" M1 ",outcome=\"ok\"} 2",
        "unstall_calls_total" M1 ",outcome=\"timeout\"} 1",
        "unstall_calls_total" M1 ",outcome=\"refused\"} 0",
        "unstall_failures_total" M1 ",phase=\"first_token\"} 1",
        "unstall_failures_total" M1 ",phase=\"connect\"} 0",
        "unstall_calls_total" OF("") ",outcome=\"ok\"} 1",
    };
    struct place *place = *state;
    struct uns_entry *late = call_named("c");

    strcpy(late->call.outcome, "timeout");
    late->call.ttft_ms = late->attempt[0].ttft_ms = UNS_NULL;
    write_ok(place->db, call_named("a"));
    write_ok(place->db, call_with("b", ""));
    write_ok(place->db, late);
    write_ok(place->db, call_named("d"));
    check_samples(place, want, ROWS(want));
}

static void test_counters_add_up_tokens_and_hedges(void **state)
{
    static const char *const want[] = {
        "unstall_tokens_in_total" M1 "} 11",
        "unstall_tokens_out_total" M1 "} 32",
        "unstall_hedges_fired_total" M1 "} 1",
        "unstall_hedges_won_total" M1 "} 1",
        "unstall_hedges_wasted_total" M1 "} 0",
        "unstall_extra_requests_total" M1 "} 1",
        "unstall_extra_tokens_out_total" M1 "} 5",
    };
    struct place *place = *state;
    struct uns_entry *hedged = call_named("a");
    struct uns_entry *plain = call_named("b");

    hedged->attempt[1] = hedged->attempt[0];
    hedged->attempts = 2;
    hedged->call.winner = hedged->attempt[1].seq = 1;
    hedged->call.tokens_in = 11;
    hedged->call.tokens_out = 22;
    strcpy(hedged->attempt[0].outcome, "hedge_cancelled");
    hedged->attempt[0].tokens_out = 5;
    strcpy(hedged->attempt[1].why, "first_token");
    plain->call.tokens_out = 10;
    write_ok(place->db, hedged);
    write_ok(place->db, plain);
    check_samples(place, want, ROWS(want));
}

/* A bound belongs to its class: le is "less or equal". */
static void test_histograms_are_cumulative_and_in_seconds(void **state)
{
    static const char *const want[] = {
        "unstall_ttft_seconds_bucket" M1 ",le=\"0.1\"} 1",
        "unstall_ttft_seconds_bucket" M1 ",le=\"0.5\"} 1",
        "unstall_ttft_seconds_bucket" M1 ",le=\"1.0\"} 2",
        "unstall_ttft_seconds_bucket" M1 ",le=\"300.0\"} 2",
        "unstall_ttft_seconds_bucket" M1 ",le=\"600.0\"} 3",
        "unstall_ttft_seconds_bucket" M1 ",le=\"+Inf\"} 4",
        "unstall_ttft_seconds_count" M1 "} 4",
        "unstall_ttft_seconds_sum" M1 "} 1201.101",
    };
    static const int64_t ttft_ms[] = {100, 1000, 600000, 600001};
    struct place *place = *state;

    for (size_t i = 0; i < ROWS(ttft_ms); i++) {
        char uuid[] = {(char)('a' + i), '\0'};
        struct uns_entry *entry = call_named(uuid);

        entry->call.ttft_ms = ttft_ms[i];
        write_ok(place->db, entry);
    }
    check_samples(place, want, ROWS(want));
}

/* Neither NULL nor what cannot be is a sample. */
static void test_histograms_have_what_was_measured(void **state)
{
    static const char *const want[] = {
        "unstall_wall_seconds_count" M1 "} 1",
        "unstall_wall_seconds_sum" M1 "} 9.000",
        "unstall_stall_seconds_count" M1 "} 2",
        "unstall_stall_seconds_sum" M1 "} 0.000",
        "unstall_max_gap_seconds_count" M1 "} 0",
    };
    struct place *place = *state;
    struct uns_entry *odd = call_named("c");

    odd->call.wall_ms = INT64_MAX;
    odd->call.stall_ms = odd->call.stall_count = UNS_NULL;
    write_ok(place->db, call_named("a"));
    write_ok(place->db, odd);
    odd = call_named("d");
    odd->call.wall_ms = UNS_NULL;
    write_ok(place->db, odd);
    check_samples(place, want, ROWS(want));
}

static void test_labels_are_escaped_and_utf8(void **state)
{
    static const struct {
        const char *model, *label;
    } rows[] = {
        {"a\"b", "model=\"a\\\"b\","},
        {"a\\n", "model=\"a\\\\n\","},
        {"a\nb", "model=\"a\\nb\","},
        {"\xe6\xa8\xa1,{}", "model=\"\xe6\xa8\xa1,{}\","},
        {"\xc3(", "model=\"\xef\xbf\xbd(\","},
    };
    struct place *place = *state;
    char *text;

    for (size_t i = 0; i < ROWS(rows); i++) {
        char uuid[] = {(char)('a' + i), '\0'};

        write_ok(place->db, call_with(uuid, rows[i].model));
    }
    text = samples(place);
    for (size_t i = 0; i < ROWS(rows); i++)
        check_has(rows[i].model, text, rows[i].label);
    free(text);
}

/* Two samples of one name and the same labels make the whole file invalid. */
static void test_models_that_look_the_same_are_one(void **state)
{
    static const char *const want[] = {
        "unstall_calls_total" OF("\xef\xbf\xbd") ",outcome=\"ok\"} 3",
        "unstall_wall_seconds_count" OF("\xef\xbf\xbd") "} 3",
    };
    struct place *place = *state;

    write_ok(place->db, call_with("a", "\xfe"));
    write_ok(place->db, call_with("b", "\xef\xbf\xbd"));
    write_ok(place->db, call_with("c", "\xff"));
    write_ok(place->db, call_with("d", "\xf8z"));
    check_samples(place, want, ROWS(want));
}

/* Each route has a sample, and what cannot be left is not. */
static void test_budgets_are_what_is_left(void **state)
{
    static const char *const want[] = {
        "unstall_budget_tokens{route=\"*\"} 23.4",
        "unstall_budget_tokens{route=\"https://a/\\\"b\"} 0",
    };
    struct place *place = *state;

    write_ok(place->db, call_named("a"));
    do_sql(place->db, "DELETE FROM budget; INSERT INTO budget (route, tokens)"
                      " VALUES ('*', 23.4), ('https://a/\"b', -0.5)");
    check_samples(place, want, ROWS(want));
    do_sql(place->db, "DROP TABLE budget");
    free(samples(place));
}

/* Each byte becomes three; the label still has its end. */
static void test_labels_have_room_for_any_name(void **state)
{
    struct place *place = *state;
    struct uns_entry *entry = call_named("a");
    struct uns_call_record *call = &entry->call;
    char *text;

    strcpy(call->endpoint, "http://");
    memset(call->endpoint + 7, '\xff', sizeof call->endpoint - 8);
    memset(call->model, '\xff', sizeof call->model - 1);
    memset(call->program, '\xff', sizeof call->program - 1);
    write_ok(place->db, entry);
    text = samples(place);
    check_has("whole", text, "\xef\xbf\xbd\",outcome=\"ok\"} 1\n");
    free(text);
}

/* Between samples of one metric stands no other: the format's rule. */
static void test_families_stand_together(void **state)
{
    struct place *place = *state;
    char *text, *rest, *line, *family = NULL;
    size_t families = 0;

    write_ok(place->db, call_named("a"));
    write_ok(place->db, call_with("b", "m2"));
    text = rest = samples(place);
    while ((line = strsep(&rest, "\n")) != NULL && *line != '\0') {
        if (strncmp(line, "# HELP ", 7) == 0) {
            families++;
            family = line + 7;
            family[strcspn(family, " ")] = '\0';
        } else if (line[0] != '#') {
            CHECK_INT(line, strncmp(line, family, strlen(family)), 0);
        }
    }
    CHECK_INT("families", families, 24);
    free(text);
}

/* P8: the help is the one definition. */
static void test_help_is_the_definition(void **state)
{
    static const struct {
        const char *family, *metric;
    } rows[] = {
        {"calls_total", "outcome"},
        {"ttft_seconds", "ttft_ms"},
        {"wall_seconds", "wall_ms"},
        {"hedges_won_total", "hedges_won"},
        {"extra_requests_total", "extra_requests"},
        {"tokens_out_total", "tokens_out"},
    };
    struct place *place = *state;
    char *text = samples(place);
    char line[2048];

    for (size_t i = 0; i < ROWS(rows); i++) {
        snprintf(line, sizeof line, "# HELP unstall_%s %s\n", rows[i].family,
                 uns_metric_by_name(rows[i].metric)->text);
        check_has(rows[i].family, text, line);
    }
    assert_null(strstr(text, "{"));
    free(text);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, place_setup, place_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_counters_count_calls_by_outcome),
        TEST(test_counters_add_up_tokens_and_hedges),
        TEST(test_histograms_are_cumulative_and_in_seconds),
        TEST(test_histograms_have_what_was_measured),
        TEST(test_labels_are_escaped_and_utf8),
        TEST(test_budgets_are_what_is_left),
        TEST(test_labels_have_room_for_any_name),
        TEST(test_models_that_look_the_same_are_one),
        TEST(test_families_stand_together),
        TEST(test_help_is_the_definition),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
