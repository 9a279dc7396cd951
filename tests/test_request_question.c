/* SPDX-License-Identifier: MIT */
/* P2: neither a path nor a common word in the body makes an LLM call. */
#include "check.h"
#include "core/request.h"

#include <string.h>

#define CHAT      "http://h/v1/chat/completions"
#define GEMINI    "http://h/models/m:streamGenerateContent"
#define DASHSCOPE "http://h/services/aigc/text-generation/generation"

static bool asks(const char *text, const char *extra, const char *body)
{
    struct uns_request request;
    struct uns_url url;

    assert_true(uns_url_split(text, strlen(text), &url));
    uns_request_read(&request, uns_detect(&url, extra), &url, body,
                     body ? strlen(body) : 0);
    return request.asks;
}

/* clang-format off */
static const struct {
    const char *url, *body;
    bool asks;
} rows[] = {
    {CHAT, "{\"messages\":[]}", true},
    {CHAT, "{\"messages\":\"hello\"}", false},
    {CHAT, "{\"prompt\":\"hello\"}", false},
    {CHAT, "{\"x\":{\"messages\":[]}}", false},
    {CHAT, "messages=[]", false},
    {CHAT, NULL, false},
    {"http://h/v1/completions", "{\"prompt\":[\"a\"],\"model\":\"m\"}", true},
    {"http://h/v1/completions", "{\"prompt\":\"a\",\"stream\":true}", true},
    {"http://h/v1/completions", "{\"prompt\":\"a\"}", false},
    {"http://h/v1/completions", "{\"messages\":[],\"model\":\"m\"}", false},
    {"http://h/openai/deployments/m/completions", "{\"prompt\":\"a\"}", true},
    {"http://api.openai.com/v1/completions", "{\"prompt\":\"a\"}", true},
    {"http://h/v1/responses", "{\"input\":\"a\",\"model\":\"m\"}", true},
    {"http://h/v1/responses", "{\"prompt\":{\"id\":\"p\"}}", true},
    {"http://h/v1/responses", "{\"previous_response_id\":\"r\"}", true},
    {"http://h/survey/responses", "{\"input\":\"a\"}", false},
    {"http://h/survey/responses", "{\"input\":\"a\",\"model\":\"m\"}", false},
    {"http://h/responses", "{\"input\":[{}],\"model\":\"m\"}", false},
    {"http://h/responses",
     "{\"input\":\"a\",\"model\":\"m\",\"stream\":\"b\"}", false},
    {"http://h/responses",
     "{\"input\":\"a\",\"model\":\"m\",\"stream\":false}", true},
    {"http://h/responses",
     "{\"input\":\"a\",\"model\":\"m\",\"instructions\":\"b\"}", true},
    {"http://h/llm/responses/",
     "{\"input\":[],\"model\":\"m\",\"max_output_tokens\":9}", true},
    {"http://h/a/responses", "{\"model\":\"m\",\"stream\":true}", false},
    {"http://h/v1/responses/", "{\"input\":[],\"model\":\"m\"}", true},
    {"http://h/api/V2/responses", "{\"input\":\"a\",\"model\":\"m\"}", true},
    {"http://h/OpenAI/responses?api-version=1",
     "{\"input\":\"a\",\"model\":\"m\"}", true},
    {"http://h/vision/responses", "{\"input\":\"a\",\"model\":\"m\"}", false},
    {"http://api.githubcopilot.com/responses",
     "{\"input\":\"a\",\"model\":\"m\"}", true},
    {"http://h/v1/responses", "{\"text\":\"a\",\"model\":\"m\"}", false},
    {"http://h/v1/messages", "{\"messages\":[],\"model\":\"m\"}", true},
    {"http://h/v1/messages", "{\"messages\":[],\"max_tokens\":9}", true},
    {"http://h/sms/3/messages", "{\"messages\":[{\"sender\":\"A\","
     "\"destinations\":[{\"to\":\"4179\"}],\"content\":{\"text\":\"hi\"}}]}",
     false},
    {"http://h/v1/messages", "{\"messages\":[\"a\",\"b\"]}", false},
    {"http://h/v1/messages", "{\"messages\":[],\"model\":null}", false},
    {"http://h/v1/messages", "{\"messages\":[{\"model\":\"m\"}]}", false},
    {"http://h/v1/messages", "{\"text\":\"to a chat room\"}", false},
    {"http://h/models/m:rawPredict",
     "{\"messages\":[],\"anthropic_version\":\"vertex\"}", true},
    {GEMINI, "{\"contents\":[]}", true},
    {GEMINI, "{}", false},
    {"http://h/api/chat", "{\"model\":\"m\"}", true},
    {"http://h/api/chat", "{\"text\":\"m\"}", false},
    {"http://h/completion", "{\"prompt\":\"m\",\"n_predict\":8}", true},
    {"http://h/course/3/completion", "{\"prompt\":\"m\",\"user\":3}", false},
    {"http://h/infill", "{\"input_prefix\":\"m\"}", true},
    {"http://h/generate", "{\"inputs\":\"m\"}", true},
    {"http://h/generate", "{\"input_ids\":[1]}", true},
    {"http://h/generate", "{\"text\":\"m\",\"sampling_params\":{}}", true},
    {"http://h/generate", "{\"text\":\"m\"}", false},
    {"http://h/generate", "{\"size\":[1]}", false},
    {"http://h/v2/chat", "{\"messages\":[],\"model\":\"m\"}", true},
    {"http://h/v2/chat", "{\"messages\":[]}", false},
    {"http://api.cohere.com/v1/chat", "{\"message\":\"a\"}", true},
    {"http://h/api/v1/chat", "{\"input\":\"a\",\"model\":\"m\"}", true},
    {"http://h/api/v1/chat", "{\"input\":\"a\"}", false},
    {DASHSCOPE, "{\"input\":{}}", true},
};

/* clang-format on */

static void test_question_makes_an_llm_call(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].body, asks(rows[i].url, NULL, rows[i].body),
                  rows[i].asks);
}

/* Whoever says what an endpoint speaks is believed. */
static void test_question_is_enough_where_the_user_says_so(void **state)
{
    static const char url[] = "http://h/ask", body[] = "{\"messages\":[]}";

    (void)state;
    CHECK_INT("said", asks(url, "anthropic=http://h/ask", body), true);
    CHECK_INT("unsaid", asks(url, NULL, body), false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_question_makes_an_llm_call),
        cmocka_unit_test(test_question_is_enough_where_the_user_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
