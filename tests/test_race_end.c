/* SPDX-License-Identifier: MIT */
/* How a call ends when it ends badly: watchdogs, total timeout, fallback,
 * abort, faults of our own; and what a pause does to the clocks. */
#include "race_script.h"

static void test_race_watchdogs_end_an_attempt(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R8: no content within ttft_timeout_s", "ttft 4", "b0 @3.9 T @4 T",
         "cancel(0) end(ttft 0)", "ended"},
        {"R8: content in time, in the same pass", "ttft 4", "@4 p0 T",
         "give(0)", "committed"},
        {"R8: the next source, then", "ttft 4 failover", "@4 T +",
         "launch(failure) cancel(0)", "open"},
        {"R8: counted from each attempt's own start", "ttft 4 failover",
         "@4 T + @7.9 T @8 T",
         "launch(failure) cancel(0) spent cancel(1) end(ttft 1)", "ended"},
        {"R8: others are waited for", "after 1 ttft 4", "@1 T + @4 T",
         "launch(first_token) spent cancel(0)", "open"},
        {"R8: a rival answers after all", "after 1 ttft 4",
         "@1 T + @4 T @4.5 p1", "launch(first_token) spent cancel(0) give(1)",
         "committed"},
        {"R8: stall_timeout_s never before the first chunk", "quiet 4",
         "b0 @99 T", "", "open"},
        {"R8: silence after content, committed", "quiet 4", "@1 p0 @5 T",
         "give(0) cancel(0) end(stall 0)", "ended"},
        {"R8: each content starts it again", "quiet 4",
         "p0 @3 p0 @6 p0 @9.9 T", "give(0)", "committed"},
        {"R8: silence after content, held: its bytes are given",
         "quiet 4 hold all", "@1 p0 @5 T", "give(0) cancel(0) end(stall 0)",
         "ended"},
        {"R8: held: a rival first", "quiet 4 hold all failover",
         "@1 p0 @5 T + @6 c1", "launch(failure) cancel(0) give(1) end(lead 1)",
         "ended"},
        {"R8: a finished lead has no watchdog", "ttft 4 quiet 4", "f0 @99 T",
         "give(0)", "committed"},
        {"R8: nor has a refusal that is passed on", "ttft 4 quiet 4",
         "r0 @99 T", "give(0)", "committed"},
        {"R8: nor a body that cannot be read", "ttft 4 quiet 4", "o0 @99 T",
         "give(0)", "committed"},
        {"R7 over R8: attempt 0 has a result of its own", "ttft 4 failover",
         "l0 + @4 T",
         "launch(failure) spent give(0) cancel(1) end(fallback 0)", "ended"},
        {"R8: its rival failed by itself: attempt 0's watchdog is named",
         "ttft 4 failover", "@4 T + l1",
         "launch(failure) cancel(0) spent cancel(1) end(ttft 0)", "ended"},
        {"R7: what there is of an answer is better than none",
         "ttft 4 hold all stall 3 failover max 3",
         "p0 @3 T + n0=9 p1 n1=1 l1 + @7 T -",
         "launch(stall) cancel(0) launch(failure) spent give(0) cancel(1) "
         "cancel(2) end(fallback 0)", "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_obeys_the_total_timeout(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R9: nobody answered", "total 9", "@8.9 T @9 T",
         "give(0) cancel(0) end(timeout 0)", "ended"},
        {"R9: struck inside libcurl", "", "X",
         "give(0) cancel(0) end(timeout 0)", "ended"},
        {"R9: a lead is given first", "total 9 hold all", "p0 @9 T",
         "give(0) cancel(0) end(timeout 0)", "ended"},
        {"R9: committed: it was given already", "total 9", "p0 @9 T",
         "give(0) cancel(0) end(timeout 0)", "ended"},
        {"R9: attempt 0 ended by itself: its result", "total 9 failover",
         "l0 + @9 T", "launch(failure) give(0) cancel(1) end(fallback 0)",
         "ended"},
        {"R9: killed by a watchdog is not by itself",
         "total 9 ttft 4 failover", "@4 T + @5 X",
         "launch(failure) cancel(0) cancel(1) end(timeout)", "ended"},
        {"R9: in a duel", "total 9 hold all stall 5", "p0 @5 T + @9 T",
         "launch(stall) give(0) cancel(0) cancel(1) end(timeout 0)", "ended"},
        {"R9: no clock stops it, a pause neither", "total 9", "p0 Z @9 T",
         "give(0) cancel(0) end(timeout 0)", "ended"},
        {"R9: before a rival is launched, by time", "total 2 after 3", "@4 T",
         "give(0) cancel(0) end(timeout 0)", "ended"},
        {"R9: taken off meanwhile", "total 9", "p0 t=all @99 T", "give(0)",
         "committed"},
        {"R9: later, counted from the start", "total 9",
         "@8 t=12 @11.9 T @12 T", "give(0) cancel(0) end(timeout 0)", "ended"},
        {"R9: sooner than now", "total 9", "@5 t=4 T",
         "give(0) cancel(0) end(timeout 0)", "ended"},
        {"R9: a launch is taken back", "total 4 after 3", "@5 T +",
         "give(0) cancel(0) end(timeout 0)", "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_tells_what_is_truncated(void **state)
{
    /* clang-format off */
    static const struct {
        const char *name, *rules, *script;
        bool truncated;
    } rows[] = {
        {"complete", "", "p0 c0", false},
        {"lost while given", "", "p0 l0", true},
        {"killed while given", "quiet 1", "p0 @1 T", true},
        {"a failure status is whole", "", "l0", false},
        {"R7: its own result broke off", "hold all", "p0 l0", true},
        {"R7: its own result broke after the finish", "hold all", "f0 l0",
         false},
        {"R7: the fullest broke off", "hold all stall 1 failover",
         "p0 @1 T + p1 l1", true},
        {"R9: nobody answered", "", "X", false},
        {"R9: a lead without its finish", "", "p0 X", true},
        {"R9: a lead with it", "hold all", "f0 X", false},
        {"refused", "", "r0 c0", false},
        {"P6: abort", "", "p0 A", false},
    };

    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_race race;
        char out[SCRIPT_TEXT];
        script_play(&race, rows[i].rules, rows[i].script, out);
        CHECK_INT(rows[i].name, race.state, UNS_RACE_ENDED);
        CHECK_INT(rows[i].name, uns_race_truncated(&race), rows[i].truncated);
    }
}

static void test_race_leaves_the_application_in_charge(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"P6: abort before anything", "", "A", "cancel(0) end(abort)",
         "ended"},
        {"P6: everybody goes", "after 0 max 3", "+ A",
         "launch(tied) cancel(0) cancel(1) end(abort)", "ended"},
        {"P6: what is held stays unsaid", "hold all", "p0 A",
         "cancel(0) end(abort 0)", "ended"},
        {"P6: while its bytes come", "", "p0 A",
         "give(0) cancel(0) end(abort 0)", "ended"},
        {"P6: in a duel", "hold all stall 5", "p0 @5 T + A",
         "launch(stall) cancel(0) cancel(1) end(abort 0)", "ended"},
        {"P6: before a launch was answered", "after 3", "@3 T A +",
         "launch(first_token) cancel(0) end(abort)", "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

/* A give that was decided and not taken yet is not done after an abort. */
static void test_race_gives_nothing_after_an_abort(void **state)
{
    struct uns_race race;
    struct uns_race_rules rules = script_rules("");

    (void)state;
    uns_race_init(&race, &rules, 0);
    uns_race_event(&race, UNS_EV_PROGRESS, 0, 1);
    uns_race_abort(&race, 1);
    CHECK_INT("give", uns_race_take(&race).give, false);
}

static void test_race_passes_through_after_a_fault(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"alone", "", "F", "give(0)", "committed"},
        {"rivals go", "after 0 max 3", "+ F", "launch(tied) give(0) cancel(1)",
         "committed"},
        {"unless one leads", "after 0 hold all", "+ p1 F",
         "launch(tied) cancel(0) give(1)", "committed"},
        {"what is held is given", "hold all", "p0 F", "give(0)", "committed"},
        {"in a duel the lead stays", "hold all stall 5", "p0 @5 T + F",
         "launch(stall) give(0) cancel(1)", "committed"},
        {"given before: nothing to do", "", "p0 F", "give(0)", "committed"},
        {"nothing is sent again", "after 3 failover", "F @9 T l0",
         "give(0) end(lead 0)", "ended"},
        {"a launch is taken back", "after 3", "@3 T F +",
         "launch(first_token) give(0)", "committed"},
        {"no watchdog without sight", "ttft 3 quiet 3", "F @9 T p0 @99 T",
         "give(0)", "committed"},
        {"attempt 0 is over: its result", "failover", "l0 + F",
         "launch(failure) give(0) cancel(1) end(fallback 0)", "ended"},
        {"the lead is over: its bytes", "hold all failover", "p0 l0 + F",
         "launch(failure) give(0) cancel(1) end(fallback 0)", "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_stands_still_while_paused(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"P7: no stall rival", "hold all stall 5", "p0 @1 Z @99 T", "",
         "held"},
        {"P7: the rest of the time counts after it", "hold all stall 5",
         "p0 @1 Z @11 U @14.9 T @15 T", "launch(stall)", "duel"},
        {"P7: no watchdog", "quiet 5", "p0 Z @99 T @100 U @104.9 T", "give(0)",
         "committed"},
        {"P7: it bites after the rest", "quiet 5", "p0 @2 Z @10 U @13 T",
         "give(0) cancel(0) end(stall 0)", "ended"},
        {"P7: nobody leads: attempt 0", "after 3 ttft 4", "@1 Z @99 T", "",
         "open"},
        {"P7: and goes on", "after 3 ttft 9", "@1 Z @11 U @12.9 T @13 T",
         "launch(first_token)", "open"},
        {"a rival's watchdog goes on", "after 1 ttft 5", "@1 T + Z @6 T",
         "launch(first_token) cancel(1)", "open"},
        {"a second pause is the same", "quiet 5", "p0 Z @2 Z @10 U @14.9 T",
         "give(0)", "committed"},
        {"a second unpause is none", "quiet 5", "p0 Z @10 U @12 U @15 T",
         "give(0) cancel(0) end(stall 0)", "ended"},
        {"content during the pause counts from its end", "quiet 5",
         "p0 Z @3 p0 @10 U @14.9 T @15 T", "give(0) cancel(0) end(stall 0)",
         "ended"},
        {"a window goes on", "hold 3", "p0 Z @3 T", "give(0)", "committed"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_announces_its_deadlines(void **state)
{
    /* clang-format off */
    static const struct {
        const char *name, *rules, *script, *when;
    } rows[] = {
        {"none", "", "", "all"},
        {"R2 after", "after 3", "@1 b0", "3"},
        {"R1 tied: no timer", "after 0", "+", "all"},
        {"a wanted launch stops the trigger", "after 3", "@3 T", "all"},
        {"launched", "after 3 max 3", "@3 T @4 +", "7"},
        {"none to be had", "after 3", "@3 T -", "all"},
        {"R8 ttft", "after 3 ttft 2", "", "2"},
        {"R8 the earliest of several", "after 1 ttft 5 max 2", "@1 T +", "2"},
        {"R8 stall", "quiet 4", "@1 p0", "5"},
        {"R5 window", "hold 2 stall 5", "@1 p0", "3"},
        {"R4 stall", "hold 9 stall 5", "@1 p0", "6"},
        {"R4 duel", "hold 9 stall 5 max 3", "@1 p0 @6 T @7 +", "12"},
        {"R9 total", "total 8", "@1 p0", "8"},
        {"finished", "hold all stall 5 quiet 7", "f0", "all"},
        {"paused", "hold all stall 5 quiet 7", "p0 Z", "all"},
        {"unpaused: R2", "after 3", "@1 Z @11 U", "13"},
        {"unpaused: R4 duel", "hold 99 stall 5 max 3", "p0 @5 T + Z @9 U",
         "14"},
        {"finished for good", "hold all stall 5 quiet 7", "f0 p0 b0", "all"},
        {"ended", "total 8 after 3", "c0", "all"},
    };

    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_race race;
        char out[SCRIPT_TEXT];
        script_play(&race, rows[i].rules, rows[i].script, out);
        CHECK_INT(rows[i].name, uns_race_deadline(&race),
                  script_seconds(rows[i].when));
    }
}

/* A span that is nearly UNS_NEVER must not wrap round into the past. */
static void test_race_deadlines_do_not_overflow(void **state)
{
    struct uns_race race;
    struct uns_race_rules rules = script_rules("after 3");

    (void)state;
    rules.after_ns = rules.total_ns = rules.ttft_timeout_ns = UNS_NEVER - 1;
    uns_race_init(&race, &rules, 5 * UNS_S);
    CHECK_INT("far", uns_race_deadline(&race), UNS_NEVER);
    uns_race_tick(&race, UNS_NEVER - 2);
    CHECK_INT("nothing is due", uns_race_take(&race).end, UNS_END_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race_watchdogs_end_an_attempt),
        cmocka_unit_test(test_race_obeys_the_total_timeout),
        cmocka_unit_test(test_race_tells_what_is_truncated),
        cmocka_unit_test(test_race_leaves_the_application_in_charge),
        cmocka_unit_test(test_race_gives_nothing_after_an_abort),
        cmocka_unit_test(test_race_passes_through_after_a_fault),
        cmocka_unit_test(test_race_stands_still_while_paused),
        cmocka_unit_test(test_race_announces_its_deadlines),
        cmocka_unit_test(test_race_deadlines_do_not_overflow),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
