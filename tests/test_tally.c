/* SPDX-License-Identifier: MIT */
/* P8: each count of a report counts what its definition says, and each of its
 * keys has one. */
#include "cli/tally.h"

#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 12

/* A call with an attempt of its own and a rival, by their words. */
struct sample {
    const char *outcome;
    int64_t winner;
    const char *own, *rival, *why; /* rival NULL: there was none */
    int64_t rival_tokens;
    const char *reason; /* the call's; NULL: none */
};

static void add(struct uns_tally *tally, const struct sample *sample)
{
    struct uns_entry *entry = uns_entry_new();

    strcpy(entry->call.outcome, sample->outcome);
    if (sample->reason != NULL)
        strcpy(entry->call.hedge_reason, sample->reason);
    entry->call.winner = sample->winner;
    entry->attempts = sample->rival ? 2 : 1;
    entry->attempt[0].seq = 0;
    strcpy(entry->attempt[0].outcome, sample->own);
    if (sample->rival != NULL) {
        entry->attempt[1].seq = 1;
        entry->attempt[1].tokens_out = sample->rival_tokens;
        strcpy(entry->attempt[1].outcome, sample->rival);
        strcpy(entry->attempt[1].why, sample->why);
    }
    uns_tally_add(tally, entry, &entry->call);
    uns_entry_free(entry);
}

static struct uns_figures figures_of(const struct sample *sample)
{
    struct uns_tally *tally = uns_tally_new();
    struct uns_figures figures;

    assert_non_null(tally);
    add(tally, sample);
    assert_true(uns_tally_close(tally, &figures));
    uns_tally_free(tally);
    return figures;
}

static enum uns_count count_by_name(const char *name)
{
    for (unsigned i = 0; i < UNS_COUNTS; i++)
        if (strcmp(uns_tally_count_name(i), name) == 0)
            return i;
    fail_msg("no count %s", name);
    return UNS_COUNTS;
}

/* All counts but these are 0. */
static void test_tally_counts_each_where_it_belongs(void **state)
{
    static const struct {
        const char *name;
        struct sample sample;
        const char *counts[WORDS]; /* of 1; with a 9 in front: of 9 */
    } rows[] = {
        {"one answer", {"ok", 0, "won", NULL, NULL, 0, NULL}, {"calls_ok"}},
        {"a hedge that won",
         {"ok", 1, "hedge_cancelled", "won", "first_token", 9, NULL},
         {"calls_ok", "hedges_fired", "hedges_won", "won_first_token",
          "extra_requests", "extra_untold"}},
        {"a hedge that was stopped",
         {"ok", 0, "won", "hedge_cancelled", "stall", UNS_NULL, NULL},
         {"calls_ok", "hedges_fired", "hedges_wasted", "wasted_stall",
          "lost_late", "extra_requests", "extra_untold"}},
        {"a hedge that came too late and told its usage",
         {"ok", 0, "won", "lost", "tied", 9, NULL},
         {"calls_ok", "hedges_fired", "hedges_wasted", "wasted_tied",
          "lost_late", "extra_requests", "9extra_tokens_out"}},
        {"a hedge that said something else",
         {"ok", 0, "won", "diverged", "resume", 9, NULL},
         {"calls_ok", "hedges_fired", "hedges_wasted", "wasted_resume",
          "lost_diverged", "extra_requests", "9extra_tokens_out"}},
        {"a failure that was made good",
         {"ok", 1, "failed", "won", "failure", 9, NULL},
         {"calls_ok", "rescued", "hedges_fired", "hedges_won", "won_failure",
          "extra_requests", "extra_untold"}},
        {"a rival that failed needed no rescue",
         {"ok", 0, "won", "failed", "stall", 9, NULL},
         {"calls_ok", "hedges_fired", "hedges_wasted", "wasted_stall",
          "lost_connect", "extra_requests", "9extra_tokens_out"}},
        {"a retry is no hedge",
         {"ok", 1, "failed", "won", "retry", 9, NULL},
         {"calls_ok", "rescued", "extra_requests", "extra_untold"}},
        {"nor is a shadow",
         {"ok", 0, "won", "shadow", "", 9, NULL},
         {"calls_ok", "extra_requests", "9extra_tokens_out"}},
        {"nobody knows what became of it",
         {"killed", UNS_NULL, "", "", "stall", UNS_NULL, NULL},
         {"calls_killed", "failures", "failed_calls", "failed_unknown",
          "hedges_fired", "extra_requests", "extra_untold"}},
        {"all failed",
         {"failed", UNS_NULL, "failed", "failed", "failure", UNS_NULL, NULL},
         {"calls_failed", "failures", "failed_calls", "failed_connect",
          "hedges_fired", "hedges_wasted", "wasted_failure", "lost_connect",
          "extra_requests", "extra_untold"}},
        {"refused",
         {"refused", 0, "won", NULL, NULL, 0, NULL},
         {"calls_refused", "failures", "failed_connect"}},
        {"a rival was sent for a stall",
         {"ok", 1, "hedge_cancelled", "won", "stall", 9, "stall"},
         {"calls_ok", "silent_calls", "hedges_fired", "hedges_won", "won_stall",
          "extra_requests", "extra_untold"}},
        {"aborted",
         {"aborted", 0, "won", NULL, NULL, 0, NULL},
         {"calls_aborted"}},
        {"nothing was sent: the first word",
         {"ok", 0, "won", NULL, NULL, 0, "budget_exhausted"},
         {"calls_ok", "unsent", "unsent_budget_exhausted"}},
        {"nothing was sent: the last word",
         {"ok", 0, "won", NULL, NULL, 0, "paused"},
         {"calls_ok", "unsent", "unsent_paused"}},
        {"a reason that something was sent for",
         {"ok", 0, "won", "lost", "tied", 9, "tied"},
         {"calls_ok", "hedges_fired", "hedges_wasted", "wasted_tied",
          "lost_late", "extra_requests", "9extra_tokens_out"}},
        {"a word of later versions",
         {"later", 0, "won", NULL, NULL, 0, NULL},
         {0}},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_figures figures = figures_of(&rows[i].sample);
        int64_t want[UNS_COUNTS] = {
            [UNS_COUNT_calls] = 1, [UNS_COUNT_calls_without_first_token] = 1};

        for (size_t k = 0; k < WORDS && rows[i].counts[k] != NULL; k++) {
            const char *word = rows[i].counts[k];

            want[count_by_name(word + (*word == '9'))] = *word == '9' ? 9 : 1;
        }
        for (unsigned k = 0; k < UNS_COUNTS; k++) {
            char where[128];

            snprintf(where, sizeof where, "%s: %s", rows[i].name,
                     uns_tally_count_name(k));
            CHECK_INT(where, figures.count[k], want[k]);
        }
    }
}

static void add_timed(struct uns_tally *tally, int64_t ms, int64_t tokens)
{
    struct uns_entry *entry = uns_entry_new();

    entry->call.started_at = ms;
    entry->call.streaming = 1;
    entry->call.ttft_ms = entry->call.wall_ms = entry->call.net_ms = ms;
    entry->call.generation_ms = ms * (tokens - 1);
    entry->call.tokens_out = tokens;
    entry->call.stall_ms = ms;
    entry->call.stall_count = 2;
    uns_tally_add(tally, entry, &entry->call);
    uns_entry_free(entry);
}

/* A call of 11 tokens at 10 ms each, and one of 91 at 20. */
static void test_tally_weighs_by_call_or_by_token(void **state)
{
    struct uns_tally *tally = uns_tally_new();
    struct uns_figures figures;
    const struct uns_summary *calls = &figures.quantity[UNS_QUANTITY_tpot_ms];
    const struct uns_summary *tokens =
        &figures.quantity[UNS_QUANTITY_tpot_token_ms];

    (void)state;
    add_timed(tally, 20, 91);
    add_timed(tally, 10, 11);
    assert_true(uns_tally_close(tally, &figures));
    assert_int_equal(calls->n, 2);
    assert_true(calls->p50 == 10 && calls->p90 == 20 && calls->mean == 15);
    assert_int_equal(tokens->n, 100);
    assert_true(tokens->p50 == 20 && tokens->mean == 19);
    assert_true(figures.quantity[UNS_QUANTITY_ttft_ms].p50 == 10);
    assert_int_equal(figures.first_us, 10);
    assert_int_equal(figures.last_us, 20);
    assert_int_equal(figures.count[UNS_COUNT_stalls], 4);
    assert_int_equal(figures.count[UNS_COUNT_stalled_calls], 2);
    assert_int_equal(figures.count[UNS_COUNT_no_timeline], 2);
    assert_int_equal(figures.count[UNS_COUNT_calls_streaming], 2);
    uns_tally_free(tally);
}

static void test_tally_is_empty_again_when_cleared(void **state)
{
    struct uns_tally *tally = uns_tally_new();
    struct uns_figures figures;

    (void)state;
    add_timed(tally, 20, 91);
    uns_tally_clear(tally);
    assert_true(uns_tally_close(tally, &figures));
    for (int i = 0; i < UNS_QUANTITIES; i++) {
        assert_int_equal(figures.quantity[i].n, 0);
        assert_true(isnan(figures.quantity[i].p99));
        assert_true(isnan(figures.quantity[i].mean));
    }
    for (int i = 0; i < UNS_COUNTS; i++)
        assert_int_equal(figures.count[i], 0);
    assert_true(figures.first_us == UNS_NULL);
    uns_tally_free(tally);
    uns_tally_free(NULL);
}

static void test_tally_names_only_what_is_defined(void **state)
{
    (void)state;
    for (unsigned i = 0; i < UNS_COUNTS; i++)
        CHECK_INT(uns_tally_count_name(i),
                  uns_metric_by_name(uns_tally_count_name(i)) != NULL, true);
    for (unsigned i = 0; i < UNS_QUANTITIES; i++)
        CHECK_INT(uns_tally_quantity_name(i),
                  uns_metric_by_name(uns_tally_quantity_name(i)) != NULL, true);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tally_counts_each_where_it_belongs),
        cmocka_unit_test(test_tally_weighs_by_call_or_by_token),
        cmocka_unit_test(test_tally_is_empty_again_when_cleared),
        cmocka_unit_test(test_tally_names_only_what_is_defined),
    };

    return cmocka_run_group_tests_name("tally", tests, NULL, NULL);
}
