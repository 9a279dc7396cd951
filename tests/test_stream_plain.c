/* SPDX-License-Identifier: MIT */
/* Dialects whose events have no types: Gemini, Ollama, llama.cpp, TGI,
 * DashScope. */
#include "wire_rows.h"

/* clang-format off */
#define G(parts) "data: {\"candidates\":[{\"content\":{\"parts\":[" parts "],\"role\":\"model\"},\"index\":0}]}\r\n\r\n"
#define GSTOP "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}]},\"finishReason\":\"STOP\"}]}\r\n\r\n"

static const struct wire_row gemini[] = {
    {"text", G("{\"text\":\"Hi\"}") GSTOP, 1, 0, 0, "STOP", "", "done", {"Hi"}},
    {"thought after text", G("{\"text\":\"hm\",\"thought\":true}") GSTOP, 1, 0, 0, "STOP", "", "done", {[1] = "hm"}},
    {"thought before text", G("{\"thought\":true,\"text\":\"hm\"}") GSTOP, 1, 0, 0, "STOP", "", "done", {[1] = "hm"}},
    {"no thought", G("{\"thought\":false,\"text\":\"Hi\"}") GSTOP, 1, 0, 0, "STOP", "", "done", {"Hi"}},
    {"both in one event", G("{\"text\":\"hm\",\"thought\":true},{\"text\":\"Hi\"}") GSTOP, 1, 0, 0, "STOP", "", "done", {"Hi", "hm"}},
    {"signature", G("{\"text\":\"\",\"thoughtSignature\":\"QUE\"}") GSTOP, 0, 1, 0, "STOP", "", "done", {0}},
    {"call", G("{\"functionCall\":{\"name\":\"f\",\"args\":{\"a\": \"}\"}}}") GSTOP, 1, 0, 0, "STOP", "", "done", {[2] = "{\"a\": \"}\"}"}},
    {"call with empty args", G("{\"functionCall\":{\"name\":\"f\",\"args\":{}}}") GSTOP, 1, 0, 0, "STOP", "", "done", {[2] = "{}"}},
    {"call begins", G("{\"functionCall\":{\"name\":\"f\",\"willContinue\":true}}") GSTOP, 0, 1, 0, "STOP", "", "done", {0}},
    {"call ends", G("{\"functionCall\":{}}") GSTOP, 0, 0, 0, "STOP", "", "done", {0}},
    {"partial args", G("{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.a\",\"stringValue\":\"x\"}]}}")
        G("{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.b\",\"numberValue\":-1.5e3}]}}")
        G("{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.c\",\"boolValue\":true}]}}")
        G("{\"functionCall\":{\"partialArgs\":[{\"jsonPath\":\"$.d\",\"stringValue\":\"\"}]}}") GSTOP,
        3, 0, 0, "STOP", "", "done", {[2] = "x-1.5e3true"}},
    {"image", G("{\"inlineData\":{\"mimeType\":\"image/png\",\"data\":\"QUE=\"}}") GSTOP, 1, 0, 0, "STOP", "", "done", {0}},
    {"code", G("{\"executableCode\":{\"language\":\"PYTHON\",\"code\":\"1\"}}") G("{\"codeExecutionResult\":{\"outcome\":\"OUTCOME_OK\"}}") GSTOP,
        2, 0, 0, "STOP", "", "done", {0}},
    {"usage only", G("{\"text\":\"Hi\"}") GSTOP "data: {\"usageMetadata\":{\"promptTokenCount\":4}}\r\n\r\n", 1, 0, 0, "STOP", "", "done", {"Hi"}},
    {"max tokens", G("{\"text\":\"Hi\"}") EV("{\"candidates\":[{\"finishReason\":\"MAX_TOKENS\"}]}"), 1, 0, 0, "MAX_TOKENS", "", "done", {"Hi"}},
    {"blocked", EV("{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}"), 0, 0, 0, "blocked:SAFETY", "", "done", {0}},
    {"error", G("{\"text\":\"Hi\"}") EV("{\"error\":{\"code\":503,\"message\":\"m\",\"status\":\"UNAVAILABLE\"}}"),
        1, 0, 0, "", "mid:UNAVAILABLE", "error", {"Hi"}},
    {"error, raw at the end", G("{\"text\":\"Hi\"}") "{\r\n  \"error\": {\r\n    \"code\": 429,\r\n    \"status\": \"RESOURCE_EXHAUSTED\"\r\n  }\r\n}\r\n",
        1, 0, 0, "", "mid:RESOURCE_EXHAUSTED", "error", {"Hi"}},
    {"error in an array", "[{\"error\":{\"code\":400,\"status\":\"INVALID_ARGUMENT\"}}\n]", 0, 0, 0, "", "first:INVALID_ARGUMENT", "error", {0}},
    {"array", "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a}]\"}]}}]}\n,\r\n{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b\"}]},"
        "\"finishReason\":\"STOP\"}]}\n]", 2, 0, 0, "STOP", "", "done", {"a}]b"}},
    {"array, cut", "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n,\r\n{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"b",
        1, 0, 0, "", "mid:truncated", "truncated", {"a"}},
    {"array, broken", "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]}\n,{oops}\n,{\"candidates\":[{\"content\":{\"parts\":"
        "[{\"text\":\"b\"}]}}]}]", 1, 0, 0, "", "mid:truncated", "truncated", {"a"}},
    {"partner model's keepalive", EV(": keepalive") G("{\"text\":\"Hi\"}") GSTOP, 1, 0, 1, "STOP", "", "done", {"Hi"}},
};

#define OEND "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":true,\"done_reason\":\"stop\"}\n"

static const struct wire_row ollama[] = {
    {"chat", "{\"message\":{\"content\":\"Hi\"},\"done\":false}\n" OEND, 1, 0, 0, "stop", "", "done", {"Hi"}},
    {"thinking", "{\"message\":{\"content\":\"\",\"thinking\":\"hm\"},\"done\":false}\n" OEND, 1, 0, 0, "stop", "", "done", {[1] = "hm"}},
    {"tool", "{\"message\":{\"content\":\"\",\"tool_calls\":[{\"function\":{\"name\":\"f\",\"arguments\":{\"a\":1}}}]},\"done\":false}\n" OEND,
        1, 0, 0, "stop", "", "done", {[2] = "{\"a\":1}"}},
    {"tool without arguments", "{\"message\":{\"tool_calls\":[{\"function\":{\"name\":\"f\"}}]},\"done\":false}\n" OEND,
        1, 0, 0, "stop", "", "done", {0}},
    {"generate", "{\"response\":\"Hi\",\"done\":false}\n{\"response\":\"\",\"thinking\":\"hm\",\"done\":false}\n{\"response\":\"\",\"done\":true,\"done_reason\":\"length\"}\n",
        2, 0, 0, "length", "", "done", {"Hi", "hm"}},
    {"old server", "{\"response\":\"Hi\",\"done\":false}\n{\"response\":\"\",\"done\":true}\n", 1, 0, 0, "", "", "done", {"Hi"}},
    {"load", "{\"response\":\"\",\"done\":true,\"done_reason\":\"load\"}\n", 0, 0, 0, "load", "", "done", {0}},
    {"error", "{\"response\":\"Hi\",\"done\":false}\n{\"error\":\"boom\"}\n", 1, 0, 0, "", "mid:error", "error", {"Hi"}},
    {"error, first", "{\"error\":\"model not found\"}", 0, 0, 0, "", "first:error", "error", {0}},
    {"blank lines, CRLF", "\r\n{\"response\":\"Hi\",\"done\":false}\r\n\r\n \r\n{\"response\":\"\",\"done\":true,\"done_reason\":\"stop\"}\r\n",
        1, 0, 0, "stop", "", "done", {"Hi"}},
    {"a line that was cut", "{\"response\":\"Hi\n{\"response\":\"Ho\",\"done\":false}\n{\"response\":\"\",\"done\":true,\"done_reason\":\"stop\"}\n",
        1, 0, 1, "stop", "", "done", {"Ho"}},
    {"no last newline", "{\"response\":\"Hi\",\"done\":false}\n{\"response\":\"!\",\"done\":true,\"done_reason\":\"stop\"}",
        2, 0, 0, "stop", "", "done", {"Hi!"}},
    {"cut", "{\"response\":\"Hi\",\"done\":false}\n{\"respon", 1, 0, 0, "", "mid:truncated", "truncated", {"Hi"}},
};

static const struct wire_row llamacpp[] = {
    {"text", EV("{\"content\":\"Hi\",\"stop\":false}") EV("{\"content\":\"\",\"stop\":true,\"stop_type\":\"eos\"}"), 1, 0, 0, "eos", "", "done", {"Hi"}},
    {"running says none", EV("{\"content\":\"Hi\",\"stop\":false,\"stop_type\":\"none\"}") EV("{\"content\":\"\",\"stop\":true,\"stop_type\":\"limit\"}"),
        1, 0, 0, "limit", "", "done", {"Hi"}},
    {"old server", EV("{\"content\":\"Hi\",\"stop\":false}") EV("{\"content\":\"\",\"stop\":true,\"stopped_eos\":true}"), 1, 0, 0, "", "", "done", {"Hi"}},
    {"ping", ":\n\n" EV("{\"content\":\"\",\"stop\":true,\"stop_type\":\"word\"}"), 0, 0, 1, "word", "", "done", {0}},
    {"error", EV("{\"error\":{\"code\":500,\"message\":\"m\",\"type\":\"server_error\"}}"), 0, 0, 0, "", "first:server_error", "error", {0}},
    {"old error", "error: {\"code\":400,\"message\":\"m\",\"type\":\"invalid_request_error\"}\n\n", 0, 0, 0, "", "first:invalid_request_error", "error", {0}},
};

#define TOK(text, special, rest) EV("{\"index\":1,\"token\":{\"id\":5,\"text\":\"" text "\",\"special\":" special "}," rest "}")
#define GOING "\"generated_text\":null,\"details\":null"

static const struct wire_row tgi[] = {
    {"text", TOK("Hi", "false", GOING) TOK("</s>", "true", "\"generated_text\":\"Hi\",\"details\":{\"finish_reason\":\"eos_token\"}"),
        1, 0, 0, "eos_token", "", "done", {"Hi"}},
    {"special first", EV("{\"token\":{\"special\":true,\"text\":\"<s>\"}," GOING "}") TOK("!", "false", "\"generated_text\":\"!\",\"details\":{\"finish_reason\":\"length\"}"),
        1, 0, 0, "length", "", "done", {"!"}},
    {"empty answer", TOK("</s>", "true", "\"generated_text\":\"\",\"details\":null"), 0, 0, 0, "", "", "done", {0}},
    {"error", TOK("Hi", "false", GOING) EV("{\"error\":\"Model is overloaded\",\"error_type\":\"overloaded\"}"), 1, 0, 0, "", "mid:overloaded", "error", {"Hi"}},
};

#define D(content, finish) "id:1\nevent:result\n:HTTP_STATUS/200\ndata:{\"output\":{\"choices\":[{\"message\":{\"role\":\"assistant\"," content "},\"finish_reason\":\"" finish "\"}]}}\n\n"

static const struct wire_row dashscope[] = {
    {"text", D("\"content\":\"Hi\"", "null") D("\"content\":\"\"", "stop"), 1, 0, 0, "stop", "", "done", {"Hi"}},
    {"reasoning", D("\"content\":\"\",\"reasoning_content\":\"hm\"", "null") D("\"content\":\"\"", "stop"), 1, 0, 0, "stop", "", "done", {[1] = "hm"}},
    {"multimodal", D("\"content\":[{\"text\":\"Hi\"}]", "null") D("\"content\":[]", "stop"), 1, 0, 0, "stop", "", "done", {"Hi"}},
    {"tool", D("\"content\":\"\",\"tool_calls\":[{\"id\":\"c\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]", "null")
        D("\"content\":\"\",\"tool_calls\":[{\"id\":\"\",\"function\":{\"arguments\":\"{}\"}}]", "tool_calls"), 1, 1, 0, "tool_calls", "", "done", {[2] = "{}"}},
    {"text format", "data:{\"output\":{\"text\":\"Hi\",\"finish_reason\":\"null\"}}\n\ndata:{\"output\":{\"text\":\"\",\"finish_reason\":\"stop\"}}\n\n",
        1, 0, 0, "stop", "", "done", {"Hi"}},
    {"error", D("\"content\":\"Hi\"", "null") "id:2\nevent:error\n:HTTP_STATUS/429\ndata:{\"code\":\"Throttling\",\"message\":\"m\",\"request_id\":\"r\"}\n\n",
        1, 0, 0, "", "mid:Throttling", "error", {"Hi"}},
    {"error by its code alone", "data:{\"code\":\"InvalidApiKey\",\"message\":\"m\"}\n\n", 0, 0, 0, "", "first:InvalidApiKey", "error", {0}},
};

/* clang-format on */

static void test_gemini_parts(void **state)
{
    (void)state;
    wire_rows_check(gemini, ROWS(gemini), UNS_DIALECT_GEMINI);
}

static void test_ollama_lines(void **state)
{
    (void)state;
    wire_rows_check(ollama, ROWS(ollama), UNS_DIALECT_OLLAMA);
}

static void test_llamacpp_events(void **state)
{
    (void)state;
    wire_rows_check(llamacpp, ROWS(llamacpp), UNS_DIALECT_LLAMACPP);
}

static void test_tgi_tokens(void **state)
{
    (void)state;
    wire_rows_check(tgi, ROWS(tgi), UNS_DIALECT_TGI);
}

static void test_dashscope_events(void **state)
{
    (void)state;
    wire_rows_check(dashscope, ROWS(dashscope), UNS_DIALECT_DASHSCOPE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gemini_parts),
        cmocka_unit_test(test_ollama_lines),
        cmocka_unit_test(test_llamacpp_events),
        cmocka_unit_test(test_tgi_tokens),
        cmocka_unit_test(test_dashscope_events),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
