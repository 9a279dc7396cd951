/* SPDX-License-Identifier: MIT */
/* Frames that are the last one's but for what stands in its gaps are not read;
 * what is told of them is what reading them tells (P1). */
#include "core/told_pattern.h"
#include "joint_play.h"

#include <stdlib.h>

/* A frame of chat; the arguments are what may differ. */
#define CHAT(created, text, pad)                                        \
    "data: {\"id\":\"a\",\"created\":" created ",\"choices\":[{\"index" \
    "\":0,\"delta\":{\"content\":\"" text "\"}}],\"pad\":\"" pad "\"}\n\n"
#define EVENT(type, serial, place, text)                              \
    "data: {\"type\":\"" type "\",\"sequence_number\":" serial        \
    ",\"output_index\":" place ",\"item_id\":\"m\",\"delta\":\"" text \
    "\"}\n\n"
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
    {"all gaps at once", UNS_DIALECT_CHAT, CHAT("9", "a", "x"),
     CHAT("10", "bcd", "yz"), true},
    {"text with escapes", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17", "b\\n\\\"\\\\", "x"), true},
    {"text with a code", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17", "\\u00e6", "x"), false},
    {"no text", UNS_DIALECT_CHAT, CHAT("17", "a", "x"), CHAT("17", "", "x"),
     false},
    {"an empty string", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17", "b", ""), false},
    {"a string that was empty", UNS_DIALECT_CHAT, CHAT("17", "a", ""),
     CHAT("17", "b", "x"), false},
    {"a number with a point", UNS_DIALECT_CHAT, CHAT("17", "a", "x"),
     CHAT("17.5", "b", "x"), false},
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
    {"a longer line's end", UNS_DIALECT_CHAT,
     "data: {\"delta\":1}\n\n" CHAT("17", "a", "x"),
     "\r\n" CHAT("17", "b", "x"), false},
    {"a serial", UNS_DIALECT_RESPONSES, EVENT(OUT, "9", "0", "a"),
     EVENT(OUT, "10", "0", "b"), true},
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
    const struct uns_told *a = &fast.told, *b = &slow.told;

    CHECK_INT(name, a->pattern.len, b->pattern.len);
    CHECK_INT(name, memcmp(a->pattern.data, b->pattern.data, b->pattern.len),
              0);
    CHECK_INT(name, a->pattern_at, b->pattern_at);
    CHECK_INT(name, a->pattern_end, b->pattern_end);
    CHECK_INT(name, a->serial_at, b->serial_at);
    CHECK_INT(name, a->digits, b->digits);
    CHECK_INT(name, a->gaps, b->gaps);
    for (unsigned i = 0; i < b->gaps; i++) {
        CHECK_INT(name, a->gap[i].kind, b->gap[i].kind);
        CHECK_INT(name, a->gap[i].at, b->gap[i].at);
        CHECK_INT(name, a->gap[i].len, b->gap[i].len);
    }
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
            slow.told.gaps = 0; /* so it is read */
            hear(&slow, row->next);
            check_same(row->name);
        }
        if (row->alike)
            check_same_pattern(row->name);
        uns_told_done(&fast.told);
        uns_told_done(&slow.told);
    }
}

static void test_told_pattern_knows_what_is_alike(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct row *row = &rows[i];
        struct uns_slice next = {row->next, strlen(row->next)};

        play_begin(&fast, row->dialect);
        hear(&fast, row->first);
        CHECK_INT(row->name, fast.told.gaps > 0, true);
        CHECK_INT(row->name, uns_told_alike(&fast.told, next).data != NULL,
                  row->alike);
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
        CHECK_INT(
            "cut",
            uns_told_alike(&fast.told, (struct uns_slice){cut, len}).data ==
                NULL,
            true);
        uns_told_done(&fast.told);
        free(cut);
    }
}

/* More values than there is room for: each frame is read. */
static void test_told_pattern_gives_up_on_many_gaps(void **state)
{
    static const char many[] =
        "data: {\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,"
        "\"h\":8,\"choices\":[{\"delta\":{\"content\":\"x\"}}]}\n\n";

    (void)state;
    play_begin(&fast, UNS_DIALECT_CHAT);
    hear(&fast, many);
    hear(&fast, many);
    assert_int_equal(fast.told.gaps, 0);
    assert_int_equal(fast.told.strand[0].text.len, 2);
    uns_told_done(&fast.told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told_pattern_tells_what_reading_tells),
        cmocka_unit_test(test_told_pattern_knows_what_is_alike),
        cmocka_unit_test(test_told_pattern_bears_any_cut),
        cmocka_unit_test(test_told_pattern_gives_up_on_many_gaps),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
