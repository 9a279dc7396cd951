/* SPDX-License-Identifier: MIT */
/* R10 as a matter of time: when the application's own origin is asked again
 * after a failed status, and when somebody else is.  What the server said is
 * the driver's business (test_retry.c). */
#include "race_script.h"

#define RETRIES "failover retries 2 max 4"

static void test_race_retries_after_the_wait(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R10: not before its time", RETRIES, "w0=1 @1 y0 T @1.9 T", "",
         "open"},
        {"R10: then at its own origin", RETRIES, "w0=1 @1 y0 T @2 T +",
         "launch(retry)", "open"},
        {"R10: no wait, at once", RETRIES, "y0 T +", "launch(retry)", "open"},
        {"R10: off", "failover max 4", "w0=1 y0 +", "launch(failure)", "open"},
        {"R10: off, and no failover", "max 4", "w0=1 y0",
         "give(0) end(fallback 0)", "ended"},
        {"R10: without failover", "retries 1", "w0=1 y0 @1 T + p1",
         "launch(retry) give(1) cancel(0)", "committed"},
        {"R10: as long as 2 s is too long", RETRIES, "w0=2 y0 +",
         "launch(failure)", "open"},
        {"R10: as long as after_s is too long", "after 1 " RETRIES,
         "w0=1 y0 +", "launch(failure)", "open"},
        {"R10: after_s is the patience", "after 9 " RETRIES,
         "w0=8.9 y0 @8.8 T @8.9 T +", "launch(retry)", "open"},
        {"R10: tied requests need no retry", "after 0 " RETRIES, "+ y0 +",
         "launch(tied) launch(failure)", "open"},
        {"R10: never for a rival", "after 1 " RETRIES, "@1 T + w1=0 y1 +",
         "launch(first_token) launch(failure)", "open"},
        {"R6: a second word of it means nothing", RETRIES,
         "w0=1 y0 @0.5 y0 l0 @1 T +", "launch(retry)", "open"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_counts_retries(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R10: again, up to the limit", RETRIES,
         "w0=1 y0 @1 T + w1=1 @1.5 y1 @2.5 T + y2 +",
         "launch(retry) launch(retry) launch(failure)", "open"},
        {"P5: the last attempt is none", "failover retries 2 max 2",
         "y0 T + y1", "launch(retry) spent give(0) cancel(1) end(fallback 0)",
         "ended"},
        {"P5: with one attempt there is none", "failover retries 2 max 1",
         "y0", "spent give(0) end(fallback 0)", "ended"},
        {"R7: all failed: its own result", "retries 1 max 4",
         "y0 T + l1", "launch(retry) give(0) cancel(1) end(fallback 0)",
         "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_that_cannot_retry_moves_on(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R3: no token, no source: elsewhere", RETRIES, "y0 T - +",
         "launch(retry) launch(failure)", "open"},
        {"R7: nor elsewhere", RETRIES, "y0 T - -",
         "launch(retry) launch(failure) give(0) end(fallback 0)", "ended"},
        {"R10: the quota is used up: elsewhere at once", RETRIES,
         "w0=1 y0 T @0.1 G +", "launch(failure)", "open"},
        {"R10: forgone in vain: it was none", RETRIES, "G l0 +",
         "launch(failure)", "open"},
        {"R10: forgone twice", RETRIES, "w0=1 y0 G G +", "launch(failure)",
         "open"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

static void test_race_waits_beside_others(void **state)
{
    /* clang-format off */
    static const struct script_case cases[] = {
        {"R2: the next source may be due first", "after 2 " RETRIES,
         "@1 w0=1.5 y0 @2 T + @2.5 T", "launch(first_token)", "open"},
        {"R2: there is none: the retry comes", "after 2 " RETRIES,
         "@1 w0=1.5 y0 @2 T - @2.5 T +", "launch(first_token) launch(retry)",
         "open"},
        {"R3: its rival failed: the next one stands in", "after 1 " RETRIES,
         "@1 T + w0=0.5 y0 l1 + @1.5 T",
         "launch(first_token) launch(failure)", "open"},
        {"R3: its rival failed, no other: the retry comes", "after 1 " RETRIES,
         "@1 T + w0=0.5 y0 l1 - @1.5 T +",
         "launch(first_token) launch(failure) launch(retry)", "open"},
        {"R10: its rival speaks: no retry", "after 1 " RETRIES,
         "@1 T + w0=0.5 y0 p1 @1.5 T",
         "launch(first_token) give(1) cancel(0)", "committed"},
        {"R10: nor when it is held", "after 1 hold all " RETRIES,
         "@1 T + w0=0.5 y0 p1 @1.5 T", "launch(first_token) cancel(0)",
         "held"},
        {"R9: the application's time is over", "total 1 " RETRIES,
         "w0=1.5 y0 @1 T", "give(0) end(fallback 0)", "ended"},
        {"P6: aborted meanwhile", RETRIES, "w0=1 y0 A @1 T",
         "cancel(0) end(abort)", "ended"},
        {"P6: paused meanwhile: later", RETRIES, "w0=1 y0 Z @2 T U T +",
         "launch(retry)", "open"},
        {"fail open: its own result", RETRIES, "w0=1 y0 F",
         "give(0) end(fallback 0)", "ended"},
    };
    /* clang-format on */

    (void)state;
    script_check(cases, ROWS(cases));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race_retries_after_the_wait),
        cmocka_unit_test(test_race_counts_retries),
        cmocka_unit_test(test_race_that_cannot_retry_moves_on),
        cmocka_unit_test(test_race_waits_beside_others),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
