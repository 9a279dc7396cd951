/* SPDX-License-Identifier: MIT */
/* The chat dialect, its older sister, and what compatible servers make of it:
 * a case for each field and each known oddity. */
#include "wire_rows.h"

#define DELTA(json) EV("{\"choices\":[{\"index\":0,\"delta\":" json "}]}")
#define FINISH(word)                                                       \
    EV("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" word \
       "\"}]}")
#define STOP FINISH("stop") DONE
#define HI   DELTA("{\"content\":\"Hi\"}")

/* clang-format off */
static const struct wire_row content[] = {
    {"text", HI STOP, 1, 0, 0, "stop", "", "done", {"Hi"}},
    {"parts", DELTA("{\"content\":[{\"type\":\"thinking\",\"thinking\":[{"
        "\"type\":\"text\",\"text\":\"hm\"}]},{\"type\":\"text\",\"text\":"
        "\"ok\"}]}") STOP, 1, 0, 0, "stop", "", "done", {"ok", "hm"}},
    {"empty parts", DELTA("{\"content\":[{\"type\":\"thinking\",\"thinking\":"
        "[{\"type\":\"text\",\"text\":\"\"}]}]}") STOP,
        0, 0, 0, "stop", "", "done", {0}},
    {"reasoning_content", DELTA("{\"content\":null,\"reasoning_content\":"
        "\"hm\"}") STOP, 1, 0, 0, "stop", "", "done", {[1] = "hm"}},
    {"reasoning", DELTA("{\"reasoning\":\"hm\"}") STOP,
        1, 0, 0, "stop", "", "done", {[1] = "hm"}},
    {"reasoning twice told", DELTA("{\"reasoning\":\"hm\","
        "\"reasoning_details\":[{\"text\":\"hm\"},{\"summary\":\"hm\"}]}")
        STOP, 1, 0, 0, "stop", "", "done", {[1] = "hm"}},
    {"reasoning details alone", DELTA("{\"reasoning_details\":[{\"summary\":"
        "\"hm\"}]}") STOP, 1, 0, 0, "stop", "", "done", {[1] = "hm"}},
    {"details in parts", DELTA("{\"reasoning\":\"\",\"reasoning_details\":["
        "{\"text\":\"h\"},{\"text\":\"m\"}]}") STOP,
        1, 0, 0, "stop", "", "done", {[1] = "hm"}},
    {"reasoning by two names", DELTA("{\"reasoning_content\":\"hm\","
        "\"reasoning\":\"hm\"}") DELTA("{\"reasoning_content\":\"ah\","
        "\"reasoning\":\"ah\"}") STOP,
        2, 0, 0, "stop", "", "done", {[1] = "hmah"}},
    {"two names in two choices", EV("{\"choices\":[{\"index\":0,\"delta\":{"
        "\"reasoning\":\"a\"}},{\"index\":1,\"delta\":{"
        "\"reasoning_content\":\"b\"}}]}") DONE,
        1, 0, 0, "", "", "done", {[1] = "ab"}},
    {"reasoning as a summary", DELTA("{\"content\":[{\"type\":\"reasoning\","
        "\"summary\":[{\"text\":\"hm\",\"signature\":\"\"}]}]}") STOP,
        1, 0, 0, "stop", "", "done", {[1] = "hm"}},
    {"reasoning of Copilot", DELTA("{\"reasoning_text\":\"hm\"}")
        DELTA("{\"reasoning_opaque\":\"QUE\"}") STOP,
        1, 1, 0, "stop", "", "done", {[1] = "hm"}},
    {"tools of the server's own", DELTA("{\"executed_tools\":[{\"type\":"
        "\"search\",\"arguments\":\"{}\"}]}") STOP,
        0, 1, 0, "stop", "", "done", {0}},
    {"custom tool", DELTA("{\"tool_calls\":[{\"id\":\"c\",\"custom\":{"
        "\"name\":\"f\",\"input\":\"\"}}]}") DELTA("{\"tool_calls\":[{"
        "\"custom\":{\"input\":\"x\"}}]}") STOP,
        1, 1, 0, "stop", "", "done", {[2] = "x"}},
    {"encrypted", DELTA("{\"content\":\"\",\"reasoning_details\":[{\"type\":"
        "\"reasoning.encrypted\",\"data\":\"QUE\"}]}") STOP,
        0, 1, 0, "stop", "", "done", {0}},
    {"tool call", DELTA("{\"tool_calls\":[{\"index\":0,\"id\":\"c\","
        "\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}")
        DELTA("{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":"
        "\"{}\"}}]}") FINISH("tool_calls") DONE,
        1, 1, 0, "tool_calls", "", "done", {[2] = "{}"}},
    {"empty tool call", DELTA("{\"tool_calls\":[{\"index\":0,\"id\":\"\","
        "\"type\":\"function\",\"function\":{\"arguments\":\"\"}}]}") STOP,
        0, 0, 0, "stop", "", "done", {0}},
    {"arguments as object", DELTA("{\"tool_calls\":[{\"function\":{\"name\":"
        "\"f\",\"arguments\":{\"a\": [1,\"}\"]}}}]}") STOP,
        1, 0, 0, "stop", "", "done", {[2] = "{\"a\": [1,\"}\"]}"}},
    {"function call", DELTA("{\"function_call\":{\"name\":\"f\","
        "\"arguments\":\"\"}}") DELTA("{\"function_call\":{\"arguments\":"
        "\"{}\"}}") STOP, 1, 1, 0, "stop", "", "done", {[2] = "{}"}},
    {"refusal", DELTA("{\"refusal\":\"No.\"}") STOP,
        1, 0, 0, "stop", "", "done", {[3] = "No."}},
    {"empty refusal", DELTA("{\"refusal\":\"\",\"tool_calls\":null}") STOP,
        0, 0, 0, "stop", "", "done", {0}},
    {"audio", DELTA("{\"audio\":{\"id\":\"a\",\"data\":\"QUE=\"}}")
        DELTA("{\"audio\":{\"expires_at\":9}}") STOP,
        1, 0, 0, "stop", "", "done", {0}},
    {"image", DELTA("{\"images\":[{\"image_url\":{\"url\":\"data:x\"}}]}")
        STOP, 1, 0, 0, "stop", "", "done", {0}},
    {"role with content", DELTA("{\"role\":\"assistant\",\"content\":\"Hi\"}")
        STOP, 1, 0, 0, "stop", "", "done", {"Hi"}},
    {"role alone", DELTA("{\"role\":\"assistant\",\"content\":null}") STOP,
        0, 0, 0, "stop", "", "done", {0}},
    {"content twice in one event", EV("{\"choices\":[{\"index\":0,\"delta\":{"
        "\"content\":\"a\"}},{\"index\":1,\"delta\":{\"content\":\"b\"}}]}")
        DONE, 1, 0, 0, "", "", "done", {"ab"}},
};

static const struct wire_row noise[] = {
    {"usage", HI FINISH("stop") EV("{\"choices\":[],\"usage\":{"
        "\"prompt_tokens\":1}}") DONE, 1, 0, 0, "stop", "", "done", {"Hi"}},
    {"moderation", HI FINISH("stop") EV("{\"choices\":[],\"moderation\":{"
        "\"text\":\"x\",\"content\":\"y\"}}") DONE,
        1, 0, 0, "stop", "", "done", {"Hi"}},
    {"filter first", EV("{\"choices\":[],\"id\":\"\",\"created\":0,"
        "\"prompt_filter_results\":[{\"content\":\"x\"}]}") HI STOP,
        1, 0, 0, "stop", "", "done", {"Hi"}},
    {"annotation without delta", HI FINISH("length") EV("{\"choices\":[{"
        "\"index\":0,\"finish_reason\":null,\"content_filter_offsets\":{"
        "\"check_offset\":4}}]}") DONE,
        1, 0, 0, "length", "", "done", {"Hi"}},
    {"logprobs", EV("{\"choices\":[{\"delta\":{\"content\":\"\"},\"logprobs\":"
        "{\"content\":[{\"token\":\"x\"}],\"refusal\":\"x\"}}]}") STOP,
        0, 0, 0, "stop", "", "done", {0}},
    {"unknown keys", EV("{\"obfuscation\":\"zz\",\"x_groq\":{\"id\":\"r\"},"
        "\"citations\":[\"u\"],\"timings\":{\"content\":\"x\"},\"choices\":[{"
        "\"delta\":{},\"matched_stop\":1,\"token_ids\":[1,2]}]}") STOP,
        0, 0, 0, "stop", "", "done", {0}},
    {"progress", EV("{\"choices\":[{\"delta\":{}}],\"prompt_progress\":{"
        "\"total\":9}}") STOP, 0, 0, 0, "stop", "", "done", {0}},
    {"whole message in a chunk", EV("{\"choices\":[{\"delta\":{\"content\":"
        "\"Hi\"},\"message\":{\"content\":\"Hi\"}}]}") STOP,
        1, 0, 0, "stop", "", "done", {"Hi"}},
};

static const struct wire_row keepalives[] = {
    {"comment", ": OPENROUTER PROCESSING\n\n" HI ": x\n\n" STOP,
        1, 0, 2, "stop", "", "done", {"Hi"}},
    {"empty comment", ":\n\n" HI STOP, 1, 0, 1, "stop", "", "done", {"Hi"}},
    {"comment without a blank line", ": ping\n" HI STOP,
        1, 0, 1, "stop", "", "done", {"Hi"}},
    {"data keepalive", EV(": keepalive") HI STOP,
        1, 0, 1, "stop", "", "done", {"Hi"}},
    {"empty data", "data:\n\n" HI "data: \n\n" STOP,
        1, 0, 2, "stop", "", "done", {"Hi"}},
    {"event without data", "event: ping\n\n" HI STOP,
        1, 0, 0, "stop", "", "done", {"Hi"}},
    {"empty chunk", DELTA("{}") EV("{}") HI STOP,
        1, 0, 0, "stop", "", "done", {"Hi"}},
};

static const struct wire_row finishes[] = {
    {"on a content chunk", EV("{\"choices\":[{\"delta\":{\"content\":\"Hi\"},"
        "\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1}}"),
        1, 0, 0, "stop", "", "eof", {"Hi"}},
    {"absent until the end", HI DELTA("{\"content\":\"\"}") STOP,
        1, 0, 0, "stop", "", "done", {"Hi"}},
    {"repeated", HI FINISH("length") FINISH("length") DONE,
        1, 0, 0, "length", "", "done", {"Hi"}},
    {"never", HI DONE, 1, 0, 0, "", "", "done", {"Hi"}},
    {"a word of the provider's", HI FINISH("eos_token") DONE,
        1, 0, 0, "eos_token", "", "done", {"Hi"}},
    {"abort", HI FINISH("abort") DONE, 1, 0, 0, "abort", "", "done", {"Hi"}},
    {"error", HI FINISH("error"), 1, 0, 0, "", "mid:error", "error", {"Hi"}},
    {"one of two choices", EV("{\"choices\":[{\"index\":0,\"delta\":{"
        "\"content\":\"a\"}}]}") EV("{\"choices\":[{\"index\":1,\"delta\":{"
        "\"content\":\"b\"}}]}") FINISH("stop"),
        2, 0, 0, "stop", "mid:truncated", "truncated", {"ab"}},
    {"both choices", EV("{\"choices\":[{\"index\":0,\"delta\":{"
        "\"content\":\"a\"}}]}") EV("{\"choices\":[{\"index\":1,\"delta\":{"
        "\"content\":\"b\"}}]}") FINISH("stop") EV("{\"choices\":[{"
        "\"finish_reason\":\"length\",\"delta\":{},\"index\":1}]}"),
        2, 0, 0, "length", "", "eof", {"ab"}},
    {"none", HI, 1, 0, 0, "", "mid:truncated", "truncated", {"Hi"}},
    {"nothing at all", DELTA("{\"role\":\"assistant\"}"),
        0, 0, 0, "", "first:truncated", "truncated", {0}},
};

#define CHECKED(text, error) EV("{\"error\":{\"message\":\"" error "\"}," \
    "\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}")
#define BROKE "{\"error\":{\"message\":\"m\",\"type\":\"server_error\"}}"

static const struct wire_row errors[] = {
    {"first", EV(BROKE) DONE, 0, 0, 0, "", "first:server_error", "error", {0}},
    {"mid", HI EV(BROKE), 1, 0, 0, "", "mid:server_error", "error", {"Hi"}},
    {"after finish", HI FINISH("stop") EV(BROKE) DONE,
        1, 0, 0, "stop", "after_finish:server_error", "error", {"Hi"}},
    {"with choices", HI EV("{\"error\":{\"code\":502,\"message\":\"m\","
        "\"metadata\":{\"error_type\":\"x\",\"type\":\"y\"}},\"choices\":[{"
        "\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}"),
        1, 0, 0, "", "mid:502", "error", {"Hi"}},
    {"string", HI EV("{\"error\":\"boom\"}"),
        1, 0, 0, "", "mid:error", "error", {"Hi"}},
    {"that is none", EV("{\"error\":{},\"choices\":[]}")
        EV("{\"error\":\"\"}") EV("{\"error\":false}") EV("{\"error\":0}")
        EV("{\"error\":{\"code\":0,\"message\":\"\",\"more\":[{}]}}")
        HI STOP, 1, 0, 0, "stop", "", "done", {"Hi"}},
    {"of members we do not know", EV("{\"error\":{\"a\":{\"b\":[\"x\"]}}}"),
        0, 0, 0, "", "first:error", "error", {0}},
    {"that was none before", CHECKED("Hi", "") CHECKED("Hi", "")
        CHECKED("Hi", "boom"), 3, 0, 0, "", "mid:error", "error",
        {"HiHiHi"}},
    {"no wrapper", EV("{\"object\":\"error\",\"message\":\"m\",\"type\":"
        "\"BadRequestError\",\"param\":null,\"code\":400}") DONE,
        0, 0, 0, "", "first:BadRequestError", "error", {0}},
    {"nested object", EV("{\"error\":{\"object\":\"error\",\"message\":\"m\","
        "\"type\":\"abort\",\"code\":500}}") DONE,
        0, 0, 0, "", "first:abort", "error", {0}},
    {"typed", EV("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\""
        ",\"message\":\"m\"}}"),
        0, 0, 0, "", "first:overloaded_error", "error", {0}},
    {"flat", EV("{\"type\":\"error\",\"code\":\"rate_limit\",\"message\":"
        "\"m\"}"), 0, 0, 0, "", "first:rate_limit", "error", {0}},
    {"status", EV("{\"error\":{\"code\":503,\"message\":\"m\",\"status\":"
        "\"UNAVAILABLE\"}}"), 0, 0, 0, "", "first:UNAVAILABLE", "error", {0}},
    {"named event", HI NAMED("error", "{\"error\":{\"message\":\"m\",\"type\":"
        "\"invalid\",\"status_code\":400}}"),
        1, 0, 0, "", "mid:invalid", "error", {"Hi"}},
    {"named event, no type", HI NAMED("error", "{\"error\":{\"message\":"
        "\"m\"}}"), 1, 0, 0, "", "mid:error", "error", {"Hi"}},
    {"named event, no wrapper", HI NAMED("error", "{\"message\":\"m\","
        "\"type\":\"bad\"}"), 1, 0, 0, "", "mid:bad", "error", {"Hi"}},
    {"named event, no JSON", HI NAMED("error", "upstream is gone"),
        1, 0, 0, "", "mid:error", "error", {"Hi"}},
    {"field", HI "error: {\"code\":400,\"message\":\"m\",\"type\":\"big\"}\n\n"
        DONE, 1, 0, 0, "", "mid:big", "error", {"Hi"}},
    {"bare, first", BROKE, 0, 0, 0, "", "first:server_error", "error", {0}},
    {"bare, last", HI "{\n  \"error\": {\n    \"message\": \"a\\nb\",\n"
        "    \"type\": \"late\"\n  }\n}\n",
        1, 0, 0, "", "mid:late", "error", {"Hi"}},
    {"null is none", EV("{\"error\":null,\"choices\":[{\"delta\":{"
        "\"content\":\"Hi\"}}]}") STOP, 1, 0, 0, "stop", "", "done", {"Hi"}},
    {"told twice", EV(BROKE) EV("{\"error\":{\"type\":\"other\"}}"),
        0, 0, 0, "", "first:server_error", "error", {0}},
    {"in the text", DELTA("{\"content\":\"{\\\"error\\\":{}}\"}") STOP,
        1, 0, 0, "stop", "", "done", {"{\"error\":{}}"}},
};

static const struct wire_row completions[] = {
    {"text", EV("{\"object\":\"text_completion\",\"choices\":[{\"text\":"
        "\"Hi\",\"index\":0,\"finish_reason\":null}]}") EV("{\"choices\":[{"
        "\"text\":\"\",\"index\":0,\"finish_reason\":\"length\"}]}") DONE,
        1, 0, 0, "length", "", "done", {"Hi"}},
    {"fill in the middle", HI STOP, 1, 0, 0, "stop", "", "done", {"Hi"}},
    {"error", EV(BROKE) DONE, 0, 0, 0, "", "first:server_error", "error", {0}},
};
/* clang-format on */

#define TEST(name, table, dialect)                                  \
    static void name(void **state)                                  \
    {                                                               \
        (void)state;                                                \
        wire_rows_check(table, ROWS(table), UNS_DIALECT_##dialect); \
    }

TEST(test_chat_counts_every_payload, content, CHAT)
TEST(test_chat_does_not_count_noise, noise, CHAT)
TEST(test_chat_keepalives_are_no_content, keepalives, CHAT)
TEST(test_chat_finishes_when_all_choices_have, finishes, CHAT)
TEST(test_chat_errors_have_many_shapes, errors, CHAT)
TEST(test_completions_are_a_chat_without_delta, completions, COMPLETIONS)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chat_counts_every_payload),
        cmocka_unit_test(test_chat_does_not_count_noise),
        cmocka_unit_test(test_chat_keepalives_are_no_content),
        cmocka_unit_test(test_chat_finishes_when_all_choices_have),
        cmocka_unit_test(test_chat_errors_have_many_shapes),
        cmocka_unit_test(test_completions_are_a_chat_without_delta),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
