/* SPDX-License-Identifier: MIT */
/* Dialects whose events have types: Responses, Anthropic, Cohere, LM Studio. */
#include "wire_rows.h"

/* clang-format off */
#define R(type, more) NAMED("response." type, "{\"type\":\"response." type "\"" more "}")
#define COMPLETED R("completed", ",\"response\":{\"status\":\"completed\",\"error\":null,\"output\":[{\"content\":[{\"text\":\"Hi\"}]}]}")
#define RDELTA(what, text) R(what ".delta", ",\"output_index\":0,\"delta\":\"" text "\"")
#define ITEM(when, index, type, more) \
    R("output_item." when, ",\"output_index\":" index ",\"item\":{\"type\":\"" type "\"" more "}")
#define ONE(what, index, text) \
    {what, RDELTA(what, text) COMPLETED, 1, 0, 0, "completed", "", "done", {[index] = text}}

static const struct wire_row responses[] = {
    ONE("output_text", 0, "Hi"),
    ONE("refusal", 3, "No"),
    ONE("reasoning_text", 1, "hm"),
    ONE("reasoning_summary_text", 1, "hm"),
    ONE("function_call_arguments", 2, "{}"),
    ONE("custom_tool_call_input", 2, "x"),
    ONE("mcp_call_arguments", 2, "{}"),
    ONE("code_interpreter_call_code", 2, "1"),
    ONE("shell_call_command", 2, "ls"),
    ONE("apply_patch_call_operation_diff", 2, "+"),
    {"audio", RDELTA("audio", "QUE=") RDELTA("audio.transcript", "Hi") COMPLETED,
        2, 0, 0, "completed", "", "done", {[UNS_KIND_AUDIO] = "QUE=Hi"}},
    {"shell output", R("shell_call_output_content.delta", ",\"delta\":{\"stdout\":\"a\",\"stderr\":\"\"}") COMPLETED,
        1, 0, 0, "completed", "", "done", {[UNS_KIND_OTHER] = "a"}},
    {"a delta to come", RDELTA("telepathy", "x") COMPLETED,
        1, 0, 0, "completed", "", "done", {[UNS_KIND_OTHER] = "x"}},
    {"empty delta", RDELTA("output_text", "") COMPLETED, 0, 0, 0, "completed", "", "done", {0}},
    {"image", R("image_generation_call.partial_image", ",\"partial_image_b64\":\"QUE=\"") COMPLETED,
        1, 0, 0, "completed", "", "done", {0}},
    {"done repeats", R("output_item.added", ",\"item\":{\"type\":\"message\"}") RDELTA("output_text", "Hi")
        R("output_text.done", ",\"text\":\"Hi\"") R("content_part.done", ",\"part\":{\"text\":\"Hi\"}")
        R("output_item.done", ",\"item\":{\"type\":\"function_call\",\"arguments\":\"Hi\"}") COMPLETED,
        1, 0, 0, "completed", "", "done", {"Hi"}},
    {"done without a delta", R("output_item.added", ",\"item\":{\"type\":\"function_call\"}")
        R("function_call_arguments.done", ",\"arguments\":\"{}\"")
        R("output_item.done", ",\"item\":{\"type\":\"function_call\",\"arguments\":\"{}\"}") COMPLETED,
        1, 1, 0, "completed", "", "done", {[2] = "{}"}},
    {"each item for itself", RDELTA("output_text", "Hi") R("output_text.done", ",\"text\":\"Hi\"")
        R("output_item.added", ",\"item\":{\"type\":\"mcp_call\"}") R("mcp_call_arguments.done", ",\"arguments\":\"{}\"") COMPLETED,
        2, 1, 0, "completed", "", "done", {"Hi", [2] = "{}"}},
    {"calls that come whole", ITEM("added", "0", "local_shell_call", ",\"action\":{\"command\":[]}")
        ITEM("done", "0", "local_shell_call", ",\"action\":{\"command\":[\"ls\"]}")
        ITEM("added", "1", "mcp_approval_request", "") ITEM("done", "1", "mcp_approval_request", ",\"arguments\":\"{}\"")
        ITEM("added", "2", "program", ",\"code\":\"\"") ITEM("done", "2", "program", ",\"code\":\"f()\"")
        ITEM("added", "3", "function_call", "") ITEM("done", "3", "function_call", ",\"arguments\":\"[1]\"") COMPLETED,
        4, 4, 0, "completed", "", "done", {[2] = "{\"command\":[\"ls\"]}{}f()[1]"}},
    {"image that comes whole", ITEM("added", "0", "image_generation_call", ",\"result\":null")
        ITEM("done", "0", "image_generation_call", ",\"result\":\"QUE=\"") COMPLETED,
        1, 1, 0, "completed", "", "done", {0}},
    {"searches of the server's own", ITEM("added", "0", "web_search_call", "")
        ITEM("done", "0", "web_search_call", ",\"action\":{\"query\":\"q\"}") COMPLETED,
        0, 1, 0, "completed", "", "done", {0}},
    {"items take turns", ITEM("added", "0", "custom_tool_call", "")
        R("custom_tool_call_input.delta", ",\"output_index\":0,\"delta\":\"x\"") ITEM("added", "1", "message", "")
        ITEM("done", "0", "custom_tool_call", ",\"input\":\"x\"") COMPLETED,
        1, 1, 0, "completed", "", "done", {[2] = "x"}},
    {"call begins", R("output_item.added", ",\"item\":{\"type\":\"web_search_call\",\"id\":\"w\"}") COMPLETED,
        0, 1, 0, "completed", "", "done", {0}},
    {"progress", R("queued", "") R("in_progress", "") R("output_item.added", ",\"item\":{\"type\":\"reasoning\"}")
        R("content_part.added", ",\"part\":{\"text\":\"x\"}") R("web_search_call.searching", "")
        R("mcp_list_tools.completed", "") R("output_text.annotation.added", ",\"annotation\":{\"text\":\"x\"}") COMPLETED,
        0, 0, 0, "completed", "", "done", {0}},
    {"keepalive", EV("{\"type\":\"keepalive\",\"sequence_number\":4}") RDELTA("output_text", "Hi") COMPLETED,
        1, 0, 1, "completed", "", "done", {"Hi"}},
    {"incomplete", RDELTA("output_text", "Hi") R("incomplete", ",\"response\":{\"error\":null,\"incomplete_details\":{\"reason\":\"max_output_tokens\"}}"),
        1, 0, 0, "max_output_tokens", "", "done", {"Hi"}},
    {"incomplete, no reason", R("incomplete", ",\"response\":{\"incomplete_details\":null}"),
        0, 0, 0, "incomplete", "", "done", {0}},
    {"failed", RDELTA("output_text", "Hi") R("failed", ",\"response\":{\"error\":{\"code\":\"server_error\",\"message\":\"m\"}}"),
        1, 0, 0, "", "mid:server_error", "error", {"Hi"}},
    {"flat error", NAMED("error", "{\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"m\",\"param\":null}"),
        0, 0, 0, "", "first:rate_limit_exceeded", "error", {0}},
    {"flat error, no code", EV("{\"type\":\"error\",\"code\":null,\"message\":\"m\"}"), 0, 0, 0, "", "first:error", "error", {0}},
    {"nested error, then failed", NAMED("error", "{\"type\":\"error\",\"error\":{\"type\":\"a\",\"code\":\"b\"}}")
        R("failed", ",\"response\":{\"error\":{\"code\":\"c\"}}"), 0, 0, 0, "", "first:a", "error", {0}},
    {"type last, name after data", "data: {\"delta\":\"Hi\",\"type\":\"response.output_text.delta\"}\nevent: response.output_text.delta\n\n"
        "data: {\"response\":{},\"type\":\"response.completed\"}\nevent: response.completed\n\n",
        1, 0, 0, "completed", "", "done", {"Hi"}},
    {"type in the name alone", "data: {\"delta\":\"Hi\"}\nevent: response.output_text.delta\n\n"
        "event: response.completed\ndata: {}\n\n", 1, 0, 0, "completed", "", "done", {"Hi"}},
    {"no names, [DONE]", EV("{\"type\":\"response.output_text.delta\",\"delta\":\"Hi\"}")
        EV("{\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}") DONE,
        1, 0, 0, "completed", "", "done", {"Hi"}},
    {"cut", RDELTA("output_text", "Hi"), 1, 0, 0, "", "mid:truncated", "truncated", {"Hi"}},
};

#define A(type, more) NAMED(type, "{\"type\":\"" type "\"" more "}")
#define START  A("message_start", ",\"message\":{\"model\":\"m\",\"content\":[],\"stop_reason\":null}")
#define BLOCK(json)  A("content_block_start", ",\"index\":0,\"content_block\":" json)
#define BDELTA(json) A("content_block_delta", ",\"index\":0,\"delta\":" json)
#define END(why) A("message_delta", ",\"delta\":{\"stop_reason\":\"" why "\",\"stop_sequence\":null}") A("message_stop", "")
#define BEGUN(type) {type, START BLOCK("{\"type\":\"" type "\",\"data\":\"x\"}") END("end_turn"), \
        0, 1, 0, "end_turn", "", "done", {0}}

static const struct wire_row anthropic[] = {
    {"text", START BLOCK("{\"type\":\"text\",\"text\":\"\"}") BDELTA("{\"type\":\"text_delta\",\"text\":\"Hi\"}") END("end_turn"),
        1, 0, 0, "end_turn", "", "done", {"Hi"}},
    {"text in the block's start", START BLOCK("{\"type\":\"text\",\"text\":\"Hi\"}") END("end_turn"),
        1, 0, 0, "end_turn", "", "done", {"Hi"}},
    {"thinking", START BLOCK("{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}")
        BDELTA("{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}") BDELTA("{\"type\":\"thinking_delta\",\"thinking\":\"\"}")
        BDELTA("{\"type\":\"signature_delta\",\"signature\":\"QUE\"}") END("end_turn"),
        1, 1, 0, "end_turn", "", "done", {[1] = "hm"}},
    {"tool", START BLOCK("{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}")
        BDELTA("{\"type\":\"input_json_delta\",\"partial_json\":\"\"}") BDELTA("{\"type\":\"input_json_delta\",\"partial_json\":\"{}\"}")
        END("tool_use"), 1, 1, 0, "tool_use", "", "done", {[2] = "{}"}},
    BEGUN("server_tool_use"), BEGUN("mcp_tool_use"), BEGUN("redacted_thinking"), BEGUN("web_search_tool_result"),
    BEGUN("mcp_tool_result"), BEGUN("compaction"), BEGUN("fallback"), BEGUN("container_upload"),
    {"citation", START BDELTA("{\"type\":\"citations_delta\",\"citation\":{\"cited_text\":\"x\"}}") END("end_turn"),
        0, 1, 0, "end_turn", "", "done", {0}},
    {"compaction", START BDELTA("{\"type\":\"compaction_delta\",\"content\":\"x\"}") END("end_turn"),
        1, 0, 0, "end_turn", "", "done", {[UNS_KIND_OTHER] = "x"}},
    {"pings", START A("ping", "") BDELTA("{\"type\":\"text_delta\",\"text\":\"Hi\"}") A("ping", "") END("end_turn"),
        1, 0, 2, "end_turn", "", "done", {"Hi"}},
    {"refusal without a block", START END("refusal"), 0, 0, 0, "refusal", "", "done", {0}},
    {"overloaded, first", A("error", ",\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}"),
        0, 0, 0, "", "first:overloaded_error", "error", {0}},
    {"overloaded, mid", START BDELTA("{\"type\":\"text_delta\",\"text\":\"Hi\"}")
        A("error", ",\"error\":{\"type\":\"api_error\",\"message\":\"m\"},\"request_id\":\"r\""),
        1, 0, 0, "", "mid:api_error", "error", {"Hi"}},
    {"no stop", START BDELTA("{\"type\":\"text_delta\",\"text\":\"Hi\"}"), 1, 0, 0, "", "mid:truncated", "truncated", {"Hi"}},
    {"starts again", START BDELTA("{\"type\":\"text_delta\",\"text\":\"A\"}") START BDELTA("{\"type\":\"text_delta\",\"text\":\"B\"}")
        END("end_turn"), 2, 0, 0, "end_turn", "", "done", {"B"}},
    {"padded", "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"delta\":{\"text\":\"Hi\"}   }\n\n" END("end_turn"),
        1, 0, 0, "end_turn", "", "done", {"Hi"}},
};

#define C(type, more) NAMED(type, "{\"type\":\"" type "\"" more "}")
#define MSG(json) ",\"index\":0,\"delta\":{\"message\":" json "}"
#define CEND(why) C("message-end", ",\"delta\":{\"finish_reason\":\"" why "\"}")

static const struct wire_row cohere[] = {
    {"text", C("message-start", MSG("{\"content\":[],\"tool_plan\":\"\"}")) C("content-start", MSG("{\"content\":{\"text\":\"\"}}"))
        C("content-delta", MSG("{\"content\":{\"text\":\"Hi\"}}")) C("content-end", "") CEND("COMPLETE"),
        1, 0, 0, "COMPLETE", "", "done", {"Hi"}},
    {"thinking", C("content-delta", MSG("{\"content\":{\"thinking\":\"hm\"}}")) CEND("MAX_TOKENS") DONE,
        1, 0, 0, "MAX_TOKENS", "", "done", {[1] = "hm"}},
    {"tool", C("tool-plan-delta", MSG("{\"tool_plan\":\"hm\"}"))
        C("tool-call-start", MSG("{\"tool_calls\":{\"id\":\"t\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}}"))
        C("tool-call-delta", MSG("{\"tool_calls\":{\"function\":{\"arguments\":\"{}\"}}}")) C("tool-call-end", "") CEND("TOOL_CALL"),
        2, 1, 0, "TOOL_CALL", "", "done", {[1] = "hm", "{}"}},
    {"error", C("content-delta", MSG("{\"content\":{\"text\":\"Hi\"}}")) CEND("ERROR"), 1, 0, 0, "", "mid:ERROR", "error", {"Hi"}},
    {"timeout", CEND("TIMEOUT"), 0, 0, 0, "", "first:TIMEOUT", "error", {0}},
};

#define L(type, more) NAMED(type, "{\"type\":\"" type "\"" more "}")

static const struct wire_row lmstudio[] = {
    {"text", L("chat.start", "") L("model_load.progress", ",\"progress\":0.5") L("prompt_processing.end", "")
        L("reasoning.delta", ",\"content\":\"hm\"") L("message.delta", ",\"content\":\"Hi\"") L("message.end", "")
        L("chat.end", ",\"result\":{\"output\":[{\"content\":\"Hi\"}]}"),
        2, 0, 0, "end", "", "done", {"Hi", "hm"}},
    {"tool", L("tool_call.start", ",\"tool\":\"f\"") L("tool_call.arguments", ",\"arguments\":{\"a\":1}")
        L("tool_call.success", ",\"arguments\":{\"a\":1},\"output\":\"x\"") L("chat.end", ""),
        1, 1, 0, "end", "", "done", {[2] = "{\"a\":1}"}},
    {"error", L("message.delta", ",\"content\":\"Hi\"") L("error", ",\"error\":{\"type\":\"internal\",\"message\":\"m\"}"),
        1, 0, 0, "", "mid:internal", "error", {"Hi"}},
    {"error without a type", NAMED("error", "{\"error\":{\"message\":\"m\"}}"), 0, 0, 0, "", "first:error", "error", {0}},
    {"content of another event", L("chat.start", ",\"content\":\"x\"") L("chat.end", ""), 0, 0, 0, "end", "", "done", {0}},
};

/* clang-format on */

static void test_responses_events_by_type(void **state)
{
    (void)state;
    wire_rows_check(responses, ROWS(responses), UNS_DIALECT_RESPONSES);
}

static void test_anthropic_events_by_type(void **state)
{
    (void)state;
    wire_rows_check(anthropic, ROWS(anthropic), UNS_DIALECT_ANTHROPIC);
}

static void test_cohere_events_by_type(void **state)
{
    (void)state;
    wire_rows_check(cohere, ROWS(cohere), UNS_DIALECT_COHERE);
}

static void test_lmstudio_events_by_type(void **state)
{
    (void)state;
    wire_rows_check(lmstudio, ROWS(lmstudio), UNS_DIALECT_LMSTUDIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_responses_events_by_type),
        cmocka_unit_test(test_anthropic_events_by_type),
        cmocka_unit_test(test_cohere_events_by_type),
        cmocka_unit_test(test_lmstudio_events_by_type),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
