/* SPDX-License-Identifier: MIT */
/* A rival that was asked to continue: it writes on, or repeats and writes on;
 * white space at the joint is neither lost nor doubled. */
#include "joint_play.h"

#include <stdio.h>

static struct play play;
static struct play_reading reading;
static char first[PLAY_BYTES], rival[PLAY_BYTES], raw[PLAY_BYTES];

/* The text as one stream of dialect `d`; each word a frame. */
static void stream_of(char *out, const struct play_dialect *d, const char *name,
                      const char *text, bool whole)
{
    unsigned serial = 0;

    *out = '\0';
    play_frame(out, d->part[PLAY_OPEN], name, "", &serial);
    while (*text) {
        size_t len = strcspn(text + 1, " ") + 1;
        char word[256];

        snprintf(word, sizeof word, "%.*s", (int)len, text);
        play_escape(raw, word, false);
        play_frame(out, d->part[PLAY_TEXT], name, raw, &serial);
        text += len;
    }
    if (whole)
        play_frame(out, d->part[PLAY_CLOSE], name, "", &serial);
}

#define TOLD "The tide at Troms\xc3\xb8 is"

static const struct row {
    const char *name, *told, *rival;
    const char *text; /* NULL: dropped */
} rows[] = {
    {"writes on", TOLD, " high at noon", TOLD " high at noon"},
    {"repeats", TOLD, TOLD " high at noon", TOLD " high at noon"},
    {"repeats, and that was all", TOLD, TOLD, TOLD},
    {"has nothing to add", TOLD, "", TOLD},
    {"a space was told", TOLD " ", " high", TOLD " high"},
    {"a space was told, and it leaves it out", TOLD " ", "high", TOLD " high"},
    {"a space was told, it repeats", TOLD " ", TOLD " high", TOLD " high"},
    {"repeats without the space", TOLD " ", TOLD "high", TOLD " high"},
    {"lines were told", TOLD ":\n\n", "\n\n1. high", TOLD ":\n\n1. high"},
    {"lines were told, one comes", TOLD ":\n\n", "\n1. high",
     TOLD ":\n\n1. high"},
    {"other spaces come", TOLD "\n", " high", TOLD "\n high"},
    {"begins like the answer, for a moment", TOLD, "The tide, too",
     TOLD "The tide, too"},
    {"begins anew, and differs", TOLD, "The tide at Troms\xc3\xb8 was", NULL},
    {"begins anew, and ends sooner", TOLD, "The tide at", TOLD "The tide at"},
};

static void test_joint_continues_a_given_text(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(play_dialects); i++)
        for (size_t j = 0; j < ROWS(rows); j++) {
            const struct play_dialect *d = &play_dialects[i];
            const struct row *row = &rows[j];
            enum uns_joint_state got;

            if (d->dialect == UNS_DIALECT_RESPONSES)
                continue; /* cannot be asked so */
            stream_of(first, d, "alpha", row->told, false);
            stream_of(rival, d, "beta", row->rival, true);
            play_begin(&play, d->dialect);
            play_tell(&play, first, strlen(first));
            assert_null(uns_told_ready(&play.told));
            assert_true(uns_joint_can_prefill(&play.told));
            got = play_join(&play, UNS_JOINT_PREFILL, rival, j % 7);
            CHECK_INT(row->name, got,
                      row->text ? UNS_JOINT_BEYOND : UNS_JOINT_DIVERGED);
            play_read(&reading, d->dialect, play.out, play.len);
            CHECK_TEXT(row->name, reading.text,
                       row->text ? row->text : row->told);
            CHECK_INT(row->name, reading.finishes, row->text != NULL);
            CHECK_INT(row->name, strstr(play.out, "beta") == NULL, true);
            play_end(&play);
        }
}

/* clang-format off */
static const char *told_by(const char *bytes)
{
    play_begin(&play, UNS_DIALECT_ANTHROPIC);
    play_tell(&play, bytes, strlen(bytes));
    assert_null(uns_told_ready(&play.told));
    return bytes;
}

#define NAMED(type, rest) \
    "event: " type "\ndata: {\"type\":\"" type "\"" rest "}\n\n"
#define START(i, type, more)                                         \
    NAMED("content_block_start", ",\"index\":" i ",\"content_block\":" \
          "{\"type\":\"" type "\"" more "}")
#define DELTA(i, type, key, text)                                \
    NAMED("content_block_delta", ",\"index\":" i ",\"delta\":{\"type\":\"" \
          type "\",\"" key "\":\"" text "\"}")
#define STOP(i) NAMED("content_block_stop", ",\"index\":" i)
#define OPEN NAMED("message_start", ",\"message\":{\"id\":\"m\"}")
#define END                                                         \
    NAMED("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"}") \
    NAMED("message_stop", "")
#define TEXT(i, text) DELTA(i, "text_delta", "text", text)

/* The rival's first block goes on with the one that the answer was in. */
static void test_joint_counts_blocks_on(void **state)
{
    static const char begun[] = OPEN START("0", "thinking", "")
        DELTA("0", "thinking_delta", "thinking", "hm") STOP("0")
        START("1", "text", "") TEXT("1", "The tide is very high");
    static const char more[] = OPEN START("0", "text", ",\"text\":\"\"")
        TEXT("0", " today") STOP("0")
        START("1", "tool_use", ",\"name\":\"f\",\"id\":\"x\"")
        DELTA("1", "input_json_delta", "partial_json", "{}") STOP("1") END;

    (void)state;
    told_by(begun);
    assert_true(uns_joint_can_prefill(&play.told));
    assert_int_equal(play_join(&play, UNS_JOINT_PREFILL, more, 5),
                     UNS_JOINT_BEYOND);
    CHECK_TEXT("joined", play.out + strlen(begun),
               TEXT("1", " today") STOP("1")
               START("2", "tool_use", ",\"name\":\"f\",\"id\":\"x\"")
               DELTA("2", "input_json_delta", "partial_json", "{}") STOP("2")
               END);
    play_end(&play);
}

static void test_joint_does_not_think_anew(void **state)
{
    static const char more[] = OPEN START("0", "thinking", "")
        DELTA("0", "thinking_delta", "thinking", "well") STOP("0")
        START("1", "text", "") TEXT("1", " today") STOP("1") END;

    (void)state;
    told_by(OPEN START("0", "text", "") TEXT("0", "The tide is very high"));
    assert_int_equal(play_join(&play, UNS_JOINT_PREFILL, more, 0),
                     UNS_JOINT_DIVERGED);
    assert_int_equal(play.frames, 0);
    play_end(&play);
}

static void test_joint_knows_what_cannot_be_continued(void **state)
{
    static const struct {
        const char *name, *bytes;
        bool can;
    } cases[] = {
        {"text", OPEN TEXT("0", "The tide is very high"), true},
        {"a short one", OPEN TEXT("0", "The tide"), false},
        {"short without its spaces", OPEN TEXT("0", "The tide           "),
         false},
        {"none", OPEN, false},
        {"half a character", OPEN TEXT("0", "The tide is very h\xc3"), false},
        {"and the rest", OPEN TEXT("0", "The tide is very h\xc3")
         TEXT("0", "\xb8"), true},
        {"behind a signature", OPEN
         DELTA("0", "signature_delta", "signature", "x")
         TEXT("1", "The tide is very high"), false},
        {"behind a tool", OPEN TEXT("0", "The tide is very high")
         START("1", "tool_use", ",\"name\":\"f\",\"id\":\"x\""), false},
        {"in the reasoning", OPEN TEXT("0", "The tide is very high")
         DELTA("1", "thinking_delta", "thinking", "hm"), false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(cases); i++) {
        told_by(cases[i].bytes);
        CHECK_INT(cases[i].name, uns_joint_can_prefill(&play.told),
                  cases[i].can);
        uns_told_done(&play.told);
    }
}

/* clang-format on */

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joint_continues_a_given_text),
        cmocka_unit_test(test_joint_counts_blocks_on),
        cmocka_unit_test(test_joint_does_not_think_anew),
        cmocka_unit_test(test_joint_knows_what_cannot_be_continued),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
