/* SPDX-License-Identifier: MIT */
/* The race while an answer is held back: windows, stalls, duels, lost leads,
 * decide: first_complete.  Rows of HELD and DUEL. */
#include "race_script.h"

#define STALLED "hold all stall 5 failover max 3"

static void test_race_holds_and_gives(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R5: hold keeps the first content back", "hold 2", "p0", "", "held"},
        {"R5: and cancels the others", "after 0 hold 2", "+ p1",
         "launch(tied) cancel(0)", "held"},
        {"R5: the window is over", "hold 2", "@1 p0 @2.9 T @3 T", "give(0)",
         "committed"},
        {"R5: complete within the window", "hold 2", "p0 f0 c0",
         "give(0) end(lead 0)", "ended"},
        {"R5: complete without content", "hold 2", "c0", "give(0) end(lead 0)",
         "ended"},
        {"R5: hold all has no window", "hold all", "p0 @9999 T", "", "held"},
        {"R5: content does not move the window", "hold 2", "p0 @1 p0 @2 T",
         "give(0)", "committed"},
        {"R5: a finish leads, too", "hold 2", "f0 @2 T", "give(0)",
         "committed"},
        {"R5: a finished lead waits for its end or the window",
         "hold 9 stall 5", "f0 @8 T", "", "held"},
        {"R5: overflow of the lead", "hold all", "p0 o0", "give(0)",
         "committed"},
        {"R3: a refusal is not held", "hold all", "r0", "give(0)",
         "committed"},
        {"nothing is launched after the commit", "hold 2 stall 5 failover",
         "p0 @2 T @99 T l0", "give(0) end(lead 0)", "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_duels_after_a_stall(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R4: a silent lead gets a rival", STALLED, "@1 p0 @5.9 T @6 T +",
         "launch(stall)", "duel"},
        {"R4: chunk and deadline in one pass: the chunk wins", STALLED,
         "@1 p0 @6 p0 T", "", "held"},
        {"R4: a finished lead is not silent", STALLED, "p0 f0 @99 T", "",
         "held"},
        {"R4: none to be had: stay", STALLED, "p0 @5 T - @99 T",
         "launch(stall)", "held"},
        {"R4: but the next silence asks again", STALLED,
         "p0 @5 T - @6 p0 @11 T", "launch(stall) launch(stall)", "duel"},
        {"R4: the lead is heard: the rival goes", STALLED, "p0 @5 T + @6 p0",
         "launch(stall) cancel(1)", "held"},
        {"R4: or finishes", STALLED, "p0 @5 T + @6 f0",
         "launch(stall) cancel(1)", "held"},
        {"R4: heard before the rival is launched", STALLED,
         "p0 @5 T p0 + @9 T", "launch(stall)", "held"},
        {"R4: the lead completes", STALLED, "p0 @5 T + @6 c0",
         "launch(stall) give(0) cancel(1) end(lead 0)", "ended"},
        {"R4: the rival is heard: it leads", STALLED, "p0 @5 T + @6 p1",
         "launch(stall) cancel(0)", "held"},
        {"R4: the rival finishes: it leads", STALLED, "p0 @5 T + @6 f1",
         "launch(stall) cancel(0)", "held"},
        {"R4: the rival completes", STALLED, "p0 @5 T + @6 c1",
         "launch(stall) give(1) cancel(0) end(lead 1)", "ended"},
        {"R4: bytes of the rival decide nothing", STALLED, "p0 @5 T + @6 b1",
         "launch(stall)", "duel"},
        {"R4: then silence since the last launch", STALLED,
         "p0 @5 T @5.5 + @10 T @10.5 T", "launch(stall) launch(stall)",
         "duel"},
        {"R4: until max_attempts", STALLED, "p0 @5 T + @10 T + @15 T",
         "launch(stall) launch(stall) spent", "duel"},
        {"R5: a new lead has a new window", "hold 7 stall 5",
         "p0 @5 T + @6 p1 @10 p1 @12.9 T @13 T",
         "launch(stall) cancel(0) give(1)", "committed"},
        {"R5: in a duel the window decides nothing", "hold 7 stall 5",
         "p0 @5 T + @8 T", "launch(stall)", "duel"},
        {"R5: back from it a window that is over does", "hold 7 stall 5",
         "p0 @5 T + @8 p0 T", "launch(stall) cancel(1) give(0)", "committed"},
        {"R5: window before trigger, by time", "hold 2 stall 5", "p0 @99 T",
         "give(0)", "committed"},
        {"R5: trigger before window, by time", "hold 7 stall 5", "p0 @99 T +",
         "launch(stall)", "duel"},
        {"R5: overflow commits the lead", STALLED, "p0 @5 T + o1",
         "launch(stall) give(0) cancel(1)", "committed"},
        {"R5: or the lead itself overflows", STALLED, "p0 @5 T + o0",
         "launch(stall) give(0) cancel(1)", "committed"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_replaces_a_lost_lead(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R3: lost lead, next source", STALLED, "p0 l0 +", "launch(failure)",
         "duel"},
        {"R3: its rival takes over", STALLED, "p0 l0 + p1",
         "launch(failure) cancel(0)", "held"},
        {"R3: none: its own result", STALLED, "p0 l0 -",
         "launch(failure) give(0) end(fallback 0)", "ended"},
        {"R3: no failover: its own result", "hold all stall 5", "p0 l0",
         "give(0) end(fallback 0)", "ended"},
        {"R3: no attempts left: its own result", "hold all failover max 1",
         "p0 l0", "spent give(0) end(fallback 0)", "ended"},
        {"R3: the rival is lost: another", STALLED, "p0 @5 T + l1 +",
         "launch(stall) launch(failure)", "duel"},
        {"R3: the rival is lost, none: back to the lead", STALLED,
         "p0 @5 T + l1 -", "launch(stall) launch(failure)", "held"},
        {"R3: no failover: back to the lead", "hold all stall 5 max 3",
         "p0 @5 T + l1", "launch(stall)", "held"},
        {"R3: the lead is lost in a duel: the rival is waited for", STALLED,
         "p0 @5 T + l0", "launch(stall)", "duel"},
        {"R3: then the rival is lost as well", STALLED, "p0 @5 T + l0 l1 -",
         "launch(stall) launch(failure) give(0) cancel(1) end(fallback 0)",
         "ended"},
        {"R3: the other order: the launch on its way does", STALLED,
         "p0 @5 T + l1 l0 -",
         "launch(stall) launch(failure) give(0) cancel(1) end(fallback 0)",
         "ended"},
        {"R3: of two rivals one is lost", STALLED, "p0 @5 T + @10 T + l1 l0",
         "launch(stall) launch(stall) spent", "duel"},
        {"R3: a lost lead is not committed by overflow", STALLED, "p0 l0 + o1",
         "launch(failure) give(1) cancel(0)", "committed"},
        {"R7: the lead was a rival: attempt 0 ended by itself",
         "hold all failover max 3", "l0 + p1 l1 -",
         "launch(failure) cancel(0) launch(failure) give(0) cancel(1) "
         "end(fallback 0)", "ended"},
        {"R7: attempt 0 was cancelled: the fullest", STALLED,
         "p0 @5 T + n0=10 n1=20 p1 l1 -",
         "launch(stall) cancel(0) launch(failure) give(1) end(fallback 1)",
         "ended"},
        {"R7: the fullest may be the cancelled one", STALLED,
         "p0 @5 T + n0=30 n1=20 p1 l1 -",
         "launch(stall) cancel(0) launch(failure) give(0) cancel(1) "
         "end(fallback 0)", "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

#define COMPLETE "complete hold all after 0 stall 5 failover max 3"

static void test_race_decides_by_completion(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"content cancels nobody", COMPLETE, "+ p0 p1", "launch(tied)",
         "held"},
        {"the first that completes wins, whoever led", COMPLETE,
         "+ p0 p1 f1 c1", "launch(tied) give(1) cancel(0) end(lead 1)",
         "ended"},
        {"a stall adds one", COMPLETE, "+ p0 @5 T +",
         "launch(tied) launch(stall)", "duel"},
        {"the lead is heard: all stay", COMPLETE, "+ p0 @5 T + p0",
         "launch(tied) launch(stall)", "held"},
        {"a rival is heard: all stay", COMPLETE, "+ p0 @5 T + p2",
         "launch(tied) launch(stall)", "held"},
        {"a rival lost beside a healthy lead is no loss", COMPLETE, "+ p0 l1",
         "launch(tied)", "held"},
        {"a refusal beside a healthy lead is a loss", COMPLETE, "+ p1 r0 c0",
         "launch(tied)", "held"},
        {"all lost: attempt 0's own result", COMPLETE, "+ p0 p1 l1 l0 -",
         "launch(tied) launch(failure) give(0) cancel(1) end(fallback 0)",
         "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_passes_a_lost_lead_to_the_fullest(void **state)
{
    struct uns_race race;
    char out[SCRIPT_TEXT];

    (void)state;
    script_play(&race, COMPLETE, "+ p0 p1 @5 T + p2 n1=5 n2=9 n0=7", out);
    CHECK_INT("heard in the duel", uns_race_lead(&race), 2);
    uns_race_event(&race, UNS_EV_LOST, 2, 6 * UNS_S);
    CHECK_INT("the fullest that lives", uns_race_lead(&race), 0);
    uns_race_event(&race, UNS_EV_LOST, 0, 6 * UNS_S);
    CHECK_INT("the last that lives", uns_race_lead(&race), 1);
    uns_race_event(&race, UNS_EV_COMPLETE, 1, 6 * UNS_S);
    CHECK_INT("completes", uns_race_take(&race).end, UNS_END_LEAD);
}

static void test_race_keeps_a_living_lead_when_a_rival_is_lost(void **state)
{
    struct uns_race race;
    char out[SCRIPT_TEXT];

    (void)state;
    script_play(&race, COMPLETE, "+ p0 p1 n0=1 n1=9 @5 T + l2", out);
    CHECK_INT("though another is fuller", uns_race_lead(&race), 0);
}

static void test_race_says_who_leads(void **state)
{
    struct uns_race race;
    char out[SCRIPT_TEXT];

    (void)state;
    script_play(&race, STALLED, "", out);
    CHECK_INT("open", uns_race_lead(&race), UNS_RACE_NOBODY);
    script_play(&race, STALLED, "p0", out);
    CHECK_INT("held", uns_race_lead(&race), 0);
    script_play(&race, STALLED, "p0 @5 T + p1", out);
    CHECK_INT("rival", uns_race_lead(&race), 1);
    script_play(&race, STALLED, "p0 @5 T + p1 l1 -", out);
    CHECK_INT("fallback", uns_race_lead(&race), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race_holds_and_gives),
        cmocka_unit_test(test_race_duels_after_a_stall),
        cmocka_unit_test(test_race_replaces_a_lost_lead),
        cmocka_unit_test(test_race_decides_by_completion),
        cmocka_unit_test(test_race_passes_a_lost_lead_to_the_fullest),
        cmocka_unit_test(test_race_keeps_a_living_lead_when_a_rival_is_lost),
        cmocka_unit_test(test_race_says_who_leads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
