/* SPDX-License-Identifier: MIT */
/* Frames that repeat the last one but for what may differ are not read; what is
 * told of them is what reading them tells (P1). */
#include "core/told_pattern.h"
#include "joint_play.h"

#include "core/repeat.h"

#include <stdio.h>
#include <stdlib.h>

/* A frame of chat; the arguments are what may differ. */
#define CHAT(created, text, pad)                                        \
    "data: {\"id\":\"a\",\"created\":" created ",\"choices\":[{\"index" \
    "\":0,\"delta\":{\"content\":\"" text "\"}}],\"pad\":\"" pad "\"}\n\n"
#define EVENT(type, serial, place, text)                              \
    "data: {\"type\":\"" type "\",\"sequence_number\":" serial        \
    ",\"output_index\":" place ",\"item_id\":\"m\",\"delta\":\"" text \
    "\"}\n\n"
#define ROLE(id, role, text)                                                 \
    "data: {\"id\":\"" id "\",\"choices\":[{\"index\":0,\"delta\":{\"role\"" \
    ":\"" role "\",\"content\":\"" text "\"}}]}\n\n"
#define INSIDE(number, text)                                                 \
    "data: {\"usage\":{\"n\":" number "},\"choices\":[{\"delta\":{\"content" \
    "\":\"" text "\"},\"x\":{\"y\":1}}]}\n\n"
#define PARTS(text) \
    "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"" text "\"}]}}]}"
#define BEHIND(serial, text)                                           \
    "data: {\"type\":\"" OUT "\",\"output_index\":0,\"delta\":\"" text \
    "\",\"sequence_number\":" serial "}\n\n"
#define OUT "response.output_text.delta"

static struct play fast, slow;

static const struct row {
    const char *name;
    enum uns_dialect dialect;
    const char *first, *next;
    bool alike; /* it is not read */
} rows[] = {
    {"another text", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17", "bcd", "x"), true},
    {"all that may differ", UNS_DIALECT_CHAT, CHAT("9", "a", "x"),
     CHAT("10", "bcd", "yz"), true},
    {"text with escapes", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17", "b\\n\\\"\\\\", "x"), true},
    {"text with a code", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17", "\\u00e6", "x"), false},
    {"no text", UNS_DIALECT_CHAT, CHAT("17", "a", "x"), CHAT("17", "", "x"),
     false},
    {"an empty string", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17", "b", ""), true},
    {"a string that was empty", UNS_DIALECT_CHAT, CHAT("17", "a", ""),
     CHAT("17", "b", "x"), false},
    {"a number with a point", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17.5", "b", "x"), true},
    {"no number", UNS_DIALECT_CHAT, CHAT("17", "a", "x"), CHAT("007", "b", "x"),
     false},
    {"another choice", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     "data: {\"id\":\"a\",\"created\":17,\"choices\":[{\"index\":1,\"delta\":{"
     "\"content\":\"b\"}}],\"pad\":\"x\"}\n\n",
     false},
    {"a member more", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17", "b", "x\",\"more\":\"y"), false},
    {"a tool's call", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17", "b\",\"tool_calls\":[{\"index\":0}],\"c\":\"d", "x"), false},
    {"another id", UNS_DIALECT_CHAT, ROLE("a", "assistant", "a"),
     ROLE("b", "assistant", "b"), true},
    {"an id that was empty", UNS_DIALECT_CHAT, ROLE("", "assistant", "a"),
     ROLE("b", "assistant", "b"), false},
    {"another role", UNS_DIALECT_CHAT, ROLE("a", "assistant", "a"),
     ROLE("a", "tool", "b"), false},
    {"a number inside", UNS_DIALECT_CHAT, INSIDE("1", "a"), INSIDE("22", "b"),
     true},
    {"lines that end with two bytes", UNS_DIALECT_CHAT,
     "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\n",
     "data: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\r\n\r\n", true},
    {"lines that end with a carriage return", UNS_DIALECT_CHAT,
     "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\r",
     "data: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\r\r", false},
    {"a name in its line", UNS_DIALECT_CHAT,
     "id: 1\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
     "id: 1\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n", true},
    {"another one", UNS_DIALECT_CHAT,
     "id: 1\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
     "id: 2\ndata: {\"choices\":[{\"delta\":{\"content\":\"b\"}}]}\n\n", false},
    {"an array's element", UNS_DIALECT_GEMINI, "[" PARTS("a"), "," PARTS("b"),
     false},
    {"a part", UNS_DIALECT_GEMINI, "data: " PARTS("a") "\n\n",
     "data: " PARTS("b") "\n\n", true},
    {"a longer line's end", UNS_DIALECT_CHAT,
     "data: {\"delta\":1}\n\n" CHAT("17", "a", "x"),
     "\r\n" CHAT("17", "b", "x"), false},
    {"a serial", UNS_DIALECT_RESPONSES, EVENT(OUT, "9", "0", "a"),
     EVENT(OUT, "10", "0", "b"), true},
    {"a serial that is none", UNS_DIALECT_RESPONSES, EVENT(OUT, "9", "0", "a"),
     EVENT(OUT, "1.5", "0", "b"), true},
    {"a serial in quotes", UNS_DIALECT_RESPONSES, EVENT(OUT, "\"9\"", "0", "a"),
     EVENT(OUT, "\"10\"", "0", "b"), false},
    {"the same behind the text", UNS_DIALECT_RESPONSES, BEHIND("\"9\"", "a"),
     BEHIND("\"9\"", "bcd"), false},
    {"a serial behind the text", UNS_DIALECT_RESPONSES, BEHIND("9", "a"),
     BEHIND("10", "bcd"), true},
    {"another type", UNS_DIALECT_RESPONSES, EVENT(OUT, "9", "0", "a"),
     EVENT("response.refusal.delta", "10", "0", "b"), false},
    {"another place", UNS_DIALECT_RESPONSES, EVENT(OUT, "9", "0", "a"),
     EVENT(OUT, "10", "1", "b"), false},
    {"another block", UNS_DIALECT_ANTHROPIC,
     "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"text\":"
     "\"a\"}}\n\n",
     "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":{\"text\":"
     "\"b\"}}\n\n",
     false},
    {"the same block", UNS_DIALECT_ANTHROPIC,
     "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"text\":"
     "\"a\"}}\n\n",
     "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"text\":"
     "\"b\"}}\n\n",
     true},
    {"a line's moment", UNS_DIALECT_OLLAMA,
     "{\"model\":\"m\",\"created_at\":\"12:00\",\"response\":\"a\"}\n",
     "{\"model\":\"m\",\"created_at\":\"12:00.1\",\"response\":\"b\"}\n", true},
    {"a text that names no member", UNS_DIALECT_OLLAMA,
     "{\"model\":\"m\",\"thinking\":\"a\"}\n",
     "{\"model\":\"m\",\"response\":\"a\"}\n", false},
};

static void hear(struct play *play, const char *bytes)
{
    play_tell(play, bytes, strlen(bytes));
}

static void check_same(const char *name)
{
    const struct uns_told *a = &fast.told, *b = &slow.told;

    CHECK_TEXT(name, a->off ? a->off : "", b->off ? b->off : "");
    CHECK_INT(name, a->strands, b->strands);
    for (unsigned i = 0; i < b->strands; i++) {
        CHECK_INT(name, a->strand[i].key == b->strand[i].key, true);
        CHECK_INT(name, a->strand[i].text.len, b->strand[i].text.len);
        CHECK_INT(name,
                  memcmp(a->strand[i].text.data, b->strand[i].text.data,
                         b->strand[i].text.len),
                  0);
    }
    CHECK_INT(name, a->serial, b->serial);
    CHECK_INT(name, a->answering, b->answering);
    CHECK_INT(name, a->block, b->block);
    CHECK_INT(name, a->words, b->words);
    CHECK_INT(name, a->used, b->used);
}

/* Where a frame that is cut will be completed from. */
static void check_same_pattern(const char *name)
{
    const struct uns_told_pattern *a = &fast.told.pattern;
    const struct uns_told_pattern *b = &slow.told.pattern;

    CHECK_INT(name, a->bytes.len, b->bytes.len);
    CHECK_INT(name, memcmp(a->bytes.data, b->bytes.data, b->bytes.len), 0);
    CHECK_INT(name, a->at, b->at);
    CHECK_INT(name, a->end, b->end);
    CHECK_INT(name, a->key == b->key, true);
    CHECK_INT(name, a->digits, b->digits);
    if (b->digits)
        CHECK_INT(name, a->serial_at, b->serial_at);
}

static void test_told_pattern_tells_what_reading_tells(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct row *row = &rows[i];

        play_begin(&fast, row->dialect);
        play_begin(&slow, row->dialect);
        hear(&fast, row->first);
        hear(&slow, row->first);
        for (int round = 0; round < 2; round++) {
            hear(&fast, row->next);
            uns_told_pattern_leave(&slow.told.pattern); /* so it is read */
            hear(&slow, row->next);
            check_same(row->name);
            check_same_pattern(row->name);
        }
        uns_told_done(&fast.told);
        uns_told_done(&slow.told);
    }
}

static bool meets(struct play *play, struct uns_slice bytes)
{
    return uns_told_pattern_meet(&play->told.pattern, &play->told.stream,
                                 bytes) == bytes.len &&
           bytes.len != 0;
}

static void test_told_pattern_knows_what_repeats_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct row *row = &rows[i];
        struct uns_slice next = {row->next, strlen(row->next)};

        play_begin(&fast, row->dialect);
        hear(&fast, row->first);
        CHECK_INT(row->name, meets(&fast, next), row->alike);
        uns_told_done(&fast.told);
    }
}

/* Nothing is read behind a frame that ends too soon. */
static void test_told_pattern_bears_any_cut(void **state)
{
    static const char whole[] = CHAT("1234", "tide", "padding");

    (void)state;
    for (size_t len = 0; len + 1 < sizeof whole; len++) {
        char *cut = malloc(len ? len : 1);

        memcpy(cut, whole, len);
        play_begin(&fast, UNS_DIALECT_CHAT);
        hear(&fast, CHAT("17", "a", "x"));
        CHECK_INT("cut", meets(&fast, (struct uns_slice){cut, len}), false);
        uns_told_done(&fast.told);
        free(cut);
    }
}

/* More values than are noted: each frame is read. */
static void test_told_pattern_gives_up_on_many_values(void **state)
{
    static const char many[] =
        "data: {\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,"
        "\"h\":8,\"i\":1,\"j\":2,\"k\":3,\"l\":4,"
        "\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n";

    (void)state;
    play_begin(&fast, UNS_DIALECT_CHAT);
    hear(&fast, many);
    hear(&fast, many);
    assert_false(fast.told.pattern.repeats);
    assert_int_equal(fast.told.strand[0].text.len, 2);
    uns_told_done(&fast.told);
}

/* What is narrowed has to fit as well. */
static void test_told_pattern_keeps_no_long_frame(void **state)
{
    char frame[1024];
    bool both[2] = {false, false};

    (void)state;
    for (int pad = UNS_REPEAT_BYTES - 100; pad < UNS_REPEAT_BYTES; pad++) {
        (void)snprintf(frame, sizeof frame, ROLE("a", "%0*d", "x"), pad, 0);
        play_begin(&fast, UNS_DIALECT_CHAT);
        hear(&fast, frame);
        hear(&fast, frame);
        both[fast.told.pattern.repeats] = true;
        CHECK_INT("told", fast.told.strand[0].text.len, 2);
        uns_told_done(&fast.told);
    }
    CHECK_INT("some", both[true], true);
    CHECK_INT("not all", both[false], true);
}

/* A text is told once, however the bytes come; and what has to be kept of them
 * is one frame that is not complete. */
static void test_told_pattern_bears_any_pieces(void **state)
{
    static char stream[16384], text[1024];
    size_t len = 0, said = 0;

    (void)state;
    for (unsigned i = 0; i < 100; i++) {
        char word[16];

        (void)snprintf(word, sizeof word, "%.*s%u", (int)(i % 7), "tideway", i);
        len += (size_t)snprintf(stream + len, sizeof stream - len,
                                EVENT(OUT, "%u", "0", "%s"), i, word);
        said += (size_t)snprintf(text + said, sizeof text - said, "%s", word);
    }
    for (size_t step = 1; step < 2000; step += step < 300 ? 1 : 97) {
        play_begin(&fast, UNS_DIALECT_RESPONSES);
        for (size_t at = 0; at < len; at += step) {
            size_t some = step < len - at ? step : len - at;

            assert_int_equal(uns_told_hear(&fast.told, stream + at, some),
                             some);
            assert_true(fast.told.tail.len < 256);
        }
        CHECK_INT("text", fast.told.strand[0].text.len, said);
        CHECK_INT("text", memcmp(fast.told.strand[0].text.data, text, said), 0);
        CHECK_INT("serial", fast.told.serial, 99);
        CHECK_INT("used", fast.told.used, said + 3); /* the item's id */
        uns_told_done(&fast.told);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told_pattern_tells_what_reading_tells),
        cmocka_unit_test(test_told_pattern_knows_what_repeats_it),
        cmocka_unit_test(test_told_pattern_bears_any_cut),
        cmocka_unit_test(test_told_pattern_gives_up_on_many_values),
        cmocka_unit_test(test_told_pattern_keeps_no_long_frame),
        cmocka_unit_test(test_told_pattern_bears_any_pieces),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
