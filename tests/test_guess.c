/* SPDX-License-Identifier: MIT */
/* Bodies that say in which dialect they are, and those that do not.  (All
 * recorded streams are guessed in test_golden.c.) */
#include "check.h"
#include "core/guess.h"

#include <stdlib.h>

#define EV(json) "data: " json "\n\n"

static void test_guess_reads_the_first_clues(void **state)
{
    /* clang-format off */
    static const struct {
        const char *body;
        enum uns_dialect dialect;
    } rows[] = {
        {EV("{\"choices\":[],\"object\":\"\"}") EV("{\"choices\":[{\"delta\":{}}]}"), UNS_DIALECT_CHAT},
        {EV("{\"object\":\"chat.completion.chunk\",\"choices\":[]}"), UNS_DIALECT_CHAT},
        {"{\"object\":\"chat.completion\",\"choices\":[{\"message\":{\"content\":\"x\"}}]}", UNS_DIALECT_CHAT},
        {EV("{\"object\":\"text_completion\",\"choices\":[]}"), UNS_DIALECT_COMPLETIONS},
        {EV("{\"choices\":[{\"text\":\"x\"}]}"), UNS_DIALECT_COMPLETIONS},
        {EV("{\"type\":\"response.created\"}"), UNS_DIALECT_RESPONSES},
        {"data: {}\nevent: response.created\n\n", UNS_DIALECT_RESPONSES},
        {"{\"object\":\"response\",\"output\":[]}", UNS_DIALECT_RESPONSES},
        {EV("{\"type\":\"error\",\"code\":\"x\",\"message\":\"m\"}"), UNS_DIALECT_RESPONSES},
        {EV("{\"type\":\"error\",\"error\":{\"code\":\"x\"},\"sequence_number\":2}"), UNS_DIALECT_RESPONSES},
        {"event: message_start\ndata: {}\n\n", UNS_DIALECT_ANTHROPIC},
        {"{\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}", UNS_DIALECT_ANTHROPIC},
        {EV("{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}}"), UNS_DIALECT_ANTHROPIC},
        {"[{\"candidates\":[{\"content\":{}}]}]", UNS_DIALECT_GEMINI},
        {EV("{\"usageMetadata\":{}}"), UNS_DIALECT_GEMINI},
        {"{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}", UNS_DIALECT_GEMINI},
        {"{\"model\":\"m\",\"created_at\":\"t\",\"response\":\"x\",\"done\":false}\n", UNS_DIALECT_OLLAMA},
        {"{\"response\":\"x\",\"done\":false}\n", UNS_DIALECT_OLLAMA},
        {"{\"message\":{\"content\":\"x\"},\"done\":false}\n", UNS_DIALECT_OLLAMA},
        {"{\"error\":\"model not found\"}", UNS_DIALECT_OLLAMA},
        {EV("{\"content\":\"x\",\"stop\":false}"), UNS_DIALECT_LLAMACPP},
        {EV("{\"content\":\"\",\"stop\":true,\"stop_type\":\"eos\"}"), UNS_DIALECT_LLAMACPP},
        {EV("{\"token\":{\"text\":\"x\"},\"generated_text\":null}"), UNS_DIALECT_TGI},
        {"{\"error\":\"m\",\"error_type\":\"overloaded\"}", UNS_DIALECT_TGI},
        {EV("{\"type\":\"message-start\"}"), UNS_DIALECT_COHERE},
        {EV("{\"type\":\"chat.start\"}"), UNS_DIALECT_LMSTUDIO},
        {EV("{\"type\":\"message.delta\",\"content\":\"x\"}"), UNS_DIALECT_LMSTUDIO},
        {"id:1\nevent:result\n:HTTP_STATUS/200\ndata:{\"output\":{\"text\":\"x\"}}\n\n", UNS_DIALECT_DASHSCOPE},
        {"{\"code\":\"Throttling\",\"message\":\"m\",\"request_id\":\"r\"}", UNS_DIALECT_DASHSCOPE},
        {EV("{\"error\":{\"message\":\"m\",\"type\":\"t\"}}"), UNS_DIALECT_CHAT},
        {EV("[DONE]"), UNS_DIALECT_CHAT},
        {"event: message\n" EV("{\"choices\":[{\"delta\":{\"content\":\"x\"}}]}"), UNS_DIALECT_CHAT},
        {"event: result\n" EV("{\"token\":{\"text\":\"x\"}}"), UNS_DIALECT_TGI},
        {"{\"object\":\"response\",\"created_at\":1,\"output\":[]}", UNS_DIALECT_RESPONSES},
        {EV("{\"content\":\"x\",\"stop\":false}") EV("{\"error\":{\"message\":\"m\"}}"), UNS_DIALECT_LLAMACPP},
        {"{\"event_type\":\"stream-start\"}\n{\"event_type\":\"text-generation\",\"text\":\"x\"}\n", UNS_DIALECT_COHERE},
        {EV("{\"event_type\":\"step.delta\",\"delta\":{\"text\":\"x\"}}"), UNS_DIALECT_NONE},
        {"[{\"candidates\":[{\"content\":{}}]},\r\n{\"cand", UNS_DIALECT_GEMINI},
        {"{\"choices\":[{\"message\":{\"content\":\"x", UNS_DIALECT_CHAT},
        {"", UNS_DIALECT_NONE},
        {"<html></html>", UNS_DIALECT_NONE},
        {"{}", UNS_DIALECT_NONE},
        {": comment\n\n", UNS_DIALECT_NONE},
        {EV("{\"jsonrpc\":\"2.0\",\"result\":{\"content\":[]}}"), UNS_DIALECT_NONE},
    };

    /* clang-format on */

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(
            rows[i].body,
            uns_dialect_name(uns_guess(rows[i].body, strlen(rows[i].body))),
            uns_dialect_name(rows[i].dialect));
}

static void test_guess_sees_how_documents_are_cut(void **state)
{
    static const struct {
        const char *body;
        enum uns_framing framing;
    } rows[] = {
        {"{\"a\":1}\n{\"b\":2}\n", UNS_FRAMING_NDJSON},
        {"\xEF\xBB\xBF{\"a\":1}\r\n\r\n{\"b\"", UNS_FRAMING_NDJSON},
        {"{}{}", UNS_FRAMING_NDJSON},
        {"\n{\n \"a\": {}\n}\n", UNS_FRAMING_DOCUMENT},
        {"{\"a\":1}\n", UNS_FRAMING_UNKNOWN},
        {"{\n \"a\": {", UNS_FRAMING_UNKNOWN},
        {"{\"a\":1}\ndata: {}\n\n", UNS_FRAMING_UNKNOWN},
        {"[{},\n{}]", UNS_FRAMING_UNKNOWN},
        {"data: {}\n\n", UNS_FRAMING_UNKNOWN},
        {" \n", UNS_FRAMING_UNKNOWN},
        {"", UNS_FRAMING_UNKNOWN},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t len = strlen(rows[i].body);
        char *copy = malloc(len ? len : 1);

        assert_non_null(copy);
        memcpy(copy, rows[i].body, len);
        CHECK_INT(rows[i].body, uns_guess_framing(copy, len), rows[i].framing);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_guess_reads_the_first_clues),
        cmocka_unit_test(test_guess_sees_how_documents_are_cut),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
