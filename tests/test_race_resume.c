/* SPDX-License-Identifier: MIT */
/* What was given can only be continued: rows of COMMITTED with resume on, and
 * of RESUME.  R4 and R3 after the commit; whose end it is when nothing helps
 * (R8, R9, P6). */
#include "race_script.h"

#define R "stall 2 resume"

static void test_race_resumes_a_stalled_lead(void **state)
{
    static const struct script_case cases[] = {
        {"asked after the silence", R, "p0 @1 T @2 T", "give(0) launch(resume)",
         "resume"},
        {"counted from the last progress", R, "p0 @1 p0 @2 T @2.9 T @3 T",
         "give(0) launch(resume)", "resume"},
        {"the rival gets beyond", R, "p0 @2 T + b1 m1 m1 p1",
         "give(0) launch(resume) join(1) cancel(0)", "committed"},
        {"its finish exactly there", R, "p0 @2 T + m1 f1 c1",
         "give(0) launch(resume) join(1) cancel(0) end(lead 1)", "ended"},
        {"its end exactly there", R, "p0 @2 T + m1 c1",
         "give(0) launch(resume) join(1) cancel(0) end(lead 1)", "ended"},
        {"what repeats decides nothing", R, "p0 @2 T + m1 @9 T m1 T",
         "give(0) launch(resume)", "resume"},
        {"the lead goes on", R, "p0 @2 T + m1 p0",
         "give(0) launch(resume) cancel(1)", "committed"},
        {"the lead finishes", R, "p0 @2 T + f0 c0",
         "give(0) launch(resume) cancel(1) end(lead 0)", "ended"},
        {"the lead ends whole", R, "p0 @2 T + c0",
         "give(0) launch(resume) cancel(1) end(lead 0)", "ended"},
        {"the lead goes on before there is a rival", R, "p0 @2 T p0 +",
         "give(0) launch(resume)", "committed"},
        {"a second stall, a third source", R " max 3", "p0 @2 T + p1 @4 T + p2",
         "give(0) launch(resume) join(1) cancel(0) launch(resume) join(2) "
         "cancel(1)",
         "committed"},
        {"the window first, the stall in the same pass", R " hold 2", "p0 @2 T",
         "launch(resume) give(0)", "resume"},
    };

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_resumes_a_lost_lead(void **state)
{
    static const struct script_case cases[] = {
        {"a cut is a stall of length zero", R, "p0 l0",
         "give(0) launch(resume)", "resume"},
        {"stall_after off", "resume", "p0 @99 T l0 + m1 p1 c1",
         "give(0) launch(resume) join(1) cancel(0) end(lead 1)", "ended"},
        {"lost while the rival catches up", R, "p0 @2 T + m1 l0 m1 p1",
         "give(0) launch(resume) join(1) cancel(0)", "committed"},
        {"lost after the finish", R, "p0 f0 l0", "give(0) end(lead 0)",
         "ended"},
        {"its watchdog", R " quiet 3", "p0 @2 T + @3 T p1",
         "give(0) launch(resume) cancel(0) join(1)", "committed"},
    };

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_drops_a_rival_that_diverged(void **state)
{
    static const struct script_case cases[] = {
        {"the lead lives: its stall goes on", R, "p0 @2 T + m1 l1 @9 T",
         "give(0) launch(resume) spent cancel(1)", "committed"},
        {"the lead is lost: its own end", R, "p0 l0 + m1 l1",
         "give(0) launch(resume) spent cancel(1) end(lead 0)", "ended"},
        {"another source", R " max 3", "p0 l0 + m1 l1 + p2",
         "give(0) launch(resume) launch(resume) cancel(1) join(2) cancel(0)",
         "committed"},
        {"one that cannot be read", R " max 3", "p0 l0 + o1 + o2",
         "give(0) launch(resume) launch(resume) cancel(1) spent cancel(2) "
         "end(lead 0)",
         "ended"},
        {"its watchdog, while it repeats", R " quiet 3 ttft 9",
         "p0 l0 + m1 @3 T",
         "give(0) launch(resume) spent cancel(1) end(lead 0)", "ended"},
        {"asked again only after progress", R, "p0 @2 T - @9 T p0 @11 T +",
         "give(0) launch(resume) launch(resume)", "resume"},
    };

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_resumes_nothing_else(void **state)
{
    static const struct script_case cases[] = {
        {"resume off: a stall", "stall 2", "p0 @9 T", "give(0)", "committed"},
        {"resume off: a cut (R8)", "stall 2", "p0 l0", "give(0) end(lead 0)",
         "ended"},
        {"no source: the stall stays", R, "p0 @2 T - @9 T",
         "give(0) launch(resume)", "committed"},
        {"no source: the cut stays", R, "p0 l0 -",
         "give(0) launch(resume) end(lead 0)", "ended"},
        {"a refusal is the answer (R3)", R, "r0 @9 T l0", "give(0) end(lead 0)",
         "ended"},
        {"what cannot be read", R, "o0 @9 T l0", "give(0) end(lead 0)",
         "ended"},
        {"after the finish", R, "p0 f0 @9 T", "give(0)", "committed"},
        {"after a fault", R, "p0 F @9 T l0", "give(0) end(lead 0)", "ended"},
        {"a fault cancels the rival", R, "p0 @2 T + F",
         "give(0) launch(resume) cancel(1)", "committed"},
        {"a fault, the lead lost: its own end", R, "p0 l0 + F",
         "give(0) launch(resume) cancel(1) end(lead 0)", "ended"},
        {"paused: the clocks stand (P7)", R, "p0 @1 Z @9 T U @9.9 T @10 T",
         "give(0) launch(resume)", "resume"},
        {"the application's time is up (R9)", R, "p0 @2 T + X",
         "give(0) launch(resume) cancel(0) cancel(1) end(timeout 0)", "ended"},
        {"the application aborts (P6)", R, "p0 l0 + A",
         "give(0) launch(resume) cancel(0) cancel(1) end(abort 0)", "ended"},
        {"a watchdog names the lead's end (R8)", R " quiet 3",
         "p0 @2 T + @3 T l1",
         "give(0) launch(resume) cancel(0) spent cancel(1) end(stall 0)",
         "ended"},
    };

    (void)state;
    script_check(cases, ROWS(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race_resumes_a_stalled_lead),
        cmocka_unit_test(test_race_resumes_a_lost_lead),
        cmocka_unit_test(test_race_drops_a_rival_that_diverged),
        cmocka_unit_test(test_race_resumes_nothing_else),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
