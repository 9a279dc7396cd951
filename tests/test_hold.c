/* SPDX-License-Identifier: MIT */
#include "engine/hold.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct piece_case {
    enum uns_piece_kind kind;
    const char *bytes;
};

static const struct piece_case pieces[] = {
    {UNS_PIECE_HEADER, "HTTP/1.1 200 OK\r\n"},
    {UNS_PIECE_HEADER, "\r\n"},
    {UNS_PIECE_BODY, "data: a"},
    {UNS_PIECE_BODY, ""},
    {UNS_PIECE_BODY, "\n\n"},
};

#define PIECES (sizeof pieces / sizeof *pieces)

static void add_all(struct uns_hold *hold)
{
    for (size_t i = 0; i < PIECES; i++)
        assert_int_equal(uns_hold_add(hold, pieces[i].kind, pieces[i].bytes,
                                      strlen(pieces[i].bytes)),
                         UNS_OK);
}

static void check_next(struct uns_hold *hold, const struct piece_case *want)
{
    struct uns_piece piece;

    assert_true(uns_hold_peek(hold, &piece));
    assert_int_equal(piece.kind, want->kind);
    assert_int_equal(piece.len, strlen(want->bytes));
    assert_memory_equal(piece.bytes, want->bytes, piece.len);
    uns_hold_pop(hold);
}

/* P1: in order, in the original pieces, empty ones too. */
static void test_hold_gives_back_the_pieces_as_they_came(void **state)
{
    struct uns_hold hold = {0};
    struct uns_piece piece;

    (void)state;
    add_all(&hold);
    for (size_t i = 0; i < PIECES; i++)
        check_next(&hold, &pieces[i]);
    assert_false(uns_hold_peek(&hold, &piece));
    assert_null(hold.data);
}

static void test_hold_takes_more_after_some_was_given(void **state)
{
    struct uns_hold hold = {0};

    (void)state;
    add_all(&hold);
    check_next(&hold, &pieces[0]);
    add_all(&hold);
    for (size_t i = 1; i < PIECES; i++)
        check_next(&hold, &pieces[i]);
    for (size_t i = 0; i < PIECES; i++)
        check_next(&hold, &pieces[i]);
    assert_int_equal(hold.bytes, 0);
}

static void test_hold_counts_what_was_not_given(void **state)
{
    struct uns_hold hold = {0};

    (void)state;
    add_all(&hold);
    assert_int_equal(hold.bytes, 17 + 2 + 7 + 0 + 2);
    uns_hold_pop(&hold);
    assert_int_equal(hold.bytes, 2 + 7 + 0 + 2);
    uns_hold_clear(&hold);
    assert_int_equal(hold.bytes, 0);
}

static void test_hold_grows_beyond_its_first_size(void **state)
{
    struct uns_hold hold = {0};
    char *big = malloc(100000);
    struct uns_piece piece;

    (void)state;
    memset(big, 'x', 100000);
    for (int i = 0; i < 3; i++)
        assert_int_equal(uns_hold_add(&hold, UNS_PIECE_BODY, big, 100000),
                         UNS_OK);
    for (int i = 0; i < 3; i++) {
        assert_true(uns_hold_peek(&hold, &piece));
        assert_int_equal(piece.len, 100000);
        assert_memory_equal(piece.bytes, big, 100000);
        uns_hold_pop(&hold);
    }
    free(big);
}

static void test_hold_clears_and_pops_nothing(void **state)
{
    struct uns_hold hold = {0};

    (void)state;
    uns_hold_clear(NULL);
    uns_hold_pop(&hold);
    uns_hold_clear(&hold);
    assert_null(hold.data);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hold_gives_back_the_pieces_as_they_came),
        cmocka_unit_test(test_hold_takes_more_after_some_was_given),
        cmocka_unit_test(test_hold_counts_what_was_not_given),
        cmocka_unit_test(test_hold_grows_beyond_its_first_size),
        cmocka_unit_test(test_hold_clears_and_pops_nothing),
    };

    return cmocka_run_group_tests_name("hold", tests, NULL, NULL);
}
