/* SPDX-License-Identifier: MIT */
/* What the scanner reads out of a document, whole and in pieces. */
#include "check.h"
#include "core/scan.h"

#include <stdio.h>
#include <stdlib.h>

#define ROW(path, op, arg)                            \
    {                                                 \
        path, UNS_OP_##op, arg, UNS_GROUP_NONE, false \
    }

static const struct uns_path paths[] = {
    ROW("text", TEXT, 0),
    ROW("a.b.text", TEXT, 1),
    ROW("list[].text", TEXT, 2),
    ROW("raw", RAW, 3),
    ROW("count", COUNT, 4),
    ROW("count.deep", TEXT, 5),
    ROW("mark", MARK, UNS_LEAF_STRUCTURAL),
    ROW("told", TOLD, UNS_LEAF_ERROR),
    ROW("open", OPEN, 0),
    ROW("type", SAVE, UNS_SLOT_TYPE),
    ROW("in", SAVE, UNS_SLOT_TOKENS_IN),
    {"part[]", UNS_OP_NONE, UNS_KIND_TEXT, UNS_GROUP_PART, false},
    ROW("part[].text", OPEN, 0),
    ROW("part[].aside", KIND, UNS_KIND_REASONING),
    ROW("part[].skip", KIND, UNS_KIND_COUNT),
    {"choice[]", UNS_OP_NONE, 0, UNS_GROUP_CHOICE, false},
    ROW("choice[].index", SAVE, UNS_SLOT_INDEX),
    ROW("choice[].finish", SAVE, UNS_SLOT_FINISH),
};

/* What the sink was given: "text(kind)" for each piece of known kind. */
static char given[4000];
static size_t given_len;

static void on_text(void *ctx, const char *bytes, size_t len)
{
    (void)ctx;
    assert_true(given_len + len + 20 < sizeof given);
    memcpy(given + given_len, bytes, len);
    given_len += len;
}

static void on_kind(void *ctx, enum uns_kind kind)
{
    (void)ctx;
    given_len += (size_t)sprintf(given + given_len, "(%d)", kind);
}

static const struct uns_sink sink = {NULL, on_text, on_kind, NULL};
static struct uns_trie trie;
static struct uns_scan scan;

static void begin(void)
{
    uns_trie_init(&trie, paths, ROWS(paths), false);
    uns_scan_init(&scan, &trie, &sink);
    memset(given, 0, sizeof given);
    given_len = 0;
}

static size_t feed(const char *bytes, size_t len)
{
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, len);
    size_t used = uns_scan_feed(&scan, copy, len);
    free(copy);
    return used;
}

struct row {
    const char *name, *json;
    unsigned kinds, marks;
    const char *given; /* NULL: nothing */
};

static void check_state(const struct row *row)
{
    CHECK_INT(row->name, uns_scan_complete(&scan), true);
    CHECK_INT(row->name, scan.kinds, row->kinds);
    CHECK_INT(row->name, scan.marks, row->marks);
    given[given_len] = '\0';
    CHECK_TEXT(row->name, given, row->given ? row->given : "");
}

/* Whole, cut in two everywhere, byte by byte; and twice in a row, as the
 * second time much of it is known already. */
static void check(const struct row *row)
{
    size_t len = strlen(row->json);

    for (size_t cut = 0; cut <= len; cut++) {
        begin();
        CHECK_INT(row->name, feed(row->json, cut), cut);
        CHECK_INT(row->name, feed(row->json + cut, len - cut), len - cut);
        check_state(row);
    }
    begin();
    for (size_t at = 0; at < len; at++)
        CHECK_INT(row->name, feed(row->json + at, 1), 1);
    check_state(row);
    begin();
    for (int time = 0; time < 3; time++) {
        uns_scan_reset(&scan);
        memset(given, 0, sizeof given);
        given_len = 0;
        feed(row->json, len);
        check_state(row);
    }
}

static void test_scan_matches_paths_not_names(void **state)
{
    /* clang-format off */
    static const struct row rows[] = {
        {"top", "{\"text\":\"x\"}", 1, 0, "x(0)"},
        {"deep", "{\"a\":{\"b\":{\"text\":\"x\"}}}", 2, 0, "x(1)"},
        {"between", "{\"a\":{\"text\":\"x\",\"b\":{\"c\":{\"text\":\"x\"}}}}", 0, 0, NULL},
        {"unknown parent", "{\"z\":{\"text\":\"x\",\"a\":{\"b\":{\"text\":\"x\"}}}}", 0, 0, NULL},
        {"array", "{\"list\":[{\"text\":\"x\"},{\"text\":\"y\"}]}", 4, 0, "x(2)y(2)"},
        {"array of arrays", "{\"list\":[[{\"text\":\"x\"}],[]]}", 4, 0, "x(2)"},
        {"an array stands for its elements", "{\"a\":[{\"b\":[{\"text\":\"x\"}]}]}", 2, 0, "x(1)"},
        {"object for an array", "{\"list\":{\"text\":\"x\"}}", 4, 0, "x(2)"},
        {"strings in an array", "{\"text\":[\"x\",\"y\"]}", 1, 0, "x(0)y(0)"},
        {"text is a string", "{\"text\":1,\"a\":{\"b\":{\"text\":{}}}}", 0, 0, NULL},
        {"prefix of a key", "{\"tex\":\"x\",\"textt\":\"x\",\"Text\":\"x\",\"\":\"x\"}", 0, 0, NULL},
        {"escaped key", "{\"te\\u0078t\":\"x\"}", 1, 0, "x(0)"},
        {"long key", "{\"texttexttexttexttexttexttexttexttexttexttext\":\"x\",\"text\":\"y\"}", 1, 0, "y(0)"},
        {"root array", "[{\"text\":\"x\"},{\"text\":\"y\"}]", 1, 0, "x(0)y(0)"},
        {"white space", " {\r\n \"text\" :\t\"x\" ,\n\"z\" : [ ] , \"mark\" : 1 } \n", 1, 1, "x(0)"},
        {"skipped part", "{\"z\":{\"text\":\"x\",\"y\":[\"]}\",{\"q\":\"\\\"}\\\\\"}]},\"text\":\"x\"}", 1, 0, "x(0)"},
        {"skipped strings", "{\"z\":\"\\\\\",\"y\":\"\\\"\",\"text\":\"x\"}", 1, 0, "x(0)"},
        {"a long skipped string", "{\"z\":\"0123456789abcdef0123456789abcdef\\\"0123456789\",\"text\":\"x\"}", 1, 0, "x(0)"},
        {"literals", "{\"z\":true,\"y\":false,\"x\":null,\"w\":-1.5e+3,\"text\":\"x\"}", 1, 0, "x(0)"},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        check(&rows[i]);
}

static void test_scan_ops_say_what_a_value_means(void **state)
{
    /* clang-format off */
    static const struct row rows[] = {
        {"empty text", "{\"text\":\"\"}", 0, 0, NULL},
        {"null text", "{\"text\":null}", 0, 0, NULL},
        {"raw string", "{\"raw\":\"x\"}", 8, 0, "x(3)"},
        {"raw object", "{\"raw\":{ \"a\": [1, \"]}\"]}}", 8, 0, "{ \"a\": [1, \"]}\"]}(3)"},
        {"raw array", "{\"raw\":[[],{}]}", 8, 0, "[[],{}](3)"},
        {"raw number", "{\"raw\":-1.5}", 8, 0, "-1.5(3)"},
        {"raw true", "{\"raw\":true}", 8, 0, "true(3)"},
        {"raw null", "{\"raw\":null}", 0, 0, NULL},
        {"raw false", "{\"raw\":false}", 0, 0, NULL},
        {"raw empty string", "{\"raw\":\"\"}", 0, 0, NULL},
        {"count string", "{\"count\":\"x\"}", 16, 0, NULL},
        {"count object", "{\"count\":{}}", 16, 0, NULL},
        {"count and go deeper", "{\"count\":{\"deep\":\"x\"}}", 48, 0, "x(5)"},
        {"count number", "{\"count\":0}", 16, 0, NULL},
        {"count empty", "{\"count\":\"\"}", 0, 0, NULL},
        {"count no element", "{\"count\":[]}", 0, 0, NULL},
        {"mark", "{\"mark\":\"x\"}", 0, UNS_LEAF_STRUCTURAL, NULL},
        {"mark empty", "{\"mark\":\"\"}", 0, 0, NULL},
        {"mark true", "{\"mark\":true}", 0, UNS_LEAF_STRUCTURAL, NULL},
        {"mark false", "{\"mark\":false}", 0, 0, NULL},
        {"mark object", "{\"mark\":{\"x\":1}}", 0, UNS_LEAF_STRUCTURAL, NULL},
        {"told empty", "{\"told\":\"\"}", 0, UNS_LEAF_ERROR, NULL},
        {"told null", "{\"told\":null}", 0, 0, NULL},
        {"part", "{\"part\":[{\"text\":\"x\"}]}", 1, 0, "x(0)"},
        {"part aside, told before", "{\"part\":[{\"aside\":true,\"text\":\"x\"}]}", 2, 0, "x(1)"},
        {"part aside, told after", "{\"part\":[{\"text\":\"x\",\"aside\":true},{\"text\":\"y\"}]}", 3, 0, "x(1)y(0)"},
        {"part skipped", "{\"part\":[{\"text\":\"x\",\"skip\":true}]}", 0, 0, "x(6)"},
        {"part not skipped", "{\"part\":[{\"text\":\"x\",\"skip\":false}]}", 1, 0, "x(0)"},
        {"done", "[DONE]", 0, UNS_LEAF_DONE, NULL},
        {"done, spaces", "  [ DONE ] ", 0, UNS_LEAF_DONE, NULL},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        check(&rows[i]);
}

static void test_scan_unescapes_text(void **state)
{
    /* clang-format off */
    static const struct row rows[] = {
        {"short", "{\"text\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}", 1, 0, "\"\\/\b\f\n\r\t(0)"},
        {"units", "{\"text\":\"\\u0041\\u00e9\\u20AC\"}", 1, 0, "A\xC3\xA9\xE2\x82\xAC(0)"},
        {"pair", "{\"text\":\"\\ud83e\\udd80\"}", 1, 0, "\xF0\x9F\xA6\x80(0)"},
        {"high alone", "{\"text\":\"\\ud83ex\"}", 1, 0, "\xEF\xBF\xBDx(0)"},
        {"high at the end", "{\"text\":\"x\\ud83e\"}", 1, 0, "x\xEF\xBF\xBD(0)"},
        {"high, high, low", "{\"text\":\"\\ud83e\\ud83e\\udd80\"}", 1, 0, "\xEF\xBF\xBD\xF0\x9F\xA6\x80(0)"},
        {"high before an escape", "{\"text\":\"\\ud83e\\n\"}", 1, 0, "\xEF\xBF\xBD\n(0)"},
        {"low alone", "{\"text\":\"\\udd80\"}", 1, 0, "\xEF\xBF\xBD(0)"},
        {"UTF-8", "{\"text\":\"\xF0\x9F\xA6\x80\xE2\x80\xA8\"}", 1, 0, "\xF0\x9F\xA6\x80\xE2\x80\xA8(0)"},
    };
    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        check(&rows[i]);
}

static void test_scan_knows_garbage(void **state)
{
    static const char *const rows[] = {"x",
                                       "\"text\"",
                                       "1",
                                       "}",
                                       "{]",
                                       "[}",
                                       "{\"text\"}",
                                       "{\"text\" \"x\"}",
                                       "{text:1}",
                                       "{\"text\":}",
                                       "{\"text\":\"x\" \"y\"}",
                                       "{\"mark\":nope}",
                                       "{\"text\":\"\\x\"}",
                                       "{\"text\":\"\\u12g4\"}",
                                       "{\"text\":'x'}",
                                       "[DONT]",
                                       "{\"z\":1}}",
                                       ": keepalive"};

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t len = strlen(rows[i]);
        for (size_t cut = 0; cut <= len; cut++) {
            begin();
            size_t used = feed(rows[i], cut);
            used += feed(rows[i] + cut, len - cut);
            bool left = uns_scan_complete(&scan) && used < len;
            CHECK_INT(rows[i], left || uns_scan_broken(&scan, false), true);
        }
    }
}

static void test_scan_stops_at_the_end_of_a_document(void **state)
{
    (void)state;
    begin();
    CHECK_INT("two", feed("{} \n {\"text\":\"x\"}", 16), 5);
    CHECK_INT("two", uns_scan_complete(&scan), true);
    uns_scan_reset(&scan);
    CHECK_INT("second", uns_scan_empty(&scan), true);
    CHECK_INT("second", feed("{\"text\":\"x\"}", 12), 12);
    CHECK_INT("second", scan.kinds, 1);
}

static void test_scan_is_broken_by_a_line_end_in_a_string(void **state)
{
    static const struct {
        const char *json;
        bool broken;
    } rows[] = {
        {"{\"text\":\"x", true},
        {"{\"z\":\"x", true},
        {"{\"z\":{\"y\":\"x", true},
        {"{\"z\":\"\\", true},
        {"{\"z\":\"\\u12", true},
        {"{\"te", true},
        {"{\"text\":\"x\"", false},
        {"{\"z\":[", false},
        {"", false},
        {"{\"z\":1", false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        begin();
        feed(rows[i].json, strlen(rows[i].json));
        CHECK_INT(rows[i].json, uns_scan_broken(&scan, true), rows[i].broken);
        CHECK_INT(rows[i].json, uns_scan_broken(&scan, false), false);
    }
}

static void test_scan_keeps_short_values(void **state)
{
    static char json[300] = "{\"type\":\"";

    (void)state;
    begin();
    feed("{\"type\":\"a\\nb\",\"in\":42}", 23);
    CHECK_INT("string", uns_scan_is(&scan, UNS_SLOT_TYPE, "a\nb"), true);
    CHECK_INT("string", uns_scan_is(&scan, UNS_SLOT_TYPE, "a\nbc"), false);
    CHECK_INT("number", uns_scan_is(&scan, UNS_SLOT_TOKENS_IN, "42"), true);
    uns_scan_reset(&scan);
    feed("{\"type\":null,\"in\":{}}", 21);
    CHECK_INT("null", scan.slot_len[UNS_SLOT_TYPE], 0);
    CHECK_INT("object", scan.slot_len[UNS_SLOT_TOKENS_IN], 0);
    uns_scan_reset(&scan);
    memset(json + 9, 'x', 200);
    memcpy(json + 209, "\"}", 2);
    feed(json, 211);
    CHECK_INT("too long", scan.slot_len[UNS_SLOT_TYPE], UNS_SLOT_BYTES);
    CHECK_INT("too long", uns_scan_complete(&scan), true);
}

static void test_scan_sees_which_choices_finish(void **state)
{
    static const struct {
        const char *json;
        uint64_t seen, finished;
    } rows[] = {
        {"{\"choice\":[{\"index\":0},{\"index\":3,\"finish\":\"x\"}]}", 9, 8},
        {"{\"choice\":[{\"finish\":\"x\",\"index\":2}]}", 4, 4},
        {"{\"choice\":[{\"finish\":\"x\"}]}", 1, 1},
        {"{\"choice\":[{\"finish\":null},{\"finish\":\"null\"}]}", 1, 0},
        {"{\"choice\":[{\"index\":64,\"finish\":\"x\"}]}", 1, 1},
        {"{\"choice\":[]}", 0, 0},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        begin();
        feed(rows[i].json, strlen(rows[i].json));
        CHECK_INT(rows[i].json, scan.seen, rows[i].seen);
        CHECK_INT(rows[i].json, scan.finished, rows[i].finished);
    }
}

/* Depth costs nothing, known path or not. */
static void test_scan_bears_any_depth(void **state)
{
    static const char *const opens[] = {"{\"z\":", "[", "{\"list\":[",
                                        "{\"a\":{\"b\":"};

    (void)state;
    for (size_t i = 0; i < ROWS(opens); i++) {
        begin();
        for (int depth = 0; depth < 100000; depth++)
            feed(opens[i], strlen(opens[i]));
        CHECK_INT(opens[i], uns_scan_complete(&scan), false);
        CHECK_INT(opens[i], uns_scan_broken(&scan, false), false);
    }
    begin();
    feed("{\"list\":", 8);
    for (int depth = 0; depth < 5000; depth++)
        feed("[", 1);
    for (int depth = 0; depth < 5000; depth++)
        feed("]", 1);
    feed(",\"text\":\"x\"}", 12);
    CHECK_INT("closed", uns_scan_complete(&scan), true);
    CHECK_INT("closed", scan.kinds, 1);
}

/* A broken document leaves nothing behind. */
static void test_scan_forgets_half_a_surrogate_pair(void **state)
{
    (void)state;
    begin();
    feed("{\"text\":\"\\ud83e", 15);
    uns_scan_reset(&scan);
    feed("{\"", 2);
    feed("text\":\"x\"}", 10);
    CHECK_INT("key", scan.kinds, 1);
}

static void test_scan_memory_of_a_slot_is_not_stale(void **state)
{
    static const char first[] =
        "{\"type\":\"a\",\"text\":\"x\",\"type\":\"b\"}";

    (void)state;
    begin();
    for (int time = 0; time < 3; time++) {
        uns_scan_reset(&scan);
        feed("{\"type\":\"a\",\"text\":\"x\"}", 23);
        CHECK_INT("plain", uns_scan_is(&scan, UNS_SLOT_TYPE, "a"), true);
        uns_scan_reset(&scan);
        feed(first, sizeof first - 1);
        CHECK_INT("twice", uns_scan_is(&scan, UNS_SLOT_TYPE, "b"), true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scan_matches_paths_not_names),
        cmocka_unit_test(test_scan_ops_say_what_a_value_means),
        cmocka_unit_test(test_scan_unescapes_text),
        cmocka_unit_test(test_scan_knows_garbage),
        cmocka_unit_test(test_scan_stops_at_the_end_of_a_document),
        cmocka_unit_test(test_scan_is_broken_by_a_line_end_in_a_string),
        cmocka_unit_test(test_scan_keeps_short_values),
        cmocka_unit_test(test_scan_sees_which_choices_finish),
        cmocka_unit_test(test_scan_bears_any_depth),
        cmocka_unit_test(test_scan_forgets_half_a_surrogate_pair),
        cmocka_unit_test(test_scan_memory_of_a_slot_is_not_stale),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
