/* SPDX-License-Identifier: MIT */
/* Where a request goes at another source, and what never goes with it. */
#include "check.h"
#include "core/request.h"

static const char *url_of(const char *address, const char *body,
                          const char *base_url, const char *model)
{
    static char out[600];
    struct uns_request request;
    struct uns_url url;
    enum uns_err err;

    CHECK_INT(address, uns_url_split(address, strlen(address), &url), true);
    uns_request_read(&request, uns_detect(&url, NULL), &url, body,
                     strlen(body));
    err = uns_request_url(&request, &url, base_url, model,
                          (struct uns_room){out, sizeof out});
    return err ? uns_err_name(err) : out;
}

#define BODY   "{\"model\":\"m\",\"stream\":true}"
#define CC     "/chat/completions"
#define STREAM ":streamGenerateContent"

static void test_request_url_takes_the_suffix_of_its_dialect(void **state)
{
    static const struct {
        const char *url, *base, *result;
    } rows[] = {
        {"https://h/v1" CC, "https://b/v1", "https://b/v1" CC},
        {"https://h/v1" CC, "https://b/v1/", "https://b/v1" CC},
        {"https://h/v1" CC, "https://b/v1//", "https://b/v1" CC},
        {"https://h/v1" CC "/", "https://b", "https://b" CC},
        {"https://h/v1/completions", "https://b/v1",
         "https://b/v1/completions"},
        {"https://h/v1/fim/completions", "https://b/v1",
         "https://b/v1/fim/completions"},
        {"https://h/v1/responses", "https://b/v1", "https://b/v1/responses"},
        {"https://h/v1/messages", "https://b/v1", "https://b/v1/messages"},
        {"http://h/api/chat", "http://b", "http://b/api/chat"},
        {"http://h/api/generate", "http://b", "http://b/api/generate"},
        {"http://h/completion", "http://b", "http://b/completion"},
        {"http://h/infill", "http://b", "http://b/infill"},
        {"http://h/generate_stream", "http://b", "http://b/generate_stream"},
        {"http://h/generate", "http://b", "http://b/generate"},
        {"https://h/v2/chat", "https://b/v2", "https://b/v2/chat"},
        {"http://h/api/v1/chat", "http://b/api/v1", "http://b/api/v1/chat"},
        {"https://h/api/v1/services/aigc/multimodal-generation/generation",
         "https://b/api/v1",
         "https://b/api/v1/services/aigc/multimodal-generation/generation"},
        {"https://h/api/v1/services/aigc/text-generation/generation",
         "https://b/api/v1",
         "https://b/api/v1/services/aigc/text-generation/generation"},
        {"https://h/v1beta/models/m" STREAM, "https://b/v1beta",
         "https://b/v1beta/models/m" STREAM},
        {"https://h/v1beta/models/m:generateContent", "https://b/v1beta",
         "https://b/v1beta/models/m:generateContent"},
        {"https://h/v1/x/y", "https://b/v1", "UNSUPPORTED"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(rows[i].url, url_of(rows[i].url, BODY, rows[i].base, NULL),
                   rows[i].result);
}

static void test_request_url_puts_the_model_in_its_place(void **state)
{
    static const struct {
        const char *url, *body, *base, *model, *result;
    } rows[] = {
        {"https://h/models/a" STREAM, "{}", "https://b", "c d:e",
         "https://b/models/c%20d%3Ae" STREAM},
        {"https://h/models/a%20b" STREAM, "{}", "https://b", NULL,
         "https://b/models/a%20b" STREAM},
        {"https://h/v1" CC, "{\"model\":\"x\\/y\"}",
         "https://b/deployments/{model}", NULL, "https://b/deployments/x/y" CC},
        {"https://h/v1" CC, "{\"model\":\"x\"}",
         "https://b/deployments/{model}?api-version=1", "z",
         "https://b/deployments/z" CC "?api-version=1"},
        {"https://h/v1" CC, "{\"model\":\"\\ud800\"}", "https://b", NULL,
         "UNSUPPORTED"},
        {"https://h/v1" CC, "{}", "https://b", NULL, "https://b" CC},
        /* the body has no model to send along */
        {"https://h/deployments/d" CC, "{}", "https://b/v1", NULL,
         "UNSUPPORTED"},
        {"https://h/deployments/d" CC, "{}", "https://b/v1", "x",
         "UNSUPPORTED"},
        {"https://h/deployments/d" CC, "{}", "https://b/deployments/e", NULL,
         "https://b/deployments/e" CC},
        {"https://h/deployments/d" CC, "{}", "https://b/{model}", NULL,
         "https://b/d" CC},
        {"https://h/deployments/d" CC, "{\"model\":\"m\"}", "https://b/v1",
         NULL, "https://b/v1" CC},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(
            rows[i].url,
            url_of(rows[i].url, rows[i].body, rows[i].base, rows[i].model),
            rows[i].result);
}

/* P3 */
static void test_request_url_leaves_secrets_behind(void **state)
{
    static const struct {
        const char *query, *result;
    } rows[] = {
        {"", ""},
        {"?", ""},
        {"?alt=sse", "?alt=sse"},
        {"?alt=sse&key=AIza", "?alt=sse"},
        {"?key=AIza&alt=sse", "?alt=sse"},
        {"?key=AIza", ""},
        {"?KEY=AIza", ""},
        {"?k%65y=AIza", ""},
        {"?api_key=x&api-key=x&apikey=x&x-api-key=x", ""},
        {"?subscription-key=x&access_token=x&token=x", ""},
        {"?sig=x&signature=x&X-Amz-Signature=x&X-Goog-Credential=x", ""},
        {"?code=x&password=x&client_secret=x&auth=x&Authorization=x", ""},
        {"?api-version=1&beta=true", "?api-version=1&beta=true"},
        {"?a&b=&&=c&d=e", "?b=&d=e"},
        {"?a=1#key=2", "?a=1"},
    };

    char url[200];
    char wanted[200];

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        strcpy(url, "https://user:pass@h/v1" CC);
        strcat(url, rows[i].query);
        strcpy(wanted, "https://b" CC);
        strcat(wanted, rows[i].result);
        CHECK_TEXT(rows[i].query, url_of(url, BODY, "https://b", NULL), wanted);
    }
}

static void test_request_url_prefers_the_sources_own_query(void **state)
{
    (void)state;
    CHECK_TEXT("query",
               url_of("https://h/v1" CC "?api-version=1&x=2", BODY,
                      "https://b/v1/?api-version=9#frag", NULL),
               "https://b/v1" CC "?api-version=9&x=2");
}

static void test_request_url_fits_or_says_so(void **state)
{
    static const char wanted[] = "https://b/v1/models/mm" STREAM "?alt=sse";
    struct uns_request request;
    struct uns_url url;
    const char *text = "https://h/models/m" STREAM "?alt=sse";

    (void)state;
    assert_true(uns_url_split(text, strlen(text), &url));
    uns_request_read(&request, UNS_DIALECT_GEMINI, &url, "{}", 2);
    for (size_t size = 0; size <= sizeof wanted; size++) {
        char *out = test_malloc(size + (size == 0));
        enum uns_err err = uns_request_url(&request, &url, "https://b/v1", "mm",
                                           (struct uns_room){out, size});

        CHECK_INT("err", err, size < sizeof wanted ? UNS_TOOBIG : UNS_OK);
        if (err == UNS_OK)
            CHECK_TEXT("url", out, wanted);
        test_free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request_url_takes_the_suffix_of_its_dialect),
        cmocka_unit_test(test_request_url_puts_the_model_in_its_place),
        cmocka_unit_test(test_request_url_leaves_secrets_behind),
        cmocka_unit_test(test_request_url_prefers_the_sources_own_query),
        cmocka_unit_test(test_request_url_fits_or_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
