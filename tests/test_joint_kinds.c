/* SPDX-License-Identifier: MIT */
/* What is not the answer's text: reasoning, tools, signatures, values that are
 * said once; each compared by itself, none said twice. */
#include "joint_play.h"

static struct play play;

#define CHUNK(delta) \
    "data: {\"id\":\"a\",\"choices\":[{\"index\":0,\"delta\":" delta "}]}\n\n"
#define OTHER(delta) \
    "data: {\"id\":\"b\",\"choices\":[{\"index\":0,\"delta\":" delta "}]}\n\n"
#define END                                                             \
    "data: {\"id\":\"b\",\"choices\":[{\"delta\":{},\"finish_reason\":" \
    "\"stop\"}]}\n\ndata: [DONE]\n\n"
#define END_A                                                           \
    "data: {\"id\":\"a\",\"choices\":[{\"delta\":{},\"finish_reason\":" \
    "\"stop\"}]}\n\ndata: [DONE]\n\n"
#define SAY(text)     "{\"content\":\"" text "\"}"
#define THINK(text)   "{\"reasoning_content\":\"" text "\"}"
#define CALL(i, more) "{\"tool_calls\":[{\"index\":" i more "}]}"
#define NAME(i, id, name)                                            \
    CALL(i, ",\"id\":\"" id "\",\"type\":\"function\",\"function\":" \
            "{\"name\":\"" name "\",\"arguments\":\"\"}")
#define ARGS(i, args) CALL(i, ",\"function\":{\"arguments\":\"" args "\"}")

struct row {
    const char *name;
    enum uns_dialect dialect;
    const char *told, *rival;
    const char *beyond; /* NULL: another answer */
};

static void check(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t step = 0; step < 30; step++) {
            size_t len = strlen(rows[i].told);

            play_begin(&play, rows[i].dialect);
            play_tell(&play, rows[i].told, len);
            CHECK_INT(rows[i].name, uns_told_ready(&play.told) == NULL, true);
            CHECK_INT(rows[i].name,
                      play_join(&play, UNS_JOINT_VERIFY, rows[i].rival, step),
                      rows[i].beyond ? UNS_JOINT_BEYOND : UNS_JOINT_DIVERGED);
            CHECK_TEXT(rows[i].name, play.out + len,
                       rows[i].beyond ? rows[i].beyond : "");
            play_end(&play);
        }
}

/* clang-format off */
static void test_joint_compares_each_text_by_itself(void **state)
{
    static const struct row rows[] = {
        {"in the reasoning", UNS_DIALECT_CHAT, CHUNK(THINK("so")),
         OTHER(THINK("so ")) OTHER(THINK("what")) END,
         CHUNK(THINK(" ")) CHUNK(THINK("what")) END_A},
        {"other reasoning", UNS_DIALECT_CHAT, CHUNK(THINK("so")),
         OTHER(THINK("now")) END, NULL},
        {"reasoning under its other name", UNS_DIALECT_CHAT,
         CHUNK(THINK("so")), OTHER("{\"reasoning\":\"so\"}") END, END_A},
        {"more reasoning than was told before the text", UNS_DIALECT_CHAT,
         CHUNK(THINK("so")) CHUNK(SAY("The")),
         OTHER(THINK("so far")) OTHER(SAY("The tide")) END, NULL},
        {"both, in another order", UNS_DIALECT_CHAT,
         CHUNK(THINK("so")) CHUNK(SAY("The")),
         OTHER(SAY("The")) OTHER(THINK("so")) OTHER(SAY(" tide")) END,
         CHUNK(SAY(" tide")) END_A},
        {"text where a tool was called", UNS_DIALECT_CHAT,
         CHUNK(NAME("0", "x", "f")), OTHER(SAY("The")) END, NULL},
        {"the same text, another's refusal", UNS_DIALECT_CHAT,
         CHUNK(SAY("No")), OTHER("{\"refusal\":\"No\"}") END, NULL},
        {"parts of a content", UNS_DIALECT_CHAT,
         CHUNK("{\"content\":[{\"type\":\"thinking\",\"thinking\":"
               "[{\"text\":\"so\"}]}]}"),
         OTHER(THINK("so")) OTHER("{\"content\":[{\"text\":\"The\"}]}") END,
         CHUNK("{\"content\":[{\"text\":\"The\"}]}") END_A},
    };

    (void)state;
    check(rows, ROWS(rows));
}

static void test_joint_compares_tools(void **state)
{
    static const struct row rows[] = {
        {"in the arguments: id and name are said once", UNS_DIALECT_CHAT,
         CHUNK(NAME("0", "x", "f")) CHUNK(ARGS("0", "{\\\"a\\\"")),
         OTHER(NAME("0", "y", "f")) OTHER(ARGS("0", "{\\\"a\\\":1}")) END,
         CHUNK(ARGS("0", ":1}")) END_A},
        {"all in one", UNS_DIALECT_CHAT,
         CHUNK(NAME("0", "x", "f")) CHUNK(ARGS("0", "{")),
         OTHER("{\"tool_calls\":[{\"index\":0,\"id\":\"y\",\"function\":"
               "{\"name\":\"f\",\"arguments\":\"{}\"}}]}") END,
         CHUNK("{\"tool_calls\":[{\"index\":0,\"function\":"
               "{\"arguments\":\"}\"}}]}") END_A},
        {"the last members go", UNS_DIALECT_CHAT,
         CHUNK(NAME("0", "x", "f")) CHUNK(ARGS("0", "{")),
         OTHER("{\"tool_calls\":[{\"index\":0,\"function\":"
               "{\"arguments\":\"{}\", \"name\":\"f\"} , \"id\":\"y\" }]}")
         END,
         CHUNK("{\"tool_calls\":[{\"index\":0,\"function\":"
               "{\"arguments\":\"}\"}  }]}") END_A},
        {"a sole member", UNS_DIALECT_CHAT,
         CHUNK("{\"role\":\"assistant\"}") CHUNK(SAY("T")),
         OTHER(SAY("T")) OTHER("{\"role\":\"assistant\"}") OTHER(SAY("h"))
         OTHER("{\"role\":\"assistant\"}") END,
         CHUNK(SAY("h")) CHUNK("{}") END_A},
        {"another tool", UNS_DIALECT_CHAT, CHUNK(NAME("0", "x", "f")),
         OTHER(NAME("0", "y", "g")) END, NULL},
        {"another argument", UNS_DIALECT_CHAT,
         CHUNK(NAME("0", "x", "f")) CHUNK(ARGS("0", "{1")),
         OTHER(NAME("0", "y", "f")) OTHER(ARGS("0", "{2")) END, NULL},
        {"a second tool", UNS_DIALECT_CHAT,
         CHUNK(NAME("0", "x", "f")) CHUNK(ARGS("0", "{}")),
         OTHER(NAME("0", "y", "f")) OTHER(ARGS("0", "{}"))
         OTHER(NAME("1", "z", "f")) OTHER(ARGS("1", "{")) END,
         CHUNK(NAME("1", "z", "f")) CHUNK(ARGS("1", "{")) END_A},
        {"a second tool before the first is through", UNS_DIALECT_CHAT,
         CHUNK(NAME("0", "x", "f")) CHUNK(ARGS("0", "{}")),
         OTHER(NAME("0", "y", "f")) OTHER(NAME("1", "z", "f")) END, NULL},
        {"the old way", UNS_DIALECT_CHAT,
         CHUNK("{\"function_call\":{\"name\":\"f\",\"arguments\":\"{\"}}"),
         OTHER("{\"function_call\":{\"name\":\"f\",\"arguments\":\"{}\"}}")
         END,
         CHUNK("{\"function_call\":{\"arguments\":\"}\"}}") END_A},
        {"gemini: a whole call, told", UNS_DIALECT_GEMINI,
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
         "{\"name\":\"f\",\"args\":{\"a\":[1]}}}]}}]}\n\n",
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
         "{\"name\":\"f\",\"args\":{\"a\":[1]}}}]}}]}\n\n"
         "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n",
         "data: {\"candidates\":[{\"finishReason\":\"STOP\"}]}\n\n"},
        {"gemini: another call", UNS_DIALECT_GEMINI,
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
         "{\"name\":\"f\",\"args\":{\"a\":1}}}]}}]}\n\n",
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
         "{\"name\":\"f\",\"args\":{\"a\":2}}}]}}]}\n\n", NULL},
        {"gemini: one that cannot be cut out", UNS_DIALECT_GEMINI,
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
         "{\"name\":\"f\"}}]}}]}\n\n",
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"functionCall\":"
         "{\"name\":\"f\"}},{\"text\":\"x\"}]}}]}\n\n", NULL},
        {"gemini: thoughts, however marked", UNS_DIALECT_GEMINI,
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"so\","
         "\"thought\":true}]}}]}\n\n",
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"thought\":true,"
         "\"text\":\"so\"},{\"text\":\"x\"}]}}]}\n\n",
         "data: {\"candidates\":[{\"content\":{\"parts\":[{\"thought\":true,"
         "\"text\":\"\"},{\"text\":\"x\"}]}}]}\n\n"},
    };

    (void)state;
    check(rows, ROWS(rows));
}

#define NAMED(type, rest) \
    "event: " type "\ndata: {\"type\":\"" type "\"" rest "}\n\n"
#define START(i, type) \
    NAMED("content_block_start", ",\"index\":" i ",\"content_block\":" type)
#define DELTA(i, key, text)                                                   \
    NAMED("content_block_delta",                                              \
          ",\"index\":" i ",\"delta\":{\"" key "\":\"" text "\"}")
#define STOP(i) NAMED("content_block_stop", ",\"index\":" i)
#define TEXT_BLOCK "{\"type\":\"text\",\"text\":\"\"}"
#define TOOL_BLOCK "{\"type\":\"tool_use\",\"id\":\"x\",\"name\":\"f\"}"
#define FINISH                                                                \
    NAMED("message_delta", ",\"delta\":{\"stop_reason\":\"end_turn\"}")       \
    NAMED("message_stop", "")

static void test_joint_passes_frames_once(void **state)
{
    static const struct row rows[] = {
        {"a block that was left open", UNS_DIALECT_ANTHROPIC,
         START("0", TEXT_BLOCK) DELTA("0", "text", "a"),
         START("0", TEXT_BLOCK) DELTA("0", "text", "a") STOP("0")
         START("1", TOOL_BLOCK) DELTA("1", "partial_json", "{") FINISH,
         STOP("0") START("1", TOOL_BLOCK) DELTA("1", "partial_json", "{")
         FINISH},
        {"one that was closed", UNS_DIALECT_ANTHROPIC,
         START("0", TEXT_BLOCK) DELTA("0", "text", "a") STOP("0"),
         START("0", TEXT_BLOCK) DELTA("0", "text", "a") STOP("0") FINISH,
         FINISH},
        {"a tool of another name", UNS_DIALECT_ANTHROPIC,
         START("0", TOOL_BLOCK),
         START("0", "{\"type\":\"tool_use\",\"name\":\"g\"}"), NULL},
        {"text for a tool", UNS_DIALECT_ANTHROPIC, START("0", TOOL_BLOCK),
         START("0", TEXT_BLOCK), NULL},
        {"a signature that was told", UNS_DIALECT_ANTHROPIC,
         DELTA("0", "thinking", "hm") DELTA("0", "signature", "x"),
         DELTA("0", "thinking", "hm") DELTA("0", "signature", "y")
         STOP("0") FINISH, STOP("0") FINISH},
        {"a signature that was not", UNS_DIALECT_ANTHROPIC,
         DELTA("0", "thinking", "hm"),
         DELTA("0", "thinking", "hm") DELTA("0", "signature", "y") FINISH,
         DELTA("0", "signature", "y") FINISH},
        {"a signature too early", UNS_DIALECT_ANTHROPIC,
         DELTA("0", "thinking", "hm so"),
         DELTA("0", "thinking", "hm") DELTA("0", "signature", "y"), NULL},
        {"several of one kind behind the joint", UNS_DIALECT_ANTHROPIC,
         DELTA("0", "text", "a"),
         DELTA("0", "text", "ab") DELTA("0", "citation", "1")
         DELTA("0", "citation", "2") NAMED("ping", "") NAMED("ping", "")
         FINISH,
         DELTA("0", "text", "b") DELTA("0", "citation", "1")
         DELTA("0", "citation", "2") NAMED("ping", "") NAMED("ping", "")
         FINISH},
        {"a block that begins with text", UNS_DIALECT_ANTHROPIC,
         START("0", TEXT_BLOCK) DELTA("0", "text", "a"),
         START("0", "{\"type\":\"text\",\"text\":\"ab\"}") FINISH, NULL},
        {"pings and comments before the joint", UNS_DIALECT_ANTHROPIC,
         DELTA("0", "text", "a"),
         ": hi\n\n" NAMED("ping", "") DELTA("0", "text", "a") ": hi\n\n"
         DELTA("0", "text", "b") ": hi\n\n" FINISH,
         DELTA("0", "text", "b") ": hi\n\n" FINISH},
        {"a message without its type's line", UNS_DIALECT_ANTHROPIC,
         DELTA("0", "text", "a"),
         "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
         "{\"text\":\"ab\"}}\n\n",
         "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":"
         "{\"text\":\"b\"}}\n\n"},
        {"values that the first one had not", UNS_DIALECT_CHAT,
         CHUNK(SAY("a")),
         "data: {\"id\":\"b\",\"model\":\"m\",\"choices\":[{\"delta\":"
         SAY("ab") "}]}\n\n",
         "data: {\"id\":\"a\",\"model\":\"m\",\"choices\":[{\"delta\":"
         SAY("b") "}]}\n\n"},
        {"values of other kinds", UNS_DIALECT_CHAT,
         "data: {\"id\":7,\"choices\":[{\"delta\":" SAY("a") "}]}\n\n",
         OTHER(SAY("ab")),
         "data: {\"id\":7,\"choices\":[{\"index\":0,\"delta\":" SAY("b")
         "}]}\n\n"},
    };

    (void)state;
    check(rows, ROWS(rows));
}

/* clang-format on */

/* What was cut and is no text: only a frame that begins so may complete it. */
static void test_joint_matches_a_frame_that_was_cut(void **state)
{
    /* clang-format off */
    static const struct row rows[] = {
        {"the finish", UNS_DIALECT_CHAT,
         CHUNK(SAY("a")) "data: {\"id\":\"a\",\"choices\":[{\"delta\":{},\"fin",
         OTHER(SAY("a")) END,
         "ish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"},
        {"another finish", UNS_DIALECT_CHAT,
         CHUNK(SAY("a")) "data: {\"id\":\"a\",\"usage\":{},\"choi",
         OTHER(SAY("a")) END, NULL},
        {"text for the finish", UNS_DIALECT_CHAT,
         CHUNK(SAY("a")) "data: {\"id\":\"a\",\"choices\":[{\"delta\":{},\"fin",
         OTHER(SAY("ab")) END, NULL},
        {"in an escape", UNS_DIALECT_CHAT,
         CHUNK(SAY("a")) "data: {\"id\":\"a\",\"choices\":[{\"index\":0,"
         "\"delta\":{\"content\":\"b\\u00", OTHER(SAY("a"))
         OTHER(SAY("b\\u00e9c")) END,
         "e9c\"}}]}\n\n" END_A},
        {"in another escape", UNS_DIALECT_CHAT,
         CHUNK(SAY("a")) "data: {\"id\":\"a\",\"choices\":[{\"index\":0,"
         "\"delta\":{\"content\":\"b\\u00", OTHER(SAY("a"))
         OTHER(SAY("b\xc3\xa9")) END, NULL},
        {"a tool's beginning", UNS_DIALECT_CHAT,
         CHUNK(SAY("a")) "data: {\"id\":\"a\",\"choices\":[{\"index\":0,"
         "\"delta\":{\"tool_c", OTHER(SAY("a")) OTHER(NAME("0", "y", "f"))
         END, "alls\":[{\"index\":0,\"id\":\"y\",\"type\":\"function\","
         "\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}}]}\n\n" END_A},
        {"gemini's array", UNS_DIALECT_GEMINI,
         "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}"
         "\n,\r\n{\"candidates\":[{\"fin",
         "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]},"
         "{\"candidates\":[{\"finishReason\":\"STOP\"}]}\n]",
         "ishReason\":\"STOP\"}]}\n]"},
    };
    /* clang-format on */

    (void)state;
    check(rows, ROWS(rows));
}

/* Behind the joint a stream is what it is, errors apart. */
static void test_joint_stops_at_an_error(void **state)
{
    static const char rival[] = OTHER(SAY("ab")) OTHER(
        SAY("c")) "data: {\"error\":{\"type\":\"oops\"}}\n\n" OTHER(SAY("d"));

    (void)state;
    for (size_t step = 0; step < 60; step++) {
        play_begin(&play, UNS_DIALECT_CHAT);
        play_tell(&play, CHUNK(SAY("a")), strlen(CHUNK(SAY("a"))));
        assert_null(uns_told_ready(&play.told));
        assert_int_equal(play_join(&play, UNS_JOINT_VERIFY, rival, step),
                         UNS_JOINT_FAILED);
        CHECK_TEXT("passed on", play.out,
                   CHUNK(SAY("a")) CHUNK(SAY("b")) CHUNK(SAY("c")));
        assert_memory_equal(play.joint.rest.data, "data: {\"error\"", 14);
        play_end(&play);
    }
}

static void test_joint_fails_before_the_joint(void **state)
{
    static const char *const rivals[] = {
        "data: {\"error\":{\"type\":\"oops\"}}\n\n",
        OTHER(SAY("a")) "data: {\"error\":{\"type\":\"oops\"}}\n\n",
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rivals); i++) {
        play_begin(&play, UNS_DIALECT_CHAT);
        play_tell(&play, CHUNK(SAY("ab")), strlen(CHUNK(SAY("ab"))));
        assert_null(uns_told_ready(&play.told));
        assert_int_equal(play_join(&play, UNS_JOINT_VERIFY, rivals[i], 0),
                         UNS_JOINT_FAILED);
        assert_int_equal(play.frames, 0);
        play_end(&play);
    }
}

/* What joined may stop, too: the next one is compared with all. */
static void test_joint_goes_on_twice(void **state)
{
    (void)state;
    play_begin(&play, UNS_DIALECT_CHAT);
    play_tell(&play, CHUNK(SAY("a")), strlen(CHUNK(SAY("a"))));
    assert_null(uns_told_ready(&play.told));
    uns_joint_init(&play.joint, &play.told, UNS_JOINT_VERIFY);
    uns_joint_to(&play.joint, play_pass, &play);
    uns_joint_feed(&play.joint, OTHER(SAY("ab")), strlen(OTHER(SAY("ab"))));
    uns_joint_done(&play.joint);
    assert_null(uns_told_ready(&play.told));
    assert_int_equal(
        play_join(&play, UNS_JOINT_VERIFY, OTHER(SAY("abc")) END, 0),
        UNS_JOINT_BEYOND);
    CHECK_TEXT("all", play.out,
               CHUNK(SAY("a")) CHUNK(SAY("b")) CHUNK(SAY("c")) END_A);
    play_end(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_joint_compares_each_text_by_itself),
        cmocka_unit_test(test_joint_compares_tools),
        cmocka_unit_test(test_joint_passes_frames_once),
        cmocka_unit_test(test_joint_matches_a_frame_that_was_cut),
        cmocka_unit_test(test_joint_stops_at_an_error),
        cmocka_unit_test(test_joint_fails_before_the_joint),
        cmocka_unit_test(test_joint_goes_on_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
