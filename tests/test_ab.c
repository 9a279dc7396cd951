/* SPDX-License-Identifier: MIT */
/* The verdict on an experiment in one sentence. */
#include "cli/ab.h"

#include "check.h"

#include <math.h>
#include <stdlib.h>

#define NEVER (double)INFINITY

static const struct {
    const char *name;
    enum uns_verdict verdict;
    size_t more;
    struct uns_effect primary;
    const char *sentence;
} verdicts[] = {
    {"less: the nearer end first",
     UNS_VERDICT_LESS,
     0,
     {{9100, 5600}, -0.38, -0.44, -0.31, true},
     "The treatment's p95 first token is 38 % lower (95 % interval 31..44 "
     "%)."},
    {"more",
     UNS_VERDICT_MORE,
     0,
     {{1000, 1200}, 0.2, 0.05, 0.4, true},
     "The treatment's p95 first token is 20 % higher (95 % interval 5..40 "
     "%)."},
    {"the control's never comes",
     UNS_VERDICT_LESS,
     0,
     {{NEVER, 1200}, -1, -1, -1, true},
     "More than one call in twenty of the control never got a first token; "
     "the treatment does better."},
    {"the treatment's never comes",
     UNS_VERDICT_MORE,
     0,
     {{1200, NEVER}, NEVER, NEVER, NEVER, true},
     "More than one call in twenty of the treatment never got a first token; "
     "the control does better."},
    {"too few",
     UNS_VERDICT_TOO_FEW,
     140,
     {{0, 0}, 0, 0, 0, false},
     "Not enough data: about 140 more calls, to have 100 in each arm (and 20 "
     "units of those that were drawn)."},
    {"unsure",
     UNS_VERDICT_UNSURE,
     611,
     {{1350, 1210}, -0.11, -0.29, 0.16, false},
     "Not enough data: about 611 more calls would show a difference of 20 % "
     "in p95 first token four times in five; so far the treatment's may be "
     "between 29 % lower and 16 % higher."},
    {"unsure, and nobody knows how much it takes",
     UNS_VERDICT_UNSURE,
     0,
     {{NEVER, NEVER}, 0, -1, NEVER, false},
     "Not enough data: too many calls of an arm got no first token for its "
     "95th percentile to be told."},
    {"none",
     UNS_VERDICT_NONE,
     0,
     {{1370, 1330}, -0.02, -0.11, 0.08, false},
     "No difference: the treatment's p95 first token is between 11 % lower "
     "and 8 % higher, and one of 20 % would have shown."},
};

static void test_ab_says_the_verdict_in_one_sentence(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(verdicts); i++) {
        struct uns_comparison comparison = {.verdict = verdicts[i].verdict,
                                            .more = verdicts[i].more};
        char *sentence = NULL;

        comparison.effect[UNS_STAT_PRIMARY] = verdicts[i].primary;
        uns_ab_say(&comparison, &sentence);
        CHECK_TEXT(verdicts[i].name, sentence, verdicts[i].sentence);
        free(sentence);
    }
}

/* The others are exploratory: whatever they are, the sentence is the same. */
static void test_ab_speaks_of_the_primary_statistic_alone(void **state)
{
    (void)state;
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++) {
        struct uns_comparison comparison = {.verdict = UNS_VERDICT_NONE};
        char *sentence = NULL;

        comparison.effect[UNS_STAT_PRIMARY] = verdicts[7].primary;
        if (i != UNS_STAT_PRIMARY)
            comparison.effect[i] =
                (struct uns_effect){{100, 900}, 8, 7, 9, true};
        uns_ab_say(&comparison, &sentence);
        assert_string_equal(sentence, verdicts[7].sentence);
        free(sentence);
    }
}

/* Columns and keys are made of this table. */
static void test_ab_has_a_title_and_a_key_for_every_statistic(void **state)
{
    (void)state;
    for (unsigned i = 0; i < UNS_STAT_COUNT; i++) {
        assert_non_null(uns_stats[i].name);
        assert_in_range(strlen(uns_stats[i].title), 1, 21);
        assert_true(uns_stats[i].per_mille < 1000);
        for (unsigned k = 0; k < i; k++)
            assert_string_not_equal(uns_stats[i].name, uns_stats[k].name);
    }
    CHECK_TEXT("primary", uns_stats[UNS_STAT_PRIMARY].name, "ttft_p95_ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ab_says_the_verdict_in_one_sentence),
        cmocka_unit_test(test_ab_speaks_of_the_primary_statistic_alone),
        cmocka_unit_test(test_ab_has_a_title_and_a_key_for_every_statistic),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
