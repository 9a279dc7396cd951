/* SPDX-License-Identifier: MIT */
/* Where in a frame the values stand that matter. */
#include "check.h"
#include "core/ascii.h"
#include "core/parts.h"

#include <stdio.h>

/* "text=tide swap=chatcmpl ..." with what stands at the places. */
static void describe(const struct uns_parts *parts, const char *frame,
                     char *out)
{
    static const char *const verbs[] = {
        [UNS_PART_TEXT] = "text",     [UNS_PART_RAW] = "raw",
        [UNS_PART_SWAP] = "swap",     [UNS_PART_ONCE] = "once",
        [UNS_PART_SAME] = "same",     [UNS_PART_SERIAL] = "serial",
        [UNS_PART_BLOCK] = "block",   [UNS_PART_PASS] = "pass",
        [UNS_PART_OPAQUE] = "opaque",
    };

    *out = '\0';
    for (unsigned i = 0; i < parts->count; i++) {
        const struct uns_part *part = &parts->part[i];

        sprintf(out + strlen(out), "%s%s=%.*s", i ? " " : "", verbs[part->verb],
                (int)part->len, frame + part->at);
    }
}

/* clang-format off */
static const struct row {
    const char *name;
    enum uns_dialect dialect;
    const char *frame, *parts;
    bool json, opaque;
} rows[] = {
    {"a chunk", UNS_DIALECT_CHAT,
     "data: {\"id\":\"a\",\"created\":17,\"choices\":[{\"delta\":{\"role\":"
     "\"assistant\",\"content\":\"hi\"},\"finish_reason\":null}]}\n\n",
     "swap=\"a\" swap=17 once=\"assistant\" text=\"hi\"", true, false},
    {"what is empty is not told", UNS_DIALECT_CHAT,
     "data: {\"id\":null,\"choices\":[{\"delta\":{\"content\":\"\"}}]}\n\n", "",
     true, false},
    {"names elsewhere mean nothing", UNS_DIALECT_CHAT,
     "data: {\"usage\":{\"id\":1},\"choices\":[{\"logprobs\":{\"content\":"
     "\"x\"},\"delta\":{}}]}\n\n", "", true, false},
    {"a tool", UNS_DIALECT_CHAT,
     "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":"
     "\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\n\n",
     "once=\"c\" same=\"f\" text=\"{\"", true, false},
    {"CRLF, and no space", UNS_DIALECT_CHAT,
     "data:{\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\r\n\r\n",
     "text=\"hi\"", true, false},
    {"fields around it", UNS_DIALECT_CHAT,
     ": hi\nid: 7\ndata: {\"choices\":[{\"text\":\"hi\"}]}\nretry: 1\n\n",
     "text=\"hi\"", true, false},
    {"an event's type", UNS_DIALECT_ANTHROPIC,
     "event: content_block_delta\ndata: {\"index\":2,\"delta\":{\"text\":"
     "\"hi\"}}\n\n", "block=2 text=\"hi\"", true, false},
    {"numbers of two digits", UNS_DIALECT_RESPONSES,
     "data: {\"type\":\"response.output_text.delta\",\"sequence_number\":10,"
     "\"delta\":\"hi\"}\n\n", "serial=10 text=\"hi\"", true, false},
    {"a list of items", UNS_DIALECT_RESPONSES,
     "data: {\"type\":\"response.completed\",\"response\":{\"output\":["
     "{\"id\":\"a\"},{\"id\":\"b\",\"call_id\":\"c\"}]}}\n\n",
     "swap=\"a\" swap=\"b\" swap=\"c\"", true, false},
    {"whole values", UNS_DIALECT_GEMINI,
     "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
     "{\"args\":{\"a\":\"}]\\\"\"}}},{\"text\":\"hi\"}]}}]}\n\n",
     "raw={\"args\":{\"a\":\"}]\\\"\"}} text=\"hi\"", true, false},
    {"an element of an array", UNS_DIALECT_GEMINI,
     "\n,\r\n{\"responseId\":\"a\"}", "swap=\"a\"", true, false},
    {"a line of JSON", UNS_DIALECT_OLLAMA,
     "{\"model\":\"m\",\"message\":{\"content\":\"hi\"}}\n",
     "swap=\"m\" text=\"hi\"", true, false},
    {"a comment", UNS_DIALECT_CHAT, ": hi\n\n", "", false, false},
    {"the end", UNS_DIALECT_CHAT, "data: [DONE]\n\n", "", false, false},
    {"broken JSON", UNS_DIALECT_CHAT, "data: {\"id\":\"a\",\n\n", "", false,
     false},
    {"two lines", UNS_DIALECT_CHAT, "data: {\ndata: }\n\n", "", false, true},
    {"audio", UNS_DIALECT_CHAT,
     "data: {\"choices\":[{\"delta\":{\"audio\":{}}}]}\n\n", "opaque={}", true,
     true},
    {"another dialect", UNS_DIALECT_TGI, "data: {\"text\":\"hi\"}\n\n", "",
     true, false},
};

/* clang-format on */

static void test_parts_are_found(void **state)
{
    char out[512];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t len = strlen(rows[i].frame);
        struct uns_parts parts;

        uns_parts_read(&parts, rows[i].dialect,
                       (struct uns_slice){rows[i].frame, len}, 0);
        describe(&parts, rows[i].frame, out);
        CHECK_TEXT(rows[i].name, out, rows[i].parts);
        CHECK_INT(rows[i].name, parts.json, rows[i].json);
        CHECK_INT(rows[i].name, parts.opaque, rows[i].opaque);
    }
}

static uint64_t key_of(enum uns_dialect dialect, const char *frame,
                       unsigned shift, unsigned i)
{
    struct uns_parts parts;

    uns_parts_read(&parts, dialect, uns_slice_of(frame), shift);
    assert_true(i < parts.count);
    return parts.part[i].key;
}

#define BLOCK(i, key, text)                                                \
    "data: {\"type\":\"d\",\"index\":" i ",\"delta\":{\"" key "\":\"" text \
    "\"}}\n\n"
#define CALL(i)                                                         \
    "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":" i "," \
    "\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}]}}]}\n\n"

/* The same text has one key, whatever it is called; others have others. */
static void test_parts_have_keys(void **state)
{
    enum uns_dialect a = UNS_DIALECT_ANTHROPIC, c = UNS_DIALECT_CHAT;

    (void)state;
    assert_true(key_of(a, BLOCK("1", "text", "x"), 0, 1) ==
                key_of(a, BLOCK("1", "text", "y"), 0, 1));
    assert_true(key_of(a, BLOCK("1", "text", "x"), 0, 1) !=
                key_of(a, BLOCK("2", "text", "x"), 0, 1));
    assert_true(key_of(a, BLOCK("1", "text", "x"), 1, 1) ==
                key_of(a, BLOCK("2", "text", "x"), 0, 1));
    assert_true(key_of(a, BLOCK("1", "text", "x"), 0, 1) !=
                key_of(a, BLOCK("1", "thinking", "x"), 0, 1));
    assert_true(key_of(c, CALL("1"), 0, 0) == key_of(c, CALL("1"), 0, 0));
    assert_true(key_of(c, CALL("1"), 0, 0) != key_of(c, CALL("2"), 0, 0));
    assert_true(key_of(c, CALL("1"), 0, 0) != key_of(c, CALL("1"), 0, 1));
}

/* Groups and places that are small numbers do not add up to one another. */
static void test_parts_keep_keys_apart(void **state)
{
    uint64_t keys[64 * 2];
    size_t count = 0;

    (void)state;
    for (int i = 0; i < 64; i++) {
        char frame[256];

        snprintf(frame, sizeof frame,
                 "data: {\"type\":\"t\",\"index\":%d,\"content_block\":"
                 "{\"type\":\"tool_use\",\"name\":\"f\"}}\n\n",
                 i);
        keys[count++] = key_of(UNS_DIALECT_ANTHROPIC, frame, 0, 1);
        keys[count++] = key_of(UNS_DIALECT_ANTHROPIC, frame, 0, 2);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            assert_true(keys[i] != keys[j]);
}

/* More than there is room for is not read in part. */
static void test_parts_have_their_limit(void **state)
{
    static char frame[8192];
    struct uns_parts parts;

    (void)state;
    strcpy(frame, "data: {\"choices\":[");
    for (int i = 0; i <= UNS_PARTS; i++)
        strcat(frame, "{\"text\":\"x\"},");
    strcat(frame, "{}]}\n\n");
    uns_parts_read(&parts, UNS_DIALECT_COMPLETIONS, uns_slice_of(frame), 0);
    assert_int_equal(parts.count, UNS_PARTS);
    assert_true(parts.opaque);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_are_found),
        cmocka_unit_test(test_parts_have_keys),
        cmocka_unit_test(test_parts_keep_keys_apart),
        cmocka_unit_test(test_parts_have_their_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
