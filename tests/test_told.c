/* SPDX-License-Identifier: MIT */
/* What was told is remembered in full, or not relied on; where it may be
 * continued, and how a frame that was cut is completed. */
#include "joint_play.h"

#include <stdio.h>

static struct play play;

#define SAY(text) \
    "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}\n\n"

static const char *after(const char *bytes)
{
    play_begin(&play, UNS_DIALECT_CHAT);
    play_tell(&play, bytes, strlen(bytes));
    return uns_told_ready(&play.told);
}

static void test_told_says_why_not(void **state)
{
    static const struct {
        const char *name, *bytes, *why; /* NULL: it can be continued */
    } rows[] = {
        {"between frames", SAY("a"), NULL},
        {"nothing", "", NULL},
        {"in a text",
         SAY("a") "data: {\"choices\":[{\"delta\":{\"content\":\"b", NULL},
        {"in another text",
         SAY("a") "data: {\"id\":7,\"choices\":[{\"delta\":"
                  "{\"content\":\"b",
         NULL},
        {"in its beginning", SAY("a") "data: {\"cho", NULL},
        {"behind the text",
         SAY("a") "data: {\"choices\":[{\"delta\":"
                  "{\"content\":\"b\"}",
         NULL},
        {"in a comment", SAY("a") ": pin", NULL},
        {"behind a comment", SAY("a") ": ping\n", NULL},
        {"in an escape",
         SAY("a") "data: {\"choices\":[{\"delta\":{\"content\":\"b\\u00",
         "match"},
        {"behind a backslash",
         SAY("a") "data: {\"choices\":[{\"delta\":{\"content\":\"b\\", "match"},
        {"in another beginning", SAY("a") "data: {\"usa", "match"},
        {"in the end", SAY("a") "data: [DO", "match"},
        {"in the first frame",
         "data: {\"choices\":[{\"delta\":{\"content\":\"b", "match"},
        {"audio",
         "data: {\"choices\":[{\"delta\":{\"audio\":{\"data\":\"AA\"}}}"
         "]}\n\n",
         "opaque"},
        {"an image",
         "data: {\"choices\":[{\"delta\":{\"content\":\"a\","
         "\"images\":[{\"image_url\":{\"url\":\"x\"}}]}}]}\n\n",
         "opaque"},
        {"images, in one piece",
         "data: {\"choices\":[{\"delta\":{\"content\":\"a\","
         "\"images\":[{\"image_url\":{\"url\":\"x\"}}]}}]}\n\n"
         "data: {\"choices\":[{\"delta\":{\"content\":\"a\","
         "\"images\":[{\"image_url\":{\"url\":\"x\"}}]}}]}\n\n",
         "opaque"},
        {"encrypted reasoning",
         "data: {\"choices\":[{\"delta\":"
         "{\"reasoning_details\":[{\"data\":\"x\"}]}}]}\n\n",
         "opaque"},
        {"arguments that are no text",
         "data: {\"choices\":[{\"delta\":"
         "{\"tool_calls\":[{\"function\":{\"arguments\":{\"a\":1}}}]}}]}\n\n",
         "opaque"},
        {"JSON on two lines",
         "data: {\"choices\":[{\"delta\":\n"
         "data: {\"content\":\"a\"}}]}\n\n",
         "opaque"},
        {"two events in one",
         "data: {\"choices\":[{\"delta\":{\"content\":"
         "\"a\"}}]}\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n",
         "opaque"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *why = after(rows[i].bytes);

        if (!why && play.told.match)
            why = "match"; /* the next frame, if it begins like the tail */
        CHECK_TEXT(rows[i].name, why ? why : "",
                   rows[i].why ? rows[i].why : "");
        uns_told_done(&play.told);
        CHECK_INT(rows[i].name, play.memory.live, 0);
    }
}

static void test_told_lets_no_error_through(void **state)
{
    static const struct {
        const char *name, *good, *bad;
        const char *why;
    } rows[] = {
        {"an error", SAY("a"), "data: {\"error\":{\"type\":\"x\"}}\n\n", NULL},
        {"and what follows it", SAY("a"),
         "data: {\"error\":{\"type\":\"x\"}}\n\ndata: [DONE]\n\n", NULL},
        {"JSON that no line frames", SAY("a"), "{ \"error\": {\n  \"x\"", NULL},
        {"the same behind a line end", SAY("a"), "\n{ \"error\"", NULL},
        {"one without text before", "", "data: {\"error\":\"x\"}\n\n", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t good = strlen(rows[i].good);
        char both[512];

        snprintf(both, sizeof both, "%s%s", rows[i].good, rows[i].bad);
        play_begin(&play, UNS_DIALECT_CHAT);
        CHECK_INT(rows[i].name, uns_told_hear(&play.told, both, strlen(both)),
                  good);
        CHECK_INT(rows[i].name, play.told.error, true);
        CHECK_INT(rows[i].name, uns_told_hear(&play.told, "x", 1), 0);
        CHECK_INT(rows[i].name, uns_told_ready(&play.told) == NULL, true);
        uns_told_done(&play.told);
    }
}

/* What the application has of an error cannot be taken back. */
static void test_told_knows_when_it_is_too_late(void **state)
{
    static const char error[] = "data: {\"error\":{\"type\":\"x\"}}\n\n";

    (void)state;
    for (size_t cut = 1; cut + 1 < sizeof error; cut++) {
        play_begin(&play, UNS_DIALECT_CHAT);
        assert_int_equal(uns_told_hear(&play.told, error, cut), cut);
        assert_int_equal(
            uns_told_hear(&play.told, error + cut, sizeof error - 1 - cut), 0);
        CHECK_TEXT("why", uns_told_ready(&play.told), "mid_frame");
        uns_told_done(&play.told);
    }
    play_begin(&play, UNS_DIALECT_GEMINI);
    (void)uns_told_hear(&play.told, "[{\"a\":1}\n,\r\n", 12);
    assert_int_equal(
        uns_told_hear(&play.told, "{\"error\":{\"code\":503}}", 22), 0);
    assert_null(uns_told_ready(&play.told));
    assert_memory_equal(play.told.tail.data, "\n,\r\n", play.told.tail.len);
    uns_told_done(&play.told);
}

/* Ready, and then the stream went on after all. */
static void test_told_takes_back_what_it_lent(void **state)
{
    static const char rest[] = "cd\"}}]}\n\n";
    const struct uns_strand *strand;

    (void)state;
    assert_null(
        after(SAY("a") "data: {\"choices\":[{\"delta\":{\"content\":\"b"));
    strand = &play.told.strand[0];
    assert_int_equal(strand->text.len, 2);
    assert_null(uns_told_ready(&play.told));
    assert_int_equal(strand->text.len, 2);
    play_tell(&play, rest, 1);
    assert_null(uns_told_ready(&play.told));
    assert_int_equal(strand->text.len, 3);
    play_tell(&play, rest + 1, strlen(rest) - 1);
    assert_int_equal(strand->text.len, 4);
    assert_memory_equal(strand->text.data, "abcd", 4);
    uns_told_done(&play.told);
}

static void test_told_keeps_to_its_limit(void **state)
{
    (void)state;
    play_begin(&play, UNS_DIALECT_CHAT);
    play.told.limit = 200;
    for (int i = 0; i < 200 && !play.told.off; i++)
        play_tell(&play, SAY("tide"), strlen(SAY("tide")));
    CHECK_TEXT("text", play.told.off, "too_long");
    assert_int_equal(uns_told_hear(&play.told, "abc", 3), 3);
    uns_told_done(&play.told);

    play_begin(&play, UNS_DIALECT_CHAT);
    for (int i = 0; i < UNS_TOLD_STRANDS + 1; i++) {
        char frame[256];

        snprintf(frame, sizeof frame,
                 "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":"
                 "%d,\"function\":{\"arguments\":\"{\"}}]}}]}\n\n",
                 i);
        CHECK_INT("strands", play.told.off != NULL, false);
        play_tell(&play, frame, strlen(frame));
    }
    CHECK_TEXT("strands", play.told.off, "too_many");
    uns_told_done(&play.told);

    play_begin(&play, UNS_DIALECT_ANTHROPIC);
    for (int i = 0; i < UNS_TOLD_MARKS + 1; i++) {
        char frame[256];

        snprintf(frame, sizeof frame,
                 "data: {\"type\":\"content_block_stop\",\"index\":%d}\n\n", i);
        CHECK_INT("marks", play.told.off != NULL, false);
        play_tell(&play, frame, strlen(frame));
    }
    CHECK_TEXT("marks", play.told.off, "too_many");
    uns_told_done(&play.told);

    play_begin(&play, UNS_DIALECT_TGI);
    CHECK_TEXT("dialect", play.told.off, "dialect");
    uns_told_done(&play.told);
}

/* Frames that are the last one's but for the text: what is told of them is
 * what reading each of them tells. */
static void test_told_reads_alike_frames_as_all_others(void **state)
{
    static const struct row {
        const char *name, *text, *told; /* NULL: what is written */
    } rows[] = {
        {"letters", "tide", NULL},
        {"characters of many bytes", "\xf0\x9f\x8c\x8a\xc3\xb8", NULL},
        {"a line's end", "a\\nb", "a\nb"},
        {"a quote", "a\\\"b", "a\"b"},
        {"a backslash at the end", "a\\\\", "a\\"},
        {"a pair of escapes", "\\ud83c\\udf0a", "\xf0\x9f\x8c\x8a"},
        {"nothing", "", NULL},
        {"another member", "a\"},\"x\":{\"content\":\"b", "a"},
        {"no JSON", "a\tb", ""},
        {"no JSON, a quote", "a\"b", ""},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char stream[512], told[64];
        const char *text = rows[i].told ? rows[i].told : rows[i].text;
        const struct uns_strand *answer;

        (void)snprintf(stream, sizeof stream, SAY("x") SAY("y") SAY("%s"),
                       rows[i].text);
        (void)snprintf(told, sizeof told, "xy%s", text);
        (void)after(stream);
        answer = uns_told_answer(&play.told);
        CHECK_INT(rows[i].name, answer->text.len, strlen(told));
        CHECK_INT(rows[i].name,
                  memcmp(answer->text.data, told, answer->text.len), 0);
        uns_told_done(&play.told);
    }
}

/* A frame is alike only to one of the same text. */
static void test_told_tells_alike_texts_apart(void **state)
{
    const struct uns_strand *answer;

    (void)state;
    (void)after(
        "data: {\"choices\":[{\"delta\":{\"reasoning\":\"a\"}}]}\n\n"
        "data: {\"choices\":[{\"delta\":{\"reasoning\":\"b\"}}]}\n\n" SAY("c")
            SAY("d"));
    answer = uns_told_answer(&play.told);
    CHECK_INT("texts", play.told.strands, 2);
    CHECK_INT("answer", answer->text.len, 2);
    CHECK_INT("answer", memcmp(answer->text.data, "cd", 2), 0);
    CHECK_INT("answering", play.told.answering, true);
    uns_told_done(&play.told);
}

/* As far as the application has read, it is the answer. */
static void check_prefix(enum uns_dialect dialect)
{
    static struct play_reading reading;
    static char answer[PLAY_BYTES];

    play_answer(answer, 0, 40);
    play_read(&reading, dialect, play.out, play.len);
    CHECK_INT("sound", strncmp(answer, reading.text, strlen(reading.text)), 0);
}

/* Whichever request for memory fails: nothing leaks, and nothing wrong is
 * passed on as sound. */
static void test_joint_bears_a_lack_of_memory(void **state)
{
    static const struct play_server beta = {.name = "beta", .merge = 2};
    static char first[PLAY_BYTES], rival[PLAY_BYTES];
    const struct play_dialect *d = &play_dialects[4];
    bool whole = false;

    (void)state;
    play_begun(first, d, &(struct play_server){.name = "alpha"}, 0, 20);
    play_stream(rival, d, &beta, 0, 40);
    first[strlen(first) - 20] = '\0';
    for (unsigned n = 1; !whole; n++) {
        play_begin(&play, d->dialect);
        play.memory.fail_at = n;
        play_tell(&play, first, strlen(first));
        if (uns_told_ready(&play.told)) {
            uns_told_done(&play.told);
        } else {
            enum uns_joint_state end =
                play_join(&play, UNS_JOINT_VERIFY, rival, 100);

            assert_true(end == UNS_JOINT_BEYOND || end == UNS_JOINT_FAILED ||
                        end == UNS_JOINT_DIVERGED);
            check_prefix(d->dialect);
            whole = play.memory.asked < n;
            play_end(&play);
        }
        CHECK_INT("leaks", play.memory.live, 0);
    }
    assert_true(strstr(play.out, "response.completed") != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told_says_why_not),
        cmocka_unit_test(test_told_lets_no_error_through),
        cmocka_unit_test(test_told_knows_when_it_is_too_late),
        cmocka_unit_test(test_told_takes_back_what_it_lent),
        cmocka_unit_test(test_told_keeps_to_its_limit),
        cmocka_unit_test(test_told_reads_alike_frames_as_all_others),
        cmocka_unit_test(test_told_tells_alike_texts_apart),
        cmocka_unit_test(test_joint_bears_a_lack_of_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
