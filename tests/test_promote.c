/* SPDX-License-Identifier: MIT */
/* A stream becomes the one body that the request would have brought without
 * one, or nothing at all.  (P1.) */
#include "promote_play.h"
#include "promote_rows.h"

static void check_row(const struct promote_row *row, size_t first, size_t step)
{
    char *stream = play_quoted(row->stream);
    char *want = play_quoted(row->want);
    struct play_result got =
        play_rebuild(&(struct play_body){.dialect = row->dialect,
                                         .bytes = stream,
                                         .len = strlen(stream),
                                         .first = first,
                                         .step = step});

    CHECK_TEXT(row->name, uns_err_name(got.err), "OK");
    CHECK_TEXT(row->name, got.text, want);
    free(got.text);
    free(stream);
    free(want);
}

static void test_promote_rebuilds_the_body(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROMOTE_ROWS; i++)
        check_row(&promote_rows[i], 0, 0);
}

static void test_promote_does_not_care_about_pieces(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROMOTE_ROWS; i++) {
        for (size_t cut = 1; cut < strlen(promote_rows[i].stream); cut++)
            check_row(&promote_rows[i], cut, 0);
        for (size_t step = 1; step < 8; step++)
            check_row(&promote_rows[i], 0, step);
    }
}

static void check_failure(const struct promote_failure *row, size_t step)
{
    char *stream = play_quoted(row->stream);
    struct play_result got =
        play_rebuild(&(struct play_body){.dialect = row->dialect,
                                         .bytes = stream,
                                         .len = strlen(stream),
                                         .step = step});

    CHECK_TEXT(row->name, uns_err_name(got.err), uns_err_name(row->err));
    assert_null(got.text);
    free(stream);
}

/* P1: half an answer is none. */
static void test_promote_fails_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROMOTE_FAILURES; i++)
        for (size_t step = 0; step < 8; step++)
            check_failure(&promote_failures[i], step);
}

/* P6: the host's memory may end at any moment. */
static void test_promote_says_when_there_is_no_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < PROMOTE_ROWS; i++) {
        char *stream = play_quoted(promote_rows[i].stream);
        struct play_body body = {.dialect = promote_rows[i].dialect,
                                 .bytes = stream,
                                 .len = strlen(stream),
                                 .step = 100};
        struct play_result got;
        int n = 0;

        do {
            play_left = n++;
            got = play_rebuild(&body);
            play_left = -1;
            assert_true(got.err == UNS_OK || got.err == UNS_NOMEM);
            free(got.text);
        } while (got.err != UNS_OK);
        assert_true(n > 5);
        free(stream);
    }
}

static void test_promote_keeps_to_its_limit(void **state)
{
    char *stream = play_quoted(promote_rows[0].stream);
    size_t refused = 0;

    (void)state;
    for (size_t limit = 1; limit < 4000; limit += 7) {
        enum uns_err err = UNS_OK;

        for (size_t step = 0; step < 60; step += 13) {
            struct play_result got = play_rebuild(
                &(struct play_body){.dialect = promote_rows[0].dialect,
                                    .bytes = stream,
                                    .len = strlen(stream),
                                    .step = step,
                                    .limit = limit});

            assert_true(got.err == UNS_OK || got.err == UNS_TOOBIG);
            if (step)
                assert_int_equal(got.err, err);
            err = got.err;
            free(got.text);
        }
        refused += err == UNS_TOOBIG;
    }
    assert_true(refused > 50 && refused < 500);
    free(stream);
}

static void test_promote_knows_its_dialects(void **state)
{
    static const struct {
        enum uns_dialect dialect;
        bool can;
    } known[] = {
        {UNS_DIALECT_NONE, false},       {UNS_DIALECT_CHAT, true},
        {UNS_DIALECT_COMPLETIONS, true}, {UNS_DIALECT_RESPONSES, true},
        {UNS_DIALECT_ANTHROPIC, true},   {UNS_DIALECT_GEMINI, true},
        {UNS_DIALECT_OLLAMA, true},      {UNS_DIALECT_TGI, false},
        {UNS_DIALECT_COHERE, false},     {UNS_DIALECT_COUNT, false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(known); i++)
        CHECK_INT("dialect", uns_promote_can(known[i].dialect), known[i].can);
    uns_promote_done(NULL);
    uns_promote_done(&(struct uns_promote){0});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promote_rebuilds_the_body),
        cmocka_unit_test(test_promote_does_not_care_about_pieces),
        cmocka_unit_test(test_promote_fails_whole),
        cmocka_unit_test(test_promote_says_when_there_is_no_memory),
        cmocka_unit_test(test_promote_keeps_to_its_limit),
        cmocka_unit_test(test_promote_knows_its_dialects),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
