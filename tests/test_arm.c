/* SPDX-License-Identifier: MIT */
/* R12: which arm of an experiment a unit falls into. */
#include "core/arm.h"

#include "check.h"

#include <stdbool.h>
#include <stdio.h>

static struct uns_experiment of(const char *name, double treatment)
{
    return (struct uns_experiment){name, treatment, UNS_UNIT_CALL};
}

static enum uns_arm arm_of(const char *name, double treatment, const char *unit)
{
    struct uns_experiment experiment = of(name, treatment);

    return uns_arm_of(&experiment,
                      (struct uns_slice){unit, unit ? strlen(unit) : 0});
}

/* Computed apart from this code, once for all: a version that divides units
 * otherwise would mix the arms of an experiment that is under way. */
static void test_arm_is_the_same_for_ever(void **state)
{
    static const struct {
        const char *name, *unit;
        double place;
    } rows[] = {
        {"hedge-2026", "1", 0.9841342977111952},
        {"hedge-2026", "2", 0.7559800470691598},
        {"hedge-2026", "3", 0.9869328761970912},
        {"hedge-2026", "4242-1764500000000000", 0.7250932934665882},
        {"hedge-2026", "Authorization: Bearer sk-one", 0.05293587443181402},
        {"hedge-2026", "", 0.6570593119303341},
        {"hedge-2026", NULL, 0.6570593119303341},
        {"other", "1", 0.10453416592235154},
        {"ab", "c", 0.5725396813569352},
        {"a", "bc", 0.5102732485233432},
        {"Stra\xc3\x9f"
         "e",
         "\xc3\xbc", 0.26593382474397564},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        CHECK_INT(rows[i].unit,
                  arm_of(rows[i].name, rows[i].place, rows[i].unit),
                  UNS_ARM_CONTROL);
        CHECK_INT(rows[i].unit,
                  arm_of(rows[i].name, rows[i].place + 1e-12, rows[i].unit),
                  UNS_ARM_TREATMENT);
    }
}

/* How many of the units 0..9999 are in the treatment. */
static int share(const char *name, double treatment)
{
    int count = 0;

    for (int i = 0; i < 10000; i++) {
        char unit[16];

        (void)snprintf(unit, sizeof unit, "%d", i);
        count += arm_of(name, treatment, unit) == UNS_ARM_TREATMENT;
    }
    return count;
}

/* Within four standard errors. */
static void test_arm_takes_the_share_it_was_given(void **state)
{
    static const struct {
        const char *name;
        double treatment;
        int least, most;
    } rows[] = {
        {"nobody", 0, 0, 0},
        {"one in a hundred", 0.01, 60, 140},
        {"a tenth", 0.1, 880, 1120},
        {"half", 0.5, 4800, 5200},
        {"nearly all", 0.9, 8880, 9120},
        {"all", 1, 10000, 10000},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        int count = share(rows[i].name, rows[i].treatment);

        if (count < rows[i].least || count > rows[i].most)
            CHECK_INT(rows[i].name, count, rows[i].least);
    }
}

/* A larger share takes units from control and gives none back. */
static void test_arm_keeps_its_units_when_the_share_grows(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++) {
        bool treated = false;

        for (int tenth = 0; tenth <= 10; tenth++) {
            char unit[16];
            enum uns_arm arm;

            (void)snprintf(unit, sizeof unit, "%d", i);
            arm = arm_of("e", tenth / 10.0, unit);
            CHECK_INT(unit, treated && arm == UNS_ARM_CONTROL, false);
            treated = arm == UNS_ARM_TREATMENT;
        }
    }
}

/* Half of the one's treatment is in the other's: 2500, and four standard
 * errors. */
static void test_arm_of_two_experiments_is_independent(void **state)
{
    int both = 0;

    (void)state;
    for (int i = 0; i < 10000; i++) {
        char unit[16];

        (void)snprintf(unit, sizeof unit, "%d", i);
        both += arm_of("a", 0.5, unit) == UNS_ARM_TREATMENT &&
                arm_of("b", 0.5, unit) == UNS_ARM_TREATMENT;
    }
    CHECK_INT("both", both > 2325 && both < 2675, true);
}

static void test_arm_names(void **state)
{
    (void)state;
    CHECK_TEXT("none", uns_arm_name(UNS_ARM_NONE), "");
    CHECK_TEXT("control", uns_arm_name(UNS_ARM_CONTROL), "control");
    CHECK_TEXT("treatment", uns_arm_name(UNS_ARM_TREATMENT), "treatment");
    CHECK_TEXT("none such", uns_arm_name(UNS_ARM_COUNT), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arm_is_the_same_for_ever),
        cmocka_unit_test(test_arm_takes_the_share_it_was_given),
        cmocka_unit_test(test_arm_keeps_its_units_when_the_share_grows),
        cmocka_unit_test(test_arm_of_two_experiments_is_independent),
        cmocka_unit_test(test_arm_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
