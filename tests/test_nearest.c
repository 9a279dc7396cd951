/* SPDX-License-Identifier: MIT */
/* "Did you mean ...?": near names are found, far ones are not offered. */
#include "check.h"
#include "core/nearest.h"

static const char *const names[] = {"hedge.after_s", "hedge.hold_s", NULL,
                                    "mode", "stream.promote"};

static const char *name_at(const void *table, size_t i)
{
    return ((const char *const *)table)[i];
}

static void test_nearest_offers_what_was_meant(void **state)
{
    static const struct {
        const char *word, *nearest;
    } rows[] = {
        {"hedge.afters", "hedge.after_s"},
        {"hedge.hold", "hedge.hold_s"},
        {"mdoe", "mode"},
        {"Mode", "mode"},
        {"mode", "mode"},
        {"promote", NULL},
        {"zzzz", NULL},
        {"mod", "mode"},
        {"nod", NULL},
        {"", NULL},
        {"stream.promoted", "stream.promote"},
        {"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm",
         NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_slice word = {rows[i].word, strlen(rows[i].word)};

        CHECK_TEXT(rows[i].word, uns_nearest(word, ROWS(names), names, name_at),
                   rows[i].nearest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nearest_offers_what_was_meant),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
