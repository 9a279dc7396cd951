/* SPDX-License-Identifier: MIT */
/* Which calls an advice is learned from, and how it is said. */
#include "cli/advise_words.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>

#define NONE UNS_NULL

static const struct {
    const char *name, *outcome, *primary;
    int64_t ttft_us;
    enum uns_advise_use use;
} uses[] = {
    {"an answer", "ok", "won", 5, UNS_ADVISE_WHOLE},
    {"an answer that was not used", "ok", "lost", 5, UNS_ADVISE_WHOLE},
    {"a rival was faster", "ok", "hedge_cancelled", NONE, UNS_ADVISE_CUT},
    {"it stalled, and a rival went on", "ok", "hedge_cancelled", 5,
     UNS_ADVISE_CUT},
    {"the program's patience", "aborted", "failed", NONE, UNS_ADVISE_CUT},
    {"the program's time limit", "timeout", "failed", NONE, UNS_ADVISE_CUT},
    {"the process died", "killed", "failed", NONE, UNS_ADVISE_CUT},
    {"the program had enough", "aborted", "won", 5, UNS_ADVISE_WHOLE},
    {"a refusal", "refused", "won", NONE, UNS_ADVISE_SKIP},
    {"no connection", "failed", "failed", NONE, UNS_ADVISE_SKIP},
    {"it failed, a rival did not", "ok", "failed", NONE, UNS_ADVISE_SKIP},
    {"it broke off", "truncated", "failed", 5, UNS_ADVISE_SKIP},
    {"an answer without content", "ok", "won", NONE, UNS_ADVISE_SKIP},
};

static void test_advise_learns_from_what_a_primary_tells(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(uses); i++) {
        struct uns_call_record call;
        struct uns_attempt_record primary;

        uns_call_record_clear(&call);
        uns_attempt_record_clear(&primary);
        strcpy(call.outcome, uses[i].outcome);
        strcpy(primary.outcome, uses[i].primary);
        primary.ttft_us = uses[i].ttft_us;
        CHECK_INT(uses[i].name, uns_advise_use_of(&call, &primary),
                  uses[i].use);
    }
}

/* A grid of two: as it was, and one setting that saves much. */
static struct uns_grid *grid_of(struct uns_setting setting)
{
    struct uns_grid *grid = calloc(1, sizeof *grid);

    assert_non_null(grid);
    grid->count = 2;
    grid->entry[0].setting = (struct uns_setting){UNS_NEVER, UNS_NEVER, 0};
    grid->entry[0].price = (struct uns_price){
        .first_ms = {800, 9100, 21000}, .wall_ms = 8000, .wall_p95_ms = 30000};
    grid->entry[1].setting = setting;
    grid->entry[1].price = (struct uns_price){.requests = 0.0612,
                                              .tokens = 31,
                                              .first_ms = {800, 3200, 4000},
                                              .wall_ms = 6000,
                                              .wall_p95_ms = 12000,
                                              .saved_ms = 2000};
    return grid;
}

static const struct {
    const char *name;
    struct uns_setting setting;
    const char *config, *when;
} words[] = {
    {"a wait",
     {2300 * UNS_MS, UNS_NEVER, 0},
     "{\"mode\": \"hedge\",\n"
     " \"hedge\": {\"after_s\": 2.3, \"stall_after_s\": null, \"hold_s\": 0,\n"
     "           \"budget\": {\"ratio\": 0.1}}}",
     "Ask again after 2.3 s without a first token. That"},
    {"a stall",
     {UNS_NEVER, 3 * UNS_S, UNS_NEVER},
     "{\"mode\": \"hedge\",\n"
     " \"hedge\": {\"after_s\": null, \"stall_after_s\": 3, "
     "\"hold_s\": \"all\",\n"
     "           \"budget\": {\"ratio\": 0.1}}}",
     "Ask again after 3 s of silence while the answer is kept back (all). "
     "That"},
    {"both",
     {500 * UNS_MS, 1500 * UNS_MS, 5 * UNS_S},
     "{\"mode\": \"hedge\",\n"
     " \"hedge\": {\"after_s\": 0.5, \"stall_after_s\": 1.5, \"hold_s\": 5,\n"
     "           \"budget\": {\"ratio\": 0.1}}}",
     "Ask again after 0.5 s without a first token, and after 1.5 s of silence "
     "while the answer is kept back (5 s). That"},
};

static void
test_advise_words_a_setting_as_sentence_and_configuration(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(words); i++) {
        struct uns_advise_calls calls = {.known = 500};
        struct uns_grid *grid = grid_of(words[i].setting);
        const struct uns_advice advice = {
            &calls, grid, {0.1, UNS_NEVER}, {1, 1}};
        struct uns_advise_text text;
        char *config = uns_advise_config(&advice);

        CHECK_TEXT(words[i].name, config, words[i].config);
        uns_advise_say(&advice, &text);
        text.sentence[strlen(words[i].when)] = '\0';
        CHECK_TEXT(words[i].name, text.sentence, words[i].when);
        uns_advise_unsay(&text);
        free(config);
        uns_grid_free(grid);
    }
}

static void test_advise_words_name_the_saving_and_the_price(void **state)
{
    struct uns_advise_calls calls = {.known = 500};
    struct uns_grid *grid =
        grid_of((struct uns_setting){3 * UNS_S, UNS_NEVER, 0});
    const struct uns_advice advice = {&calls, grid, {0.1, 0}, {1, 1}};
    struct uns_advise_text text;

    (void)state;
    uns_advise_say(&advice, &text);
    CHECK_TEXT("sentence", text.sentence,
               "Ask again after 3 s without a first token. That saves 2.00 s "
               "of the mean call (25 %), brings the p95 first token from 9.10 "
               "s to 3.20 s, and costs 6.1 % more requests, about 31 tokens a "
               "call.");
    uns_advise_unsay(&text);
    uns_grid_free(grid);
}

/* Everything that can be said at once has a line. */
static void test_advise_words_have_room_for_all_they_say(void **state)
{
    struct uns_advise_calls calls = {
        .known = 500,
        .untimed = 3,
        .skipped = 2,
        .pool = {.count = 100, .cut = 5, .unbounded = 4}};
    struct uns_grid *grid =
        grid_of((struct uns_setting){3 * UNS_S, UNS_NEVER, 0});
    struct uns_advice advice = {&calls, grid, {0.1, 0}, {1, 1}};
    struct uns_advise_text text;
    size_t count = 0;

    (void)state;
    grid->entry[2] = grid->entry[1];
    grid->entry[2].setting =
        (struct uns_setting){3 * UNS_S, 3 * UNS_S, UNS_NEVER};
    grid->entry[2].price.saved_ms = 5000;
    grid->count = 3;
    uns_advise_say(&advice, &text);
    while (text.lines[count] != NULL)
        count++;
    CHECK_INT("lines", count, 7);
    assert_non_null(strstr(text.lines[count - 1], "Assumed: "));
    assert_non_null(strstr(text.lines[2], "--hold all"));
    uns_advise_unsay(&text);
    uns_grid_free(grid);
}

static const struct {
    const char *name;
    double budget, requests;
    const char *line;
} near_misses[] = {
    {"just beyond", 0.1, 0.1031,
     "Beyond the budget, at 10.3 % more requests: asking after 3 s without a "
     "first token saves 25 % of these calls' time; --budget 0.104 tells more."},
    {"far beyond", 0.1, 0.5,
     "Beyond the budget, at 50.0 % more requests: asking after 3 s without a "
     "first token saves 25 % of these calls' time; --budget 0.500 tells more."},
    {"of nothing", 0, 0.02,
     "Beyond the budget, at 2.0 % more requests: asking after 3 s without a "
     "first token saves 25 % of these calls' time; --budget 0.020 tells more."},
};

static void test_advise_names_the_budget_that_would_do(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(near_misses); i++) {
        struct uns_advise_calls calls = {.known = 500};
        struct uns_grid *grid =
            grid_of((struct uns_setting){3 * UNS_S, UNS_NEVER, 0});
        const struct uns_advice advice = {
            &calls, grid, {near_misses[i].budget, 0}, {0, 0}};
        struct uns_advise_text text;

        grid->entry[1].price.requests = near_misses[i].requests;
        grid->entry[2] = grid->entry[1]; /* more of both, and too far */
        grid->entry[2].price.requests = 0.9;
        grid->entry[2].price.saved_ms = 2100;
        grid->count = 3;
        uns_advise_say(&advice, &text);
        CHECK_TEXT(near_misses[i].name, text.lines[0], near_misses[i].line);
        uns_advise_unsay(&text);
        uns_grid_free(grid);
    }
}

static void test_advise_refuses_in_words(void **state)
{
    struct uns_advise_calls calls = {.known = 37};
    struct uns_advice advice = {.calls = &calls, .limits = {0.1, 0}};
    struct uns_advise_text text;

    (void)state;
    uns_advise_say(&advice, &text);
    CHECK_TEXT("too few", text.sentence,
               "Not enough data: the times of 37 calls are known, and 100 are "
               "the least to tell a tail from; record 63 more.");
    assert_null(text.lines[0]);
    uns_advise_unsay(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_advise_learns_from_what_a_primary_tells),
        cmocka_unit_test(
            test_advise_words_a_setting_as_sentence_and_configuration),
        cmocka_unit_test(test_advise_words_name_the_saving_and_the_price),
        cmocka_unit_test(test_advise_words_have_room_for_all_they_say),
        cmocka_unit_test(test_advise_names_the_budget_that_would_do),
        cmocka_unit_test(test_advise_refuses_in_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
