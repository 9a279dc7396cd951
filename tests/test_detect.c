/* SPDX-License-Identifier: MIT */
/* Which URLs are LLM endpoints: every row of the table of paths, its
 * exceptions, and the user's own additions. */
#include "check.h"
#include "core/detect.h"

static struct uns_url split(const char *url)
{
    struct uns_url out;

    CHECK_INT(url, uns_url_split(url, strlen(url), &out), true);
    return out;
}

static enum uns_dialect detect(const char *url)
{
    struct uns_url pieces = split(url);

    return uns_detect(&pieces, NULL);
}

#define CHAT        UNS_DIALECT_CHAT
#define COMPLETIONS UNS_DIALECT_COMPLETIONS
#define RESPONSES   UNS_DIALECT_RESPONSES
#define ANTHROPIC   UNS_DIALECT_ANTHROPIC
#define GEMINI      UNS_DIALECT_GEMINI
#define OLLAMA      UNS_DIALECT_OLLAMA
#define LLAMACPP    UNS_DIALECT_LLAMACPP
#define TGI         UNS_DIALECT_TGI
#define COHERE      UNS_DIALECT_COHERE
#define LMSTUDIO    UNS_DIALECT_LMSTUDIO
#define DASHSCOPE   UNS_DIALECT_DASHSCOPE
#define NONE        UNS_DIALECT_NONE

#define VERTEX "https://europe-west1-aiplatform.googleapis.com/v1/projects/p/"

struct row {
    const char *url;
    enum uns_dialect dialect;
    bool streams; /* by the URL alone */
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct uns_url url = split(rows[i].url);

        CHECK_INT(rows[i].url, uns_detect(&url, NULL), rows[i].dialect);
        CHECK_INT(rows[i].url, uns_detect_url_streams(&url, rows[i].dialect),
                  rows[i].streams);
    }
}

static void test_detect_knows_every_path(void **state)
{
    static const struct row rows[] = {
        {"https://h/v1/chat/completions", CHAT, false},
        {"https://h/v1/completions", COMPLETIONS, false},
        {"https://h/v1/fim/completions", COMPLETIONS, false},
        {"https://h/v1/responses", RESPONSES, false},
        {"https://h/v1/responses/resp_1?stream=true", RESPONSES, true},
        {"https://h/v1/responses/resp_1?starting_after=3&stream=true",
         RESPONSES, true},
        {"https://h/v1/messages", ANTHROPIC, false},
        {"https://h/v1/messages?beta=true", ANTHROPIC, false},
        {"https://h/v1beta/models/m:streamGenerateContent?alt=sse", GEMINI,
         true},
        {"https://h/v1beta/models/m:streamGenerateContent", GEMINI, true},
        {"https://h/v1beta/models/m:generateContent", GEMINI, false},
        {VERTEX "locations/l/publishers/anthropic/models/m:streamRawPredict",
         ANTHROPIC, true},
        {VERTEX "locations/l/publishers/anthropic/models/m:rawPredict",
         ANTHROPIC, false},
        {"http://h/api/chat", OLLAMA, false},
        {"http://h/api/generate", OLLAMA, false},
        {"http://h/completion", LLAMACPP, false},
        {"http://h/infill", LLAMACPP, false},
        {"http://h/generate_stream", TGI, true},
        {"http://h/generate", TGI, false},
        {"https://h/v2/chat", COHERE, false},
        {"https://api.cohere.com/v1/chat", COHERE, false},
        {"https://api.cohere.ai/v1/chat", COHERE, false},
        {"http://h/api/v1/chat", LMSTUDIO, false},
        {"https://h/api/v1/services/aigc/text-generation/generation", DASHSCOPE,
         false},
        {"https://h/api/v1/services/aigc/multimodal-generation/generation",
         DASHSCOPE, false},
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

static void test_detect_leaves_other_paths_alone(void **state)
{
    static const char *const rows[] = {
        "https://h/",
        "https://h",
        "https://h/v1/models",
        "https://h/v1/embeddings",
        "https://h/v1/messages/count_tokens",
        "https://h/v1/messages/batches",
        "https://h/v1/messages/batches/b/results",
        "https://h/v1/threads/t/messages",
        "https://h/v1/chat/completions/c",
        "https://h/v1/chat/completions/c/messages",
        "https://h/v1/responses/r",
        "https://h/v1/responses/r?stream=false",
        "https://h/v1/responses/r?xstream=true",
        "https://h/v1/responses/r/input_items?stream=true",
        "https://h/v1/responses/r/cancel",
        "https://h/v1/forms/f/responses",
        "https://h/v1/chat",
        "https://cohere.com.evil/v1/chat",
        "https://notcohere.com/v1/chat",
        "https://h/v1beta/models/m:countTokens",
        "https://h/v1/images/generate",
        "https://h/regenerate",
        "https://h/mychat/completionsx",
        "https://h/xmessages",
        "https://h/x?path=/v1/messages",
        "https://h/x#/v1/messages",
        "https://messages/",
        "https://h/model/m/converse-stream",
        "https://h/model/m/invoke-with-response-stream",
        "https://graph.facebook.com/v19.0/1/messages",
        "https://discord.com/api/v10/channels/1/messages",
        "https://ptb.discord.com/api/v10/channels/1/messages",
        "https://api.mailgun.net/v3/example.org/messages",
        "https://gmail.googleapis.com/gmail/v1/users/me/messages",
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i], detect(rows[i]), NONE);
}

static void test_detect_sees_through_spelling(void **state)
{
    static const struct row rows[] = {
        {"https://h/v1/chat/completions/", CHAT, false},
        {"https://h/v1/chat/completions//", CHAT, false},
        {"https://h//v1//chat/completions", CHAT, false},
        {"https://h/OpenAI/Deployments/d/Chat/Completions", CHAT, false},
        {"https://h/v1/chat/complet%69ons", CHAT, false},
        {"https://h/v1beta/models/m%3AstreamGenerateContent", GEMINI, true},
        {"https://h/v1beta/models/m%3astreamGenerateContent", GEMINI, true},
        {"https://h/v1/chat%2Fcompletions", NONE, false},
        {"https://h/v1/chat/completions%", NONE, false},
        {"https://h/v1/chat/completions%2", NONE, false},
        {"https://h/v1/chat/completions%zz", NONE, false},
        {"h:8080/v1/chat/completions", CHAT, false},
        {"http://u:p@[::1]:8000/v1/chat/completions?x#y", CHAT, false},
    };

    (void)state;
    check_rows(rows, ROWS(rows));
}

static void test_detect_looks_at_the_end_of_a_long_path(void **state)
{
    char url[2000];

    (void)state;
    for (size_t extra = 200; extra < 300; extra++) {
        memset(url, 'x', sizeof url);
        memcpy(url, "https://h/", 10);
        memcpy(url + 10 + extra, "/v1/messages", sizeof "/v1/messages");
        CHECK_INT(url, detect(url), ANTHROPIC);
    }
}

static void test_detect_takes_the_users_additions_first(void **state)
{
    static const struct {
        const char *extra, *url;
        enum uns_dialect dialect;
    } rows[] = {
        {"chat=https://h/llm*", "https://h/llm/ask", CHAT},
        {"chat=https://h/llm*", "https://h/other", NONE},
        {"anthropic=https://h/*", "https://h/v1/chat/completions", ANTHROPIC},
        {"!https://h/*", "https://h/v1/chat/completions", NONE},
        {"!https://h/*", "https://i/v1/chat/completions", CHAT},
        {"!https://h/a* chat=https://h/*", "https://h/a", NONE},
        {"!https://h/a* chat=https://h/*", "https://h/b", CHAT},
        {"chat=https://h/* !https://h/a*", "https://h/a", CHAT},
        {"  chat=https://h/*  ", "https://h/a", CHAT},
        {"openai-chat=https://h/*", "https://h/a", CHAT},
        {"nonsense=https://h/*", "https://h/v1/messages", ANTHROPIC},
        {"nonsense", "https://h/v1/messages", ANTHROPIC},
        {"! = !", "https://h/v1/messages", ANTHROPIC},
        {"ollama=*", "https://graph.facebook.com/messages", OLLAMA},
        {"", "https://h/v1/messages", ANTHROPIC},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_url url = split(rows[i].url);

        CHECK_INT(rows[i].extra, uns_detect(&url, rows[i].extra),
                  rows[i].dialect);
    }
}

static void test_detect_asks_the_url_only_for_its_own_dialect(void **state)
{
    struct uns_url url = split("https://h/m:streamGenerateContent");

    (void)state;
    assert_true(uns_detect_url_streams(&url, GEMINI));
    assert_false(uns_detect_url_streams(&url, CHAT));
}

static void test_detect_says_by_what(void **state)
{
    static const struct {
        const char *url, *mark;
    } rows[] = {
        {"https://h/V1/Chat/Completions/", "/chat/completions"},
        {"https://h/v1beta/models/m:streamGenerateContent?alt=sse",
         ":streamgeneratecontent"},
        {"https://h/v1/chat/completions/c", NULL},
        {"https://discord.com/api/messages", NULL},
        {"https://h/", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_url url = split(rows[i].url);

        CHECK_TEXT(rows[i].url, uns_detect_mark(&url), rows[i].mark);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_detect_knows_every_path),
        cmocka_unit_test(test_detect_says_by_what),
        cmocka_unit_test(test_detect_leaves_other_paths_alone),
        cmocka_unit_test(test_detect_sees_through_spelling),
        cmocka_unit_test(test_detect_looks_at_the_end_of_a_long_path),
        cmocka_unit_test(test_detect_takes_the_users_additions_first),
        cmocka_unit_test(test_detect_asks_the_url_only_for_its_own_dialect),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
