/* SPDX-License-Identifier: MIT */
/* Experiments that are not what they should be, and some that are. */
#include "cli/doubts.h"

#include "check.h"
#include "trials.h"

/* The doubts about it, with spaces between. */
static void check_doubts(const char *name, struct uns_trial *trial,
                         double share, const char *want)
{
    struct uns_findings *findings = calloc(1, sizeof *findings);
    char got[200] = "";

    assert_non_null(findings);
    assert_true(uns_trial_divide(trial));
    uns_doubts_find(trial, share, findings);
    for (size_t i = 0; i < findings->count; i++) {
        strcat(got, i ? " " : "");
        strcat(got, findings->list[i].what);
        CHECK_INT(name, findings->list[i].level, UNS_LEVEL_WARN);
        assert_non_null(findings->list[i].found);
        assert_non_null(findings->list[i].means);
    }
    CHECK_TEXT(name, got, want);
    uns_findings_clear(findings);
    free(findings);
    uns_trial_clear(trial);
}

static const struct {
    const char *name, *calls;
    size_t times;
    double share;
    const char *doubts;
} drawn[] = {
    {"sound", "aA", 100, 0.5, ""},
    {"no calls", "", 0, 0.5, ""},
    {"one call", "a", 1, 0.5, ""},
    {"a small share, as it was to be", "aaaaaaaaaA", 30, 0.1, ""},
    {"a small share, as it was not to be", "aaaaaaaaaA", 30, 0.5, "balance"},
    {"uneven, but by chance", "aaAaA", 5, 0.5, ""},
    {"too few to wonder", "aaaaaa", 1, 0.5, ""},
    {"an arm is missing", "aaaaaa", 10, 0.5, "balance time program"},
    {"one after the other", "aaaaaaaaaaaaaaaaaaaaAAAAAAAAAAAAAAAAAAAA", 1, 0.5,
     "time"},
    {"few in a row", "aaaaaAAAAA", 1, 0.5, ""},
    {"each arm has a program of its own", "aBaBaBaBaBaBaB", 5, 0.5,
     "program program"},
    {"a program that came late", "aAaAaAaAaAbBbB", 5, 0.5, ""},
    {"a rare program", "aAaAaAaAaAaAaAaAaAB", 5, 0.5, ""},
    {"a program that is never treated", "aAaAbAaA", 20, 0.5, "program"},
};

static void test_doubts_about_what_was_drawn(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(drawn); i++) {
        struct uns_trial trial;

        trial_make(&trial, drawn[i].calls, drawn[i].times);
        check_doubts(drawn[i].name, &trial, drawn[i].share, drawn[i].doubts);
    }
}

static void test_doubts_a_mode_that_was_changed(void **state)
{
    struct uns_trial trial;

    (void)state;
    trial_make(&trial, "aA", 100);
    for (size_t i = 100; i < trial.count; i++)
        if (trial.call[i].arm == UNS_TREATMENT)
            trial.call[i].mode = trial_name(&trial, "shadow");
    check_doubts("shadow, later", &trial, 0.5, "mode");
}

/* The wait of every tenth treated call, early and late. */
static const struct {
    const char *name;
    int64_t early_ms, late_ms;
    size_t every;
    const char *doubts;
} waits[] = {
    {"the same", 3000, 3000, 10, ""},
    {"a little more, as learned ones are", 3000, 3500, 10, ""},
    {"shorter", 3000, 1000, 10, "settings"},
    {"longer", 1000, 3000, 10, "settings"},
    {"tied from the start", 0, 0, 10, ""},
    {"too few to tell", 3000, 1000, 100, ""},
};

static void test_doubts_a_wait_that_was_changed(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(waits); i++) {
        struct uns_trial trial;

        trial_make(&trial, "aA", 200);
        for (size_t k = 1; k < trial.count; k += 2 * waits[i].every)
            trial.call[k].wait_ms =
                k < 200 ? waits[i].early_ms : waits[i].late_ms;
        check_doubts(waits[i].name, &trial, 0.5, waits[i].doubts);
    }
}

/* However unlikely a dozen in a row are, they are few of all. */
static void test_doubts_no_short_run_in_a_long_time(void **state)
{
    struct uns_trial trial;

    (void)state;
    trial_make(&trial, "aaaaaaaaaaaa", 1);
    for (int i = 0; i < 200; i++) {
        (void)trial_call(&trial, 'a');
        (void)trial_call(&trial, 'A');
    }
    check_doubts("twelve of 212", &trial, 0.5, "");
}

/* Twenty processes of twenty calls: it is their number that counts. */
static void test_doubts_processes_not_their_calls(void **state)
{
    struct uns_trial trial;

    (void)state;
    trial_make(&trial, "aaaaaaaaaaaaaaaaaaaaAAAAAAAAAAAAAAAAAAAA", 10);
    for (size_t i = 0; i < trial.count; i++)
        trial.call[i].pid = (int64_t)(i / 20);
    check_doubts("each process in one arm", &trial, 0.5, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubts_about_what_was_drawn),
        cmocka_unit_test(test_doubts_a_mode_that_was_changed),
        cmocka_unit_test(test_doubts_a_wait_that_was_changed),
        cmocka_unit_test(test_doubts_no_short_run_in_a_long_time),
        cmocka_unit_test(test_doubts_processes_not_their_calls),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
