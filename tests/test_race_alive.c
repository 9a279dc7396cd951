/* SPDX-License-Identifier: MIT */
/* R8: what the watchdogs take for a sign of life. */
#include "core/race.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct alive_case {
    const char *name;
    bool by_bytes;
    enum uns_race_event first; /* at 1 s */
    enum uns_race_event then;  /* at 2 s */
    uns_ns deadline_ns;
};

/* ttft_timeout 5 s, stall_timeout 3 s */
static const struct alive_case cases[] = {
    {"bytes are no sign", false, UNS_EV_BYTES, UNS_EV_BYTES, 5 * UNS_S},
    {"bytes before the content", true, UNS_EV_BYTES, UNS_EV_BYTES, 7 * UNS_S},
    {"after it they are none", false, UNS_EV_PROGRESS, UNS_EV_BYTES, 4 * UNS_S},
    {"after it they are one", true, UNS_EV_PROGRESS, UNS_EV_BYTES, 5 * UNS_S},
    {"content always is", true, UNS_EV_BYTES, UNS_EV_PROGRESS, 5 * UNS_S},
};

static void test_race_watches_for_signs_of_life(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct uns_race_rules rules = {
            .after_ns = UNS_NEVER,
            .stall_after_ns = UNS_NEVER,
            .ttft_timeout_ns = 5 * UNS_S,
            .stall_timeout_ns = 3 * UNS_S,
            .total_ns = UNS_NEVER,
            .max_attempts = 1,
            .alive_by_bytes = cases[i].by_bytes,
        };
        struct uns_race race;

        uns_race_init(&race, &rules, 0);
        uns_race_event(&race, cases[i].first, 0, 1 * UNS_S);
        uns_race_event(&race, cases[i].then, 0, 2 * UNS_S);
        if (uns_race_deadline(&race) != cases[i].deadline_ns)
            fail_msg("%s: %lld ns", cases[i].name,
                     (long long)uns_race_deadline(&race));
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_race_watches_for_signs_of_life),
    };

    return cmocka_run_group_tests_name("race_alive", tests, NULL, NULL);
}
