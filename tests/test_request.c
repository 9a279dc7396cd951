/* SPDX-License-Identifier: MIT */
/* What a request says: stream, model, and what keeps it where it is. */
#include "check.h"
#include "core/request.h"

#define CHAT_URL "https://h/v1/chat/completions"

static struct uns_request read_body(const char *address, const char *body)
{
    struct uns_request request;
    struct uns_url url;

    CHECK_INT(address, uns_url_split(address, strlen(address), &url), true);
    uns_request_read(&request, uns_detect(&url, NULL), &url, body,
                     body ? strlen(body) : 0);
    return request;
}

static void test_request_knows_whether_it_streams(void **state)
{
    static const struct {
        const char *url, *body;
        bool streams;
    } rows[] = {
        {CHAT_URL, "{\"stream\":true}", true},
        {CHAT_URL, "{\"stream\" : true }", true},
        {CHAT_URL, "{\"stream\":false}", false},
        {CHAT_URL, "{\"stream\":null}", false},
        {CHAT_URL, "{\"stream\":\"true\"}", false},
        {CHAT_URL, "{}", false},
        {CHAT_URL, "{\"x\":{\"stream\":true}}", false},
        {CHAT_URL, "{\"x\":\"\\\"stream\\\":true\"}", false},
        {"http://h/api/chat", "{}", true},
        {"http://h/api/chat", "{\"stream\":false}", false},
        {"http://h/api/chat", "{\"stream\":true}", true},
        {"https://h/models/m:streamGenerateContent", "{}", true},
        {"https://h/models/m:streamGenerateContent", "{\"stream\":false}",
         true},
        {"https://h/models/m:generateContent", "{\"stream\":true}", false},
        {"https://h/models/m:streamRawPredict", "{}", true},
        {"http://h/generate_stream", "{}", true},
        {"http://h/generate", "{}", false},
        {"http://h/generate", "{\"stream\":true}", true},
        {"https://h/v1/responses/r?stream=true", NULL, true},
        {"https://h/services/aigc/text-generation/generation",
         "{\"parameters\":{\"incremental_output\":true}}", true},
        {"https://h/services/aigc/text-generation/generation", "{}", false},
        {CHAT_URL, "{\"parameters\":{\"incremental_output\":true}}", false},
        {CHAT_URL, "not json", false},
        {"http://h/api/chat", "not json", true},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].body, read_body(rows[i].url, rows[i].body).streams,
                  rows[i].streams);
}

static void test_request_finds_its_model(void **state)
{
    static const struct {
        const char *url, *body, *model;
        bool in_body;
    } rows[] = {
        {CHAT_URL, "{\"model\":\"gpt-4o\"}", "gpt-4o", true},
        {CHAT_URL, "{\"a\":{\"model\":\"x\"},\"model\":\"y\"}", "y", true},
        {CHAT_URL, "{\"model\":\"y\",\"a\":[{\"model\":\"x\"}]}", "y", true},
        {CHAT_URL, "{\"model\":\"openai\\/gpt\"}", "openai\\/gpt", true},
        {CHAT_URL, "{\"model\":\"\"}", "", true},
        {CHAT_URL, "{\"model\":7}", "", false},
        {CHAT_URL, "{\"a\":\"model\"}", "", false},
        {CHAT_URL, "{\"model\":\"x\"", "", false},
        {CHAT_URL, "", "", false},
        {CHAT_URL, NULL, "", false},
        {"https://h/v1beta/models/gem-2:streamGenerateContent", "{}", "gem-2",
         false},
        {"https://h/v1beta/models/gem-2%3AstreamGenerateContent", "{}", "gem-2",
         false},
        {"https://h/publishers/anthropic/models/c@1:streamRawPredict", "{}",
         "c@1", false},
        {"https://h/openai/deployments/my-d/chat/completions?api-version=1",
         "{}", "my-d", false},
        {"https://h/openai/deployments/my-d/chat/completions",
         "{\"model\":\"m\"}", "m", true},
        {"https://h/v1/engines/e/completions", "{}", "e", false},
        {"https://h/models/chat/completions", "{}", "", false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_request request = read_body(rows[i].url, rows[i].body);

        CHECK_SLICE(rows[i].body, request.model, rows[i].model);
        CHECK_INT(rows[i].body, request.model_at != SIZE_MAX, rows[i].in_body);
        if (rows[i].in_body)
            CHECK_INT(rows[i].body,
                      request.model.data - rows[i].body ==
                          (ptrdiff_t)request.model_at,
                      true);
    }
}

enum {
    SEVERAL = 1,
    FIXED = 2,
    STATEFUL = 4,
    BOUND = 8,
    SECRET = 16
};

static int facts(const struct uns_request *request)
{
    return request->several * SEVERAL | request->deterministic * FIXED |
           request->stateful * STATEFUL | request->bound * BOUND |
           request->secret * SECRET;
}

struct fact_row {
    const char *body;
    int facts;
};

static void check_facts(const char *url, const struct fact_row *rows,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct uns_request request = read_body(url, rows[i].body);

        CHECK_INT(rows[i].body, facts(&request), rows[i].facts);
        CHECK_INT(rows[i].body, request.json, true);
    }
}

static void test_request_knows_how_it_is_sampled(void **state)
{
    static const struct fact_row rows[] = {
        {"{\"n\":1}", 0},
        {"{\"n\":1.0}", 0},
        {"{\"n\":0}", 0},
        {"{\"n\":null}", 0},
        {"{\"n\":2}", SEVERAL},
        {"{\"n\":10}", SEVERAL},
        {"{\"x\":{\"n\":2}}", 0},
        {"{\"parameters\":{\"n\":2}}", SEVERAL},
        {"{\"generationConfig\":{\"candidateCount\":2}}", SEVERAL},
        {"{\"generation_config\":{\"candidate_count\":2}}", SEVERAL},
        {"{\"num_generations\":3}", SEVERAL},
        {"{\"temperature\":0}", FIXED},
        {"{\"temperature\":0.0}", FIXED},
        {"{\"temperature\":0e9}", FIXED},
        {"{\"temperature\":-0}", FIXED},
        {"{\"temperature\":0.01}", 0},
        {"{\"temperature\":1}", 0},
        {"{\"temperature\":\"0\"}", 0},
        {"{\"seed\":42}", FIXED},
        {"{\"seed\":0}", FIXED},
        {"{\"seed\":-1}", 0},
        {"{\"seed\":null}", 0},
        {"{\"options\":{\"seed\":1}}", FIXED},
        {"{\"options\":{\"temperature\":0}}", FIXED},
        {"{\"parameters\":{\"seed\":1}}", FIXED},
        {"{\"generationConfig\":{\"temperature\":0}}", FIXED},
        {"{\"generationConfig\":{\"seed\":3}}", FIXED},
        {"{\"sampling_params\":{\"temperature\":0}}", FIXED},
        {"{\"random_seed\":3}", FIXED},
        {"{\"messages\":[{\"temperature\":0}]}", 0},
    };

    (void)state;
    check_facts(CHAT_URL, rows, ROWS(rows));
}

/* P3, P5: an escape that hides a name hides nothing. */
static void test_request_distrusts_a_disguised_key(void **state)
{
    static const struct fact_row rows[] = {
        {"{\"api\\u005fkey\":\"k\"}", STATEFUL | BOUND},
        {"{\"\\u006e\":2}", STATEFUL | BOUND},
        {"{\"x\":{\"\\u0041PIKEY\":\"k\"}}", STATEFUL | BOUND},
        {"{\"a\\\\u0041\":1}", 0},
        {"{\"\\u540d\\u524d\":1}", 0},
        {"{\"a\\/b\":1}", 0},
        {"{\"x\":\"\\u006e\"}", 0},
    };

    (void)state;
    check_facts(CHAT_URL, rows, ROWS(rows));
}

/* "Observed only": what a second request would do twice. */
static void test_request_tells_effects_at_the_provider(void **state)
{
    static const struct fact_row rows[] = {
        {"{\"background\":true}", STATEFUL},
        {"{\"background\":false}", 0},
        {"{\"conversation\":\"conv_1\"}", STATEFUL},
        {"{\"conversation\":{\"id\":\"conv_1\"}}", STATEFUL},
        {"{\"conversation\":null}", 0},
        {"{\"tools\":[{\"type\":\"function\"},{\"type\":\"mcp\"}]}", STATEFUL},
        {"{\"tools\":[{\"type\":\"computer_use_preview\"}]}", STATEFUL},
        {"{\"tools\":[{\"type\":\"shell\"}]}", STATEFUL},
        {"{\"tools\":[{\"type\":\"local_shell\"}]}", STATEFUL},
        {"{\"tools\":[{\"computerUse\":{}}]}", STATEFUL},
        {"{\"tools\":[{\"type\":\"web_search\"}]}", 0},
        {"{\"tools\":[{\"function\":{\"type\":\"mcp\"}}]}", 0},
        {"{\"messages\":[{\"type\":\"mcp\"}]}", 0},
    };

    (void)state;
    check_facts(CHAT_URL, rows, ROWS(rows));
}

/* "Self only": what another origin does not have. */
static void test_request_tells_what_binds_it_to_its_origin(void **state)
{
    static const struct fact_row rows[] = {
        {"{\"previous_response_id\":\"r\"}", BOUND},
        {"{\"previous_response_id\":null}", 0},
        {"{\"previous_response_id\":\"\"}", 0},
        {"{\"prompt\":{\"id\":\"pmpt_1\"}}", BOUND},
        {"{\"prompt\":\"hello\"}", 0},
        {"{\"input\":[{\"type\":\"item_reference\",\"id\":\"i\"}]}", BOUND},
        {"{\"input\":[{\"type\":\"message\"}]}", 0},
        {"{\"messages\":[{\"audio\":{\"id\":\"a\"}}]}", BOUND},
        {"{\"cachedContent\":\"cachedContents/1\"}", BOUND},
        {"{\"container\":\"c\"}", BOUND},
        {"{\"tools\":[{\"container\":\"cntr_1\"}]}", BOUND},
        {"{\"tools\":[{\"container\":{\"type\":\"auto\"}}]}", 0},
        {"{\"data_sources\":[{}]}", BOUND},
        {"{\"mcp_servers\":[{}]}", BOUND},
        {"{\"messages\":[{\"content\":[{\"file\":{\"file_id\":\"f\"}}]}]}",
         BOUND},
        {"{\"contents\":[{\"parts\":[{\"fileData\":{\"fileUri\":\"u\"}}]}]}",
         BOUND},
        {"{\"tools\":[{\"vector_store_ids\":[\"v\"]}]}", BOUND},
        {"{\"tools\":[{\"parameters\":{\"file_id\":{\"type\":\"string\"}}}]}",
         0},
        {"{\"input\":[{\"encrypted_content\":\"x\"}]}", BOUND},
        {"{\"model\":\"a\",\"model\":\"b\"}", BOUND},
    };

    (void)state;
    check_facts(CHAT_URL, rows, ROWS(rows));
}

/* P3: a body with a credential in it goes to no other house. */
static void test_request_tells_secrets_in_its_body(void **state)
{
    static const struct fact_row rows[] = {
        {"{\"api_key\":\"sk\"}", SECRET},
        {"{\"API-Key\":\"sk\"}", SECRET},
        {"{\"apiKey\":\"sk\"}", SECRET},
        {"{\"api_key\":\"\"}", 0},
        {"{\"api_key\":null}", 0},
        {"{\"tools\":[{\"authorization\":\"x\"}]}", SECRET},
        {"{\"tools\":[{\"headers\":{\"X-Any\":\"x\"}}]}", SECRET},
        {"{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":{\"g\":{\"h\":{\"i\":"
         "{\"authorization_token\":\"x\"}}}}}}}}}}",
         SECRET},
        {"{\"client_secret\":\"x\"}", SECRET},
        {"{\"access_token\":\"x\"}", SECRET},
        {"{\"password\":\"x\"}", SECRET},
        {"{\"p\":{\"password\":{\"type\":\"string\"}}}", 0},
        {"{\"max_tokens\":5}", 0},
        {"{\"keyboard\":\"x\"}", 0},
        {"{\"content\":\"my api_key is x\"}", 0},
        {"{\"messages\":[{\"role\":\"user\",\"content\":\"hi\"}]}", 0},
    };

    (void)state;
    check_facts(CHAT_URL, rows, ROWS(rows));
}

static void test_request_binds_a_body_that_it_cannot_read(void **state)
{
    static const char *const rows[] = {
        "",
        "[]",
        "{",
        "{\"stream\":true,\"n\":2,\"model\":\"m\"",
        "{\"stream\":true} trailing",
        "stream=true&model=m",
        "\"{}\"",
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_request request = read_body(CHAT_URL, rows[i]);

        CHECK_INT(rows[i], request.json, false);
        CHECK_INT(rows[i], facts(&request), BOUND);
        CHECK_INT(rows[i], request.model_at == SIZE_MAX, true);
    }
}

static void test_request_binds_bodies_of_vertex(void **state)
{
    struct uns_request request = read_body(
        "https://h/publishers/anthropic/models/c:streamRawPredict", "{}");

    (void)state;
    assert_true(request.bound);
    request = read_body("https://h/v1/messages", "{}");
    assert_false(request.bound);
    request = read_body("https://h/models/m:streamGenerateContent",
                        "{\"model\":\"models/m\"}");
    assert_true(request.bound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request_knows_whether_it_streams),
        cmocka_unit_test(test_request_finds_its_model),
        cmocka_unit_test(test_request_knows_how_it_is_sampled),
        cmocka_unit_test(test_request_distrusts_a_disguised_key),
        cmocka_unit_test(test_request_tells_effects_at_the_provider),
        cmocka_unit_test(test_request_tells_what_binds_it_to_its_origin),
        cmocka_unit_test(test_request_tells_secrets_in_its_body),
        cmocka_unit_test(test_request_binds_a_body_that_it_cannot_read),
        cmocka_unit_test(test_request_binds_bodies_of_vertex),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
