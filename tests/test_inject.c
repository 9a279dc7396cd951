/* SPDX-License-Identifier: MIT */
/* The words of run --inject. */
#include "check.h"
#include "core/ascii.h"
#include "core/inject.h"

#include <stdbool.h>
#include <stdio.h>

static const char *read_list(const char *text, struct uns_inject *inject,
                             char word[64])
{
    struct uns_slice at;
    const char *wrong = uns_inject_read(uns_slice_of(text), inject, &at);

    snprintf(word, 64, "%.*s", (int)at.len, at.data);
    return wrong;
}

static void test_inject_reads_what_it_knows(void **state)
{
    static const struct {
        const char *text;
        uns_ns late_ns, drip_ns;
        int64_t cut_at;
        int status;
        unsigned stalls;
    } rows[] = {
        {"late=20", 20 * UNS_S, 0, UNS_NULL, 0, 0},
        {"late=0.25", UNS_S / 4, 0, UNS_NULL, 0, 0},
        {"drip=0.5", 0, UNS_S / 2, UNS_NULL, 0, 0},
        {"cut@40", 0, 0, 40, 0, 0},
        {"cut@0", 0, 0, 0, 0, 0},
        {"status=400", 0, 0, UNS_NULL, 400, 0},
        {"status=599", 0, 0, UNS_NULL, 599, 0},
        {"late=2,status=429", 2 * UNS_S, 0, UNS_NULL, 429, 0},
        {"stall@20=30", 0, 0, UNS_NULL, 0, 1},
        {"late=1,drip=2,stall@0=3,stall@5=3,cut@9", UNS_S, 2 * UNS_S, 9, 0, 2},
        {"late=3600", 3600 * UNS_S, 0, UNS_NULL, 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_inject inject;
        char word[64];
        const char *wrong = read_list(rows[i].text, &inject, word);

        CHECK_TEXT(rows[i].text, wrong ? wrong : "", "");
        CHECK_INT(rows[i].text, inject.late_ns, rows[i].late_ns);
        CHECK_INT(rows[i].text, inject.drip_ns, rows[i].drip_ns);
        CHECK_INT(rows[i].text, inject.cut_at, rows[i].cut_at);
        CHECK_INT(rows[i].text, inject.status, rows[i].status);
        CHECK_INT(rows[i].text, inject.stalls, rows[i].stalls);
    }
}

/* Each is named; nothing of the list is taken. */
static void test_inject_refuses_the_word_that_is_wrong(void **state)
{
    static const struct {
        const char *text, *word;
    } rows[] = {
        {"", ""},
        {"slow", "slow"},
        {"late", "late"},
        {"late=", "late="},
        {"late=x", "late=x"},
        {"late=0", "late=0"},
        {"late=-1", "late=-1"},
        {"late=3601", "late=3601"},
        {"late@2=3", "late@2=3"},
        {"stall=3", "stall=3"},
        {"stall@=3", "stall@=3"},
        {"stall@x=3", "stall@x=3"},
        {"stall@3", "stall@3"},
        {"stall@1234567890=3", "stall@1234567890=3"},
        {"cut", "cut"},
        {"cut@", "cut@"},
        {"cut@4=1", "cut@4=1"},
        {"cut@4.5", "cut@4.5"},
        {"status=200", "status=200"},
        {"status=600", "status=600"},
        {"status=429.5", "status=429.5"},
        {"status", "status"},
        {"status=429,cut@3", "cut@3"},
        {"stall@3=1,status=429", "status=429"},
        {"late=2,", ""},
        {",late=2", ""},
        {"late=2, cut@4", " cut@4"},
        {"LATE=2", "LATE=2"},
        {"stall@1=1,stall@2=1,stall@3=1,stall@4=1,stall@5=1,stall@6=1,"
         "stall@7=1,stall@8=1,stall@9=1",
         "stall@9=1"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_inject inject = {.status = 1};
        char word[64];
        const char *wrong = read_list(rows[i].text, &inject, word);

        CHECK_INT(rows[i].text, wrong != NULL, true);
        CHECK_TEXT(rows[i].text, word, rows[i].word);
        CHECK_INT(rows[i].text, inject.status, 1);
    }
}

static void test_inject_is_silent_where_it_should_be(void **state)
{
    static const struct {
        const char *text;
        int64_t chunks;
        uns_ns span_ns;
    } rows[] = {
        {"stall@2=5", 1, 0},
        {"stall@2=5", 2, 5 * UNS_S},
        {"stall@2=5", 3, 0},
        {"stall@0=5", 0, 5 * UNS_S},
        {"stall@2=5,stall@2=1", 2, 6 * UNS_S},
        {"drip=1", 0, 0},
        {"drip=1", 1, UNS_S},
        {"drip=1,stall@2=5", 2, 6 * UNS_S},
        {"late=9,cut@2", 2, 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_inject inject;
        char word[64];

        CHECK_INT(rows[i].text, read_list(rows[i].text, &inject, word) != NULL,
                  false);
        CHECK_INT(rows[i].text, uns_inject_silence(&inject, rows[i].chunks),
                  rows[i].span_ns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inject_reads_what_it_knows),
        cmocka_unit_test(test_inject_refuses_the_word_that_is_wrong),
        cmocka_unit_test(test_inject_is_silent_where_it_should_be),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
