/* SPDX-License-Identifier: MIT */
/* Bodies that never come to the point (P1): what was looked at is not looked
 * at again, what says nothing is not kept, and what follows is heard. */
#include "joint_play.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/mman.h>

static struct play play;

#define CHAT_SAYS(text) \
    "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}\n\n"
#define LINE_SAYS(text) "{\"message\":{\"content\":\"" text "\"}}\n"
#define ARRAY_SAYS(text) \
    "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"" text "\"}]}}]}"

static const struct body {
    const char *name;
    enum uns_dialect dialect;
    const char *head, *first, *before, *unit, *after;
    bool kept; /* it is of a frame */
} bodies[] = {
    {"blank lines", UNS_DIALECT_CHAT, "", CHAT_SAYS("a"), "", "\n",
     CHAT_SAYS("b"), false},
    {"blank lines, CRLF", UNS_DIALECT_CHAT, "", CHAT_SAYS("a"), "", "\r\n",
     CHAT_SAYS("b"), false},
    {"blank lines, CR", UNS_DIALECT_CHAT, "", CHAT_SAYS("a"), "", "\r",
     CHAT_SAYS("b"), false},
    {"comments", UNS_DIALECT_CHAT, "", CHAT_SAYS("a"), "", ": x\n\n",
     CHAT_SAYS("b"), false},
    {"a comment of many lines", UNS_DIALECT_CHAT, "", CHAT_SAYS("a"), "",
     ": x\n", "\n" CHAT_SAYS("b"), true},
    {"a comment of many lines, CRLF", UNS_DIALECT_CHAT, "", CHAT_SAYS("a"), "",
     ": x\r\n", "\r\n" CHAT_SAYS("b"), true},
    {"empty events", UNS_DIALECT_CHAT, "", CHAT_SAYS("a"), "", "data:\n\n",
     CHAT_SAYS("b"), false},
    {"spaces in an event", UNS_DIALECT_CHAT, "", CHAT_SAYS("a"), "data: ", " ",
     "\n\n" CHAT_SAYS("b"), true},
    {"one line", UNS_DIALECT_CHAT, "", CHAT_SAYS("a"), ": ", "y",
     "\n\n" CHAT_SAYS("b"), true},
    {"blank lines between JSON lines", UNS_DIALECT_OLLAMA, "", LINE_SAYS("a"),
     "", "\n", LINE_SAYS("b"), false},
    {"the same, CRLF", UNS_DIALECT_OLLAMA, "", LINE_SAYS("a"), "", "\r\n",
     LINE_SAYS("b"), false},
    {"spaces before a JSON line", UNS_DIALECT_OLLAMA, "", LINE_SAYS("a"), "",
     " ", LINE_SAYS("b"), true},
    {"blank lines in an array", UNS_DIALECT_GEMINI, "[", ARRAY_SAYS("a"), "",
     "\n", "," ARRAY_SAYS("b"), true},
    {"spaces in an array", UNS_DIALECT_GEMINI, "[", ARRAY_SAYS("a"), ",", " ",
     ARRAY_SAYS("b"), true},
};

/* Of each body so many bytes: were one of them looked at for each other one,
 * no test would see its end. */
#define BODY_BYTES (1 << 20)

static char body[BODY_BYTES];

static size_t fill(const char *unit)
{
    size_t len = strlen(unit), whole = BODY_BYTES / len * len;

    for (size_t at = 0; at < whole; at += len)
        memcpy(body + at, unit, len);
    return whole;
}

static void hear(const char *bytes)
{
    size_t len = strlen(bytes);

    assert_int_equal(uns_told_hear(&play.told, bytes, len), len);
}

static void hear_in_pieces(const char *name, size_t len, size_t step)
{
    for (size_t at = 0; at < len; at += step) {
        size_t some = step < len - at ? step : len - at;

        CHECK_INT(name, uns_told_hear(&play.told, body + at, some), some);
    }
}

static void check_answer(const char *name, const char *text)
{
    const struct uns_strand *answer = uns_told_answer(&play.told);

    CHECK_TEXT(name, play.told.off, NULL);
    CHECK_INT(name, play.told.tail.len, 0);
    CHECK_SLICE(name, uns_run_slice(&answer->text), text);
}

static void check_body(const struct body *b, bool first, size_t step)
{
    size_t len = fill(b->unit);

    play_begin(&play, b->dialect);
    play.told.limit = 2 * BODY_BYTES;
    hear(b->head);
    if (first)
        hear(b->first);
    hear(b->before);
    hear_in_pieces(b->name, len, step);
    if (!b->kept)
        CHECK_INT(b->name, play.told.tail.len, 0);
    hear(b->after);
    check_answer(b->name, first ? "ab" : "b");
    uns_told_done(&play.told);
    CHECK_INT(b->name, play.memory.live, 0);
}

static void test_told_hears_what_follows_an_endless_body(void **state)
{
    static const size_t steps[] = {1, 1400, BODY_BYTES};

    (void)state;
    for (size_t i = 0; i < ROWS(bodies); i++)
        for (size_t s = 0; s < ROWS(steps); s++) {
            check_body(&bodies[i], false, steps[s]);
            check_body(&bodies[i], true, steps[s]);
        }
}

/* What says nothing costs no memory, however much of it there is. */
static void test_told_keeps_no_blanks(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(bodies); i++) {
        if (bodies[i].kept)
            continue;
        play_begin(&play, bodies[i].dialect);
        play.told.limit = 64;
        hear(bodies[i].first);
        hear_in_pieces(bodies[i].name, fill(bodies[i].unit), 1400);
        CHECK_TEXT(bodies[i].name, play.told.off, NULL);
        CHECK_INT(bodies[i].name, play.told.tail.cap <= 512, true);
        uns_told_done(&play.told);
    }
}

/* --- what was looked at --------------------------------------------------- */

/* The bytes that were looked at are others when more have come. */
static void test_cut_looks_at_nothing_twice(void **state)
{
    static const struct {
        const char *name, *begin, *unit, *end;
    } rows[] = {
        {"blank lines", "", "\n\n", ": x\n\n"},
        {"behind a byte order mark", "\xef\xbb\xbf", "\r\n", ": x\n\n"},
        {"a comment of many lines", ":", "x\n:", "\n\n"},
        {"a comment of many lines, CRLF", ":", "x\r\n:", "\r\n\r\n"},
        {"a JSON line", "{", "\"\"", "}\n"},
        {"spaces in an array", "[", "  ", "{}"},
        {"a string in an array", "[{\"", "\\\"}", "\"}"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_cut cut = {0};
        size_t begun = strlen(rows[i].begin), unit = strlen(rows[i].unit);
        char bytes[64] = {0};
        size_t len = begun + unit, end = strlen(rows[i].end);

        memcpy(bytes, rows[i].begin, begun);
        memcpy(bytes + begun, rows[i].unit, unit);
        CHECK_INT(rows[i].name,
                  uns_cut_next(&cut, (struct uns_slice){bytes, len}), 0);
        CHECK_INT(rows[i].name, cut.at, len);
        if (cut.kind == UNS_CUT_UNKNOWN)
            memset(bytes, '{', len - 1);
        else
            memset(bytes, '\n', len - 1);
        memcpy(bytes + len, rows[i].end, end);
        (void)uns_cut_next(&cut, (struct uns_slice){bytes, len});
        CHECK_INT(rows[i].name, cut.at, len);
    }
}

/* The tail may be long, and is asked about with each piece of a rival's. */
static void test_told_remembers_that_it_is_ready(void **state)
{
    (void)state;
    play_begin(&play, UNS_DIALECT_CHAT);
    hear(CHAT_SAYS("a") ": ping\n: pi");
    assert_null(uns_told_ready(&play.told));
    memset(play.told.tail.data, 'x', play.told.tail.len);
    assert_null(uns_told_ready(&play.told));
    assert_false(play.told.match);
    hear("n");
    assert_null(uns_told_ready(&play.told));
    assert_true(play.told.match);
    uns_told_done(&play.told);
}

/* An end that repeats itself fits behind each of its repetitions. */
static void test_told_tries_an_end_only_so_often(void **state)
{
    static const struct {
        const char *name;
        size_t units;
        bool match;
    } rows[] = {
        {"a few", 3, false},
        {"many", 60000, true},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t len = fill("\",\"\":\"");

        play_begin(&play, UNS_DIALECT_CHAT);
        play.told.limit = 2 * BODY_BYTES;
        play.memory.fail_at = UINT_MAX;
        assert_true(len >= rows[i].units * 6);
        hear("data: {\"choices\":[{\"delta\":{\"content\":\"a");
        hear_in_pieces(rows[i].name, rows[i].units * 6 + 6, BODY_BYTES);
        hear("\"}}]}\n\ndata: {\"id\":1,\"choices\":[{\"delta\":"
             "{\"content\":\"b");
        hear_in_pieces(rows[i].name, rows[i].units * 6, BODY_BYTES);
        assert_null(uns_told_ready(&play.told));
        CHECK_INT(rows[i].name, play.told.match, rows[i].match);
        CHECK_INT(rows[i].name, play.memory.asked < 1000, true);
        uns_told_done(&play.told);
        CHECK_INT(rows[i].name, play.memory.live, 0);
    }
}

/* Else each piece of a long line would move all that there is of it. */
static void test_run_drops_nothing_without_a_look(void **state)
{
    void *page =
        mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct uns_run run = {page, 32, 4096};

    (void)state;
    assert_ptr_not_equal(page, MAP_FAILED);
    uns_run_drop(&run, 0);
    assert_int_equal(run.len, 32);
    assert_int_equal(munmap(page, 4096), 0);
}

/* --- the rival ------------------------------------------------------------ */

static void begin_rival(void)
{
    play_begin(&play, UNS_DIALECT_CHAT);
    hear(CHAT_SAYS("tide"));
    assert_null(uns_told_ready(&play.told));
    uns_joint_init(&play.joint, &play.told, UNS_JOINT_VERIFY);
    uns_joint_to(&play.joint, play_pass, &play);
}

/* Before it joins, no more is kept of it than of the first stream. */
static void test_joint_gives_a_rival_up_that_says_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(bodies); i++) {
        size_t len = fill(bodies[i].unit), at = 0;

        if (bodies[i].dialect != UNS_DIALECT_CHAT)
            continue;
        begin_rival();
        play.told.limit = 10000;
        uns_joint_feed(&play.joint, bodies[i].before, strlen(bodies[i].before));
        while (at < len && play.joint.state == UNS_JOINT_MEETS) {
            uns_joint_feed(&play.joint, body + at, 1);
            at++;
        }
        CHECK_INT(bodies[i].name, play.joint.rest.len <= 10001, true);
        CHECK_INT(bodies[i].name, play.frames, 0);
        play_end(&play);
    }
}

/* What is passed on may have frames of any length. */
static void test_joint_passes_long_frames_on(void **state)
{
    (void)state;
    begin_rival();
    play.told.limit = 1000;
    uns_joint_feed(&play.joint, CHAT_SAYS("tides"), strlen(CHAT_SAYS("tides")));
    assert_int_equal(play.joint.state, UNS_JOINT_BEYOND);
    (void)fill("y");
    uns_joint_feed(&play.joint, ":", 1);
    uns_joint_feed(&play.joint, body, 5000);
    uns_joint_feed(&play.joint, "\n\n", 2);
    assert_int_equal(play.joint.state, UNS_JOINT_BEYOND);
    assert_int_equal(play.joint.rest.len, 0);
    assert_true(play.len > 5000);
    play_end(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told_hears_what_follows_an_endless_body),
        cmocka_unit_test(test_told_keeps_no_blanks),
        cmocka_unit_test(test_cut_looks_at_nothing_twice),
        cmocka_unit_test(test_told_remembers_that_it_is_ready),
        cmocka_unit_test(test_told_tries_an_end_only_so_often),
        cmocka_unit_test(test_run_drops_nothing_without_a_look),
        cmocka_unit_test(test_joint_gives_a_rival_up_that_says_nothing),
        cmocka_unit_test(test_joint_passes_long_frames_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
