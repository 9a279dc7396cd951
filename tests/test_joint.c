/* SPDX-License-Identifier: MIT */
/* A stream that goes on as another one: in every dialect, from every place
 * where the first one may stop, whatever the pieces, the application reads one
 * answer, whole and once.  (P1, R4.) */
#include "core/walk.h"
#include "joint_play.h"

#include <stdlib.h>

static struct play play;
static struct play_reading reading;
static char first[PLAY_BYTES], rival[PLAY_BYTES], answer[PLAY_BYTES];

static const struct play_server alpha = {.name = "alpha"};

/* Rivals that say the same. */
static const struct play_server rivals[] = {
    {.name = "beta"},
    {.name = "beta", .merge = 3},
    {.name = "beta", .ascii = true},
    {.name = "beta", .merge = 2, .ascii = true},
};

static void check_serials(const char *name)
{
    unsigned next = 0;

    for (const char *at = play.out; (at = strstr(at, "sequence_number"));) {
        at += strlen("sequence_number\":");
        CHECK_INT(name, atoi(at), next++);
    }
}

/* What is joined is one stream of the first server's. */
static void check_joined(const char *name, const struct play_dialect *d)
{
    play_read(&reading, d->dialect, play.out, play.len);
    CHECK_TEXT(name, reading.text, answer);
    CHECK_INT(name, reading.finishes, 1);
    CHECK_INT(name, reading.ends, 1);
    CHECK_INT(name, reading.errors, 0);
    CHECK_INT(name, reading.restarts <= 1, true);
    CHECK_INT(name, strstr(play.out, "beta") == NULL, true);
    check_serials(name);
}

static void check_array(const char *name)
{
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, play.out, play.len, false);
    while (uns_walk_next(&walk, &value)) {
    }
    CHECK_INT(name, walk.ok, true);
}

/* The first stream as far as `len`; false: it cannot be continued there. */
static bool tell_to(const struct play_dialect *d, size_t len)
{
    play_begin(&play, d->dialect);
    play_tell(&play, first, len);
    return uns_told_ready(&play.told) == NULL;
}

/* Between two frames: where the answer has begun and not finished. */
static void test_joint_goes_on_behind_any_frame(void **state)
{
    (void)state;
    play_answer(answer, 0, PLAY_TOKENS);
    for (size_t i = 0; i < ROWS(play_dialects); i++) {
        const struct play_dialect *d = &play_dialects[i];

        for (unsigned tokens = 1; tokens <= PLAY_TOKENS; tokens++) {
            const struct play_server *s = &rivals[tokens % ROWS(rivals)];

            play_begun(first, d, &alpha, 0, tokens);
            play_stream(rival, d, s, 0, PLAY_TOKENS);
            assert_true(tell_to(d, strlen(first)));
            CHECK_INT(d->name, play_join(&play, UNS_JOINT_VERIFY, rival, 0),
                      UNS_JOINT_BEYOND);
            check_joined(d->name, d);
            if (play.joint.cut.kind == UNS_CUT_ARRAY)
                check_array(d->name);
            play_end(&play);
        }
    }
}

/* The stream cut behind byte `at`; false: the rival was dropped, and nothing of
 * it passed on. */
static bool joins_behind(const struct play_dialect *d, size_t at)
{
    bool joined;

    play_stream(rival, d, &rivals[at % ROWS(rivals)], 0, 14);
    assert_true(tell_to(d, at));
    joined = play_join(&play, UNS_JOINT_VERIFY, rival, 0) == UNS_JOINT_BEYOND;
    if (joined)
        check_joined(d->name, d);
    else
        CHECK_INT(d->name, play.frames, 0);
    play_end(&play);
    return joined;
}

/* Anywhere: in the middle of a frame, of an escape, of a character, of a pair
 * of escapes that is one character. */
static void test_joint_goes_on_behind_any_byte(void **state)
{
    static const struct play_server leads[] = {
        {.name = "alpha"},
        {.name = "alpha", .ascii = true},
    };

    (void)state;
    play_answer(answer, 0, 14);
    for (size_t i = 0; i < ROWS(play_dialects) * ROWS(leads); i++) {
        const struct play_dialect *d = &play_dialects[i / ROWS(leads)];
        const struct play_server *lead = &leads[i % ROWS(leads)];
        unsigned joined = 0, dropped = 0;
        size_t end, begun;

        play_begun(first, d, lead, 0, 1);
        begun = strlen(first);
        play_begun(first, d, lead, 0, 14);
        end = strlen(first);
        play_stream(first, d, lead, 0, 14);
        for (size_t at = begun; at < end; at++)
            if (joins_behind(d, at))
                joined++;
            else
                dropped++;
        CHECK_INT(d->name, joined > dropped, true);
        print_message("%s: %u joined, %u not\n", d->name, joined, dropped);
    }
}

static void test_joint_knows_no_pieces(void **state)
{
    (void)state;
    play_answer(answer, 0, 20);
    for (size_t i = 0; i < ROWS(play_dialects); i++) {
        const struct play_dialect *d = &play_dialects[i];
        static char whole[PLAY_BYTES];
        size_t cut;

        play_stream(first, d, &alpha, 0, 20);
        play_stream(rival, d, &rivals[3], 0, 20);
        cut = strlen(first) / 2;
        for (size_t step = 0; step < 80; step++) {
            bool ready = tell_to(d, cut);

            if (!ready) {
                uns_told_done(&play.told);
                break;
            }
            play_join(&play, UNS_JOINT_VERIFY, rival, step);
            if (step == 0)
                memcpy(whole, play.out, play.len + 1);
            CHECK_TEXT(d->name, play.out, whole);
            play_end(&play);
        }
    }
}

/* The first stream's pieces do not matter either. */
static void test_told_knows_no_pieces(void **state)
{
    (void)state;
    play_answer(answer, 0, 20);
    for (size_t i = 0; i < ROWS(play_dialects); i++) {
        const struct play_dialect *d = &play_dialects[i];
        size_t len;

        play_stream(first, d, &alpha, 0, 20);
        play_stream(rival, d, &rivals[1], 0, 20);
        len = strlen(first) * 2 / 3;
        while (!tell_to(d, len)) {
            uns_told_done(&play.told);
            len++;
        }
        uns_told_done(&play.told);
        for (size_t step = 1; step < 60; step++) {
            play_begin(&play, d->dialect);
            for (size_t at = 0; at < len; at += step)
                play_tell(&play, first + at, step < len - at ? step : len - at);
            assert_null(uns_told_ready(&play.told));
            play_join(&play, UNS_JOINT_VERIFY, rival, 0);
            check_joined(d->name, d);
            play_end(&play);
        }
    }
}

/* At the first difference it is over, and nothing was passed on. */
static void test_joint_drops_another_answer(void **state)
{
    static const struct {
        const char *name;
        struct play_server server;
        unsigned tokens;
        enum uns_joint_state state;
    } rows[] = {
        {"the same", {.name = "beta"}, 40, UNS_JOINT_BEYOND},
        {"another first token",
         {.name = "beta", .odd = "An ", .odd_at = 0},
         40,
         UNS_JOINT_DIVERGED},
        {"another last token of those told",
         {.name = "beta", .odd = "x", .odd_at = 19},
         40,
         UNS_JOINT_DIVERGED},
        {"a space more",
         {.name = "beta", .odd = " \t", .odd_at = 8},
         40,
         UNS_JOINT_DIVERGED},
        {"shorter than what was told",
         {.name = "beta"},
         19,
         UNS_JOINT_DIVERGED},
        {"exactly what was told", {.name = "beta"}, 20, UNS_JOINT_BEYOND},
        {"none at all", {.name = "beta"}, 0, UNS_JOINT_DIVERGED},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(play_dialects); i++)
        for (size_t j = 0; j < ROWS(rows); j++) {
            const struct play_dialect *d = &play_dialects[i];
            size_t len;

            play_begun(first, d, &alpha, 0, 20);
            len = strlen(first);
            play_stream(rival, d, &rows[j].server, 0, rows[j].tokens);
            assert_true(tell_to(d, len));
            CHECK_INT(rows[j].name,
                      play_join(&play, UNS_JOINT_VERIFY, rival, 0),
                      rows[j].state);
            CHECK_INT(rows[j].name, play.len > len,
                      rows[j].state == UNS_JOINT_BEYOND);
            play_end(&play);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joint_goes_on_behind_any_frame),
        cmocka_unit_test(test_joint_goes_on_behind_any_byte),
        cmocka_unit_test(test_joint_knows_no_pieces),
        cmocka_unit_test(test_told_knows_no_pieces),
        cmocka_unit_test(test_joint_drops_another_answer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
