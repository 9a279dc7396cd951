/* SPDX-License-Identifier: MIT */
/* R10: the wait that a server does not name. */
#include "check.h"
#include "core/backoff.h"

#include <stdbool.h>

static void test_backoff_doubles_and_takes_off_up_to_a_half(void **state)
{
    static const struct {
        const char *name;
        uns_ns base_ns;
        unsigned nth;
        uint32_t random;
        uns_ns wait_ns;
    } rows[] = {
        {"no chance: the whole", UNS_S / 2, 0, 0, UNS_S / 2},
        {"the second is twice as long", UNS_S / 2, 1, 0, UNS_S},
        {"the fourth", UNS_S / 2, 3, 0, 4 * UNS_S},
        {"half the chance: three quarters", UNS_S, 0, 1u << 31, UNS_S / 4 * 3},
        {"the longest", UNS_S * 50, 1, 0, 60 * UNS_S},
        {"never beyond", 60 * UNS_S, 4, 0, 60 * UNS_S},
        {"of nothing nothing", 0, 4, UINT32_MAX, 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(
            rows[i].name,
            uns_backoff_wait(rows[i].base_ns, rows[i].nth, rows[i].random),
            rows[i].wait_ns);
}

/* All the chance there is leaves a half, and a little. */
static void test_backoff_keeps_a_half(void **state)
{
    static const uns_ns bases[] = {1, UNS_MS, UNS_S / 2, UNS_S, 60 * UNS_S};

    (void)state;
    for (size_t i = 0; i < ROWS(bases); i++) {
        uns_ns wait = uns_backoff_wait(bases[i], 0, UINT32_MAX);

        CHECK_INT("not less", wait >= bases[i] / 2, true);
        CHECK_INT("not much more", wait <= bases[i] / 2 + 16 + bases[i] / 1000,
                  true);
    }
}

static void test_backoff_falls_as_chance_grows(void **state)
{
    uns_ns last = UNS_S + 1;

    (void)state;
    for (uint64_t random = 0; random <= UINT32_MAX; random += 1u << 24) {
        uns_ns wait = uns_backoff_wait(UNS_S, 0, (uint32_t)random);

        CHECK_INT("falls", wait < last, true);
        last = wait;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_backoff_doubles_and_takes_off_up_to_a_half),
        cmocka_unit_test(test_backoff_keeps_a_half),
        cmocka_unit_test(test_backoff_falls_as_chance_grows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
