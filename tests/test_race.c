/* SPDX-License-Identifier: MIT */
/* The race while nobody leads: what is launched and when, who wins without a
 * hold, which events mean nothing.  Rows of OPEN and COMMITTED. */
#include "race_script.h"

#include <stdio.h>

static void test_race_alone_passes_through(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"nothing happens", "", "", "", "open"},
        {"R5: the first content is given at once", "", "b0 p0", "give(0)",
         "committed"},
        {"R5: a finish leads like content", "", "f0", "give(0)", "committed"},
        {"one give only", "", "p0 p0 p0 f0 p0", "give(0)", "committed"},
        {"complete without content", "", "b0 c0", "give(0) end(lead 0)",
         "ended"},
        {"content, then complete", "", "p0 f0 c0", "give(0) end(lead 0)",
         "ended"},
        {"bytes alone decide nothing", "", "b0 b0 T", "", "open"},
        {"the clock does nothing without rules", "", "@99999 T", "", "open"},
        {"lost before content: its own result", "", "l0",
         "give(0) end(fallback 0)", "ended"},
        {"lost after content: its own end", "", "p0 l0", "give(0) end(lead 0)",
         "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_launches_by_rule(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R1: after_s 0 sends one tied rival at the start", "after 0", "",
         "launch(tied)", "open"},
        {"R1: and none by timer after that", "after 0 max 5", "+ @99 T",
         "launch(tied)", "open"},
        {"R2: not before after_s", "after 3", "@2.999 T", "", "open"},
        {"R2: at after_s", "after 3", "@3 T", "launch(first_token)", "open"},
        {"R2: content and deadline in one pass: content wins", "after 3",
         "@3 p0 T", "give(0)", "committed"},
        {"R2: bytes without content do not help", "after 3", "@2 b0 @3 T",
         "launch(first_token)", "open"},
        {"R2: counted from the last launch then", "after 3 max 3",
         "@3 T + @5.9 T @6 T +", "launch(first_token) launch(first_token)",
         "open"},
        {"R2: max_attempts ends it, and that is told once", "after 3 max 2",
         "@3 T + @6 T @9 T", "launch(first_token) spent", "open"},
        {"R2: none to be had: not asked again", "after 3 max 3",
         "@3 T - @6 T @9 T", "launch(first_token)", "open"},
        {"P5: max_attempts 1 sends nothing more", "after 0 failover max 1",
         "@3 T", "spent", "open"},
        {"R3: a failure launches at once", "failover", "@1 l0 +",
         "launch(failure)", "open"},
        {"R3: without failover_on it does not", "after 3", "@1 l0",
         "give(0) end(fallback 0)", "ended"},
        {"R3: none: the others are waited for", "after 3 failover max 3",
         "@3 T + l0 - p1",
         "launch(first_token) launch(failure) give(1) cancel(0)", "committed"},
        {"R3: none alive: fall back", "after 3 failover max 3",
         "@3 T + l0 - l1 -",
         "launch(first_token) launch(failure) launch(failure) give(0) "
         "cancel(1) end(fallback 0)", "ended"},
        {"R3: a failure asks although a timer got none",
         "after 3 failover max 3", "@3 T - l0 +",
         "launch(first_token) launch(failure)", "open"},
        {"two lost in one pass are met by one launch",
         "after 0 failover max 5", "+ @1 l0 l1 +",
         "launch(tied) launch(failure)", "open"},
        {"R3: refusal of attempt 0 is the answer", "after 0", "+ r0",
         "launch(tied) give(0) cancel(1)", "committed"},
        {"R3: and ends like any other", "after 0", "+ r0 c0",
         "launch(tied) give(0) cancel(1) end(lead 0)", "ended"},
        {"R3: refusal of a rival is a loss", "after 0", "+ r1 p0",
         "launch(tied) give(0) cancel(1)", "committed"},
        {"R5: the rival's content wins as well", "after 3", "@3 T + @4 p1",
         "launch(first_token) give(1) cancel(0)", "committed"},
        {"R5: completion of a rival", "after 3", "@3 T + @4 c1",
         "launch(first_token) give(1) cancel(0) end(lead 1)", "ended"},
        {"R5: overflow commits that attempt", "after 0", "+ o1",
         "launch(tied) give(1) cancel(0)", "committed"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

/* A launch that is asked for must not outlive its reason. */
static void test_race_takes_back_a_launch(void **state)
{
    struct uns_race_rules rules = script_rules("after 3 failover max 3");

    static const struct {
        const char *name;
        enum uns_race_event event;
        bool launch;
    } rows[] = {
        {"content", UNS_EV_PROGRESS, false},
        {"complete", UNS_EV_COMPLETE, false},
        {"overflow", UNS_EV_OVERFLOW, false},
        {"bytes change nothing", UNS_EV_BYTES, true},
        {"lost gives another reason", UNS_EV_LOST, true},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_race race;
        uns_race_init(&race, &rules, 0);
        uns_race_tick(&race, 3 * UNS_S);
        uns_race_event(&race, rows[i].event, 0, 3 * UNS_S);
        CHECK_INT(rows[i].name, uns_race_take(&race).launch, rows[i].launch);
        CHECK_INT(rows[i].name, uns_race_launched(&race, 3 * UNS_S),
                  rows[i].launch ? 1 : UNS_RACE_NOBODY);
    }
}

static void test_race_keeps_the_reason_of_each_launch(void **state)
{
    struct uns_race race;
    char out[SCRIPT_TEXT];

    (void)state;
    script_play(&race, "after 0 failover max 5 hold 9 stall 1",
                "+ l1 + @1 p0 @2 T +", out);
    CHECK_TEXT("0", uns_why_name(race.attempt[0].why), "");
    CHECK_TEXT("1", uns_why_name(race.attempt[1].why), "tied");
    CHECK_TEXT("2", uns_why_name(race.attempt[2].why), "failure");
    CHECK_TEXT("3", uns_why_name(race.attempt[3].why), "stall");
}

/* R6: whatever an ended attempt still says, nobody hears it. */
static void test_race_ignores_a_late_loser(void **state)
{
    static const char *const late[] = {"b", "p", "f", "c", "r", "l", "o"};
    /* clang-format off */
    static const struct script_case ended[] = {
        {"cancelled", "after 0", "+ p0", "launch(tied) give(0) cancel(1)",
         "committed"},
        {"lost", "after 0", "+ l1", "launch(tied)", "open"},
        {"killed", "after 0 ttft 5", "+ b0 @5 T",
         "launch(tied) cancel(0) cancel(1) end(ttft 1)", "ended"},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(ended) * ROWS(late); i++) {
        struct script_case one = ended[i / ROWS(late)];
        char script[SCRIPT_TEXT];
        const char *word = late[i % ROWS(late)];
        snprintf(script, sizeof script, "%s %s1 %s1", one.script, word, word);
        one.script = script;
        script_check(&one, 1);
    }
}

static void test_race_hears_nothing_after_the_end(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"all events", "after 1 failover ttft 1 quiet 1 total 9",
         "p0 c0 b0 p0 f0 c0 r0 l0 o0 + - @99 T X A F Z U T",
         "give(0) end(lead 0)", "ended"},
        {"abort stays abort", "failover", "A l0 c0 X F",
         "cancel(0) end(abort)", "ended"},
        {"attempts that never were", "", "p1 p7 c4 l3", "", "open"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_drops_an_answer_that_nobody_asked_for(void **state)
{
    struct uns_race race;
    struct uns_race_rules rules = script_rules("after 3");

    (void)state;
    uns_race_init(&race, &rules, 0);
    CHECK_INT("not asked", uns_race_launched(&race, 1), UNS_RACE_NOBODY);
    uns_race_none(&race, 1);
    uns_race_tick(&race, 3 * UNS_S);
    CHECK_INT("asked", uns_race_launched(&race, 3 * UNS_S), 1);
    CHECK_INT("once", uns_race_launched(&race, 3 * UNS_S), UNS_RACE_NOBODY);
    CHECK_INT("alive", uns_race_alive(&race, 1), true);
    CHECK_INT("not launched", uns_race_alive(&race, 2), false);
    CHECK_INT("nobody", uns_race_alive(&race, UNS_RACE_NOBODY), false);
}

static void test_race_bounds_a_wild_max_attempts(void **state)
{
    struct uns_race race;
    char out[SCRIPT_TEXT];

    (void)state;
    script_play(&race, "after 1 max 200",
                "@1 T + @2 T + @3 T + @4 T + @5 T + @6 T +", out);
    CHECK_INT("P5", race.attempts, UNS_RACE_ATTEMPTS);
}

static void test_race_names_everything(void **state)
{
    (void)state;
    for (int i = 0; i < UNS_WHY_COUNT; i++)
        assert_string_not_equal(uns_why_name((enum uns_why)i), "?");
    for (int i = 0; i < UNS_END_COUNT; i++)
        assert_string_not_equal(uns_race_end_name((enum uns_race_end)i), "?");
    for (int i = 0; i < UNS_EV_COUNT; i++)
        assert_string_not_equal(uns_race_event_name((enum uns_race_event)i),
                                "?");
    for (int i = 0; i < UNS_RACE_STATE_COUNT; i++)
        assert_string_not_equal(uns_race_state_name((enum uns_race_state)i),
                                "?");
    for (int i = 0; i < UNS_ATTEMPT_STATE_COUNT; i++)
        assert_string_not_equal(
            uns_attempt_state_name((enum uns_attempt_state)i), "?");
    assert_string_equal(uns_why_name(UNS_WHY_COUNT), "?");
    assert_string_equal(uns_why_name(UNS_WHY_FIRST_TOKEN), "first_token");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race_alone_passes_through),
        cmocka_unit_test(test_race_launches_by_rule),
        cmocka_unit_test(test_race_takes_back_a_launch),
        cmocka_unit_test(test_race_keeps_the_reason_of_each_launch),
        cmocka_unit_test(test_race_ignores_a_late_loser),
        cmocka_unit_test(test_race_hears_nothing_after_the_end),
        cmocka_unit_test(test_race_drops_an_answer_that_nobody_asked_for),
        cmocka_unit_test(test_race_bounds_a_wild_max_attempts),
        cmocka_unit_test(test_race_names_everything),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
