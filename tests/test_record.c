/* SPDX-License-Identifier: MIT */
/* P8: every stored fact has one name, one unit and one definition, and what is
 * not known is NULL. */
#include "check.h"
#include "core/record.h"

#include <stdio.h>
#include <stdlib.h>

static const struct uns_metric *find(enum uns_metric_table table,
                                     const char *name)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);
    for (size_t i = 0; i < count; i++)
        if (metrics[i].table == table && strcmp(metrics[i].name, name) == 0)
            return &metrics[i];
    return NULL;
}

static bool is_text(enum uns_metric_table table, const char *name)
{
    const struct uns_metric *metric = find(table, name);
    return metric && metric->is_text;
}

/* The columns that other programs' queries rely on. */
static void test_record_has_the_columns_that_are_promised(void **state)
{
    static const struct {
        enum uns_metric_table table;
        const char *names;
    } rows[] = {
        {UNS_METRIC_CALLS,
         "uuid started_at program pid endpoint dialect model route streaming "
         "mode arm experiment injected outcome http_status curl_code winner "
         "hedge_reason silent_ms attempts resumed promoted truncated "
         "model_served tokens_in tokens_out bytes wall_ms ttft_ms ttft_us "
         "generation_ms stall_ms stall_count active_generation_ms net_ms "
         "delivered_ms tail_ms max_gap_ms chunk_count app_ms dns_ms "
         "connect_ms tls_ms first_byte_ms first_event_ms"},
        {UNS_METRIC_ATTEMPTS,
         "seq source origin outcome why started_ms http_status curl_code "
         "error model_served tokens_in tokens_out bytes wall_ms ttft_ms "
         "ttft_us generation_ms stall_ms stall_count active_generation_ms "
         "net_ms tail_ms max_gap_ms chunk_count app_ms dns_ms connect_ms "
         "tls_ms first_byte_ms first_event_ms"},
        {UNS_METRIC_STALLS, "call_id seq after_chunk at_ms duration_ms"},
    };

    size_t count, named = 0, columns = 0;
    const struct uns_metric *metrics = uns_metrics(&count);

    (void)state;
    for (size_t i = 0; i < count; i++)
        columns += metrics[i].table != UNS_METRIC_FIGURES;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char copy[1024], *rest = copy, *name;
        snprintf(copy, sizeof copy, "%s", rows[i].names);
        for (; (name = strtok_r(rest, " ", &rest)); named++)
            CHECK_INT(name, find(rows[i].table, name) != NULL, true);
    }
    CHECK_INT("no other", (int64_t)columns, (int64_t)named);
}

static void test_record_defines_every_metric(void **state)
{
    static const char *const units[] = {"",      "ms",    "us",
                                        "bytes", "count", "1/s"};
    size_t count;
    const struct uns_metric *m = uns_metrics(&count);

    (void)state;
    for (const struct uns_metric *end = m + count; m < end; m++) {
        size_t len = strlen(m->text), name = strlen(m->name), unit = 0;
        while (unit < ROWS(units) && strcmp(units[unit], m->unit) != 0)
            unit++;
        CHECK_INT(m->name, unit < ROWS(units), true);
        CHECK_INT(m->name, len > 20 && m->text[len - 1] == '.', true);
        CHECK_INT(m->name, find(m->table, m->name) == m, true); /* once */
        if (name > 3 && strcmp(m->name + name - 3, "_ms") == 0)
            CHECK_TEXT(m->name, m->unit, "ms");
        if (name > 3 && strcmp(m->name + name - 3, "_us") == 0)
            CHECK_TEXT(m->name, m->unit, "us");
    }
}

/* What a report makes is never mistaken for what was recorded. */
static void test_record_has_figures_of_names_of_their_own(void **state)
{
    size_t count;
    const struct uns_metric *m = uns_metrics(&count);

    (void)state;
    for (const struct uns_metric *end = m + count; m < end; m++)
        if (m->table == UNS_METRIC_FIGURES)
            CHECK_INT(m->name, uns_metric_by_name(m->name) == m, true);
}

static void test_record_members_lie_where_the_table_says(void **state)
{
    static const size_t sizes[] = {sizeof(struct uns_call_record),
                                   sizeof(struct uns_attempt_record)};
    size_t count;
    const struct uns_metric *m = uns_metrics(&count);

    (void)state;
    for (const struct uns_metric *end = m + count; m < end; m++) {
        if (m->table > UNS_METRIC_ATTEMPTS)
            continue;
        CHECK_INT(m->name, m->offset + m->size <= (int)sizes[m->table], true);
        if (!m->is_text)
            CHECK_INT(m->name, m->size, sizeof(int64_t));
    }
    CHECK_INT("ttft_ms", find(UNS_METRIC_CALLS, "ttft_ms")->offset,
              offsetof(struct uns_call_record, ttft_ms));
    CHECK_INT("origin", find(UNS_METRIC_ATTEMPTS, "origin")->offset,
              offsetof(struct uns_attempt_record, origin));
    CHECK_INT("endpoint", find(UNS_METRIC_CALLS, "endpoint")->size, 256);
    CHECK_INT("text", is_text(UNS_METRIC_CALLS, "endpoint"), true);
    CHECK_INT("number", is_text(UNS_METRIC_CALLS, "pid"), false);
}

static void check_cleared(const void *record, enum uns_metric_table table)
{
    size_t count;
    const struct uns_metric *m = uns_metrics(&count);
    for (const struct uns_metric *end = m + count; m < end; m++) {
        const char *member = (const char *)record + m->offset;
        int64_t value;
        if (m->table != table)
            continue;
        if (m->is_text) {
            CHECK_TEXT(m->name, member, "");
            continue;
        }
        memcpy(&value, member, sizeof value);
        CHECK_INT(m->name, value, UNS_NULL);
    }
}

static void test_record_clears_to_null(void **state)
{
    struct uns_call_record call;
    struct uns_attempt_record attempt;

    (void)state;
    memset(&call, 'x', sizeof call);
    memset(&attempt, 'x', sizeof attempt);
    uns_call_record_clear(&call);
    uns_attempt_record_clear(&attempt);
    check_cleared(&call, UNS_METRIC_CALLS);
    check_cleared(&attempt, UNS_METRIC_ATTEMPTS);
}

static void test_record_finds_a_metric_by_name(void **state)
{
    static const struct {
        const char *name;
        int table; /* -1: there is none */
    } rows[] = {
        {"ttft_ms", UNS_METRIC_CALLS},
        {"origin", UNS_METRIC_ATTEMPTS},
        {"seq", UNS_METRIC_ATTEMPTS},
        {"after_chunk", UNS_METRIC_STALLS},
        {"tpot_ms", UNS_METRIC_FIGURES},
        {"ttft", -1},
        {"ttft_ms ", -1},
        {"", -1},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct uns_metric *metric = uns_metric_by_name(rows[i].name);
        CHECK_INT(rows[i].name, metric ? (int)metric->table : -1,
                  rows[i].table);
    }
}

/* The words that stand in the columns are part of the definitions. */
static void test_record_lists_its_vocabularies(void **state)
{
    static const struct {
        enum uns_metric_table table;
        const char *name, *words;
    } rows[] = {
        {UNS_METRIC_CALLS, "outcome",
         "ok refused failed truncated timeout aborted killed"},
        {UNS_METRIC_ATTEMPTS, "outcome",
         "won lost hedge_cancelled failed diverged shadow"},
        {UNS_METRIC_CALLS, "hedge_reason",
         "first_token stall failure tied retry resume budget_exhausted "
         "budget_unreadable pushback no_key not_movable not_replayable "
         "same_origin_failed launch_failed max_attempts"},
        {UNS_METRIC_ATTEMPTS, "why",
         "first_token stall failure tied retry resume shadow"},
        {UNS_METRIC_CALLS, "mode", "observe shadow hedge"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char copy[256], *rest = copy, *word;
        snprintf(copy, sizeof copy, "%s", rows[i].words);
        while ((word = strtok_r(rest, " ", &rest)))
            CHECK_INT(word,
                      strstr(find(rows[i].table, rows[i].name)->text, word) !=
                          NULL,
                      true);
    }
    for (int why = UNS_WHY_NOTHING + 1; why < UNS_WHY_COUNT; why++)
        CHECK_INT(uns_why_name((enum uns_why)why),
                  strstr(find(UNS_METRIC_ATTEMPTS, "why")->text,
                         uns_why_name((enum uns_why)why)) != NULL,
                  true);
}

/* tools/metrics-doc writes the file from the table. */
static void test_record_is_what_the_document_says(void **state)
{
    static char doc[64 * 1024];
    FILE *file = fopen("docs/metrics.md", "r");
    size_t count, rows = 0;
    const struct uns_metric *m = uns_metrics(&count);

    (void)state;
    assert_non_null(file);
    doc[fread(doc, 1, sizeof doc - 1, file)] = '\0';
    fclose(file);
    for (const char *at = doc; (at = strstr(at, "\n| `")); at++)
        rows++;
    CHECK_INT("rows", (int64_t)rows, (int64_t)count);
    for (const struct uns_metric *end = m + count; m < end; m++) {
        char row[2048];
        snprintf(row, sizeof row, "\n| `%s` | %s | %s |\n", m->name,
                 m->is_text ? "text" : m->unit, m->text);
        CHECK_INT(m->name, strstr(doc, row) != NULL, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_record_has_the_columns_that_are_promised),
        cmocka_unit_test(test_record_defines_every_metric),
        cmocka_unit_test(test_record_has_figures_of_names_of_their_own),
        cmocka_unit_test(test_record_members_lie_where_the_table_says),
        cmocka_unit_test(test_record_clears_to_null),
        cmocka_unit_test(test_record_finds_a_metric_by_name),
        cmocka_unit_test(test_record_lists_its_vocabularies),
        cmocka_unit_test(test_record_is_what_the_document_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
