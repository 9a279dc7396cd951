/* SPDX-License-Identifier: MIT */
/* P1's other half: the body that a rival gets is the application's, byte for
 * byte, but for the value of `model`. */
#include "check.h"
#include "core/request.h"

static void test_request_replaces_the_model_alone(void **state)
{
    static const struct {
        const char *body, *model, *result;
    } rows[] = {
        {"{\"model\":\"gpt-4o\",\"n\":1.00}", "openai/gpt-4o",
         "{\"model\":\"openai/gpt-4o\",\"n\":1.00}"},
        {"{ \"x\" : 1e2 ,\n \"model\" : \"long-name\" }\n", "m",
         "{ \"x\" : 1e2 ,\n \"model\" : \"m\" }\n"},
        {"{\"model\":\"\"}", "m", "{\"model\":\"m\"}"},
        {"{\"model\":\"m\"}", "", "{\"model\":\"\"}"},
        {"{\"model\":\"m\"}", "a\"b\\c\x01\xc3\xa9",
         "{\"model\":\"a\\\"b\\\\c\\u0001\xc3\xa9\"}"},
        {"{\"a\":{\"model\":\"x\"},\"model\":\"m\"}", "y",
         "{\"a\":{\"model\":\"x\"},\"model\":\"y\"}"},
        {"{\"big\":123456789012345678901234567890,\"model\":\"m\"}", "y",
         "{\"big\":123456789012345678901234567890,\"model\":\"y\"}"},
        /* unchanged copies */
        {"{\"model\":\"m\"}", NULL, "{\"model\":\"m\"}"},
        {"{\"x\":1}", "y", "{\"x\":1}"},
        {"{\"model\":null}", "y", "{\"model\":null}"},
        {"{\"model\":\"m\"", "y", "{\"model\":\"m\""},
        {"model=m", "y", "model=m"},
        {"", "y", ""},
    };
    struct uns_url url;

    (void)state;
    assert_true(uns_url_split("h/v1/chat/completions", 21, &url));
    for (size_t i = 0; i < ROWS(rows); i++) {
        size_t len = strlen(rows[i].body);
        struct uns_request request;
        size_t size;
        char *out;

        uns_request_read(&request, UNS_DIALECT_CHAT, &url, rows[i].body, len);
        size = uns_request_size(&request, len, rows[i].model);
        CHECK_INT(rows[i].body, size, strlen(rows[i].result));
        out = test_malloc(size + (size == 0));
        uns_request_write(&request, rows[i].body, len, rows[i].model, out);
        CHECK_SLICE(rows[i].body, ((struct uns_slice){out, size}),
                    rows[i].result);
        test_free(out);
    }
}

static void test_request_copies_no_body(void **state)
{
    struct uns_request request;
    struct uns_url url;

    (void)state;
    assert_true(uns_url_split("h/v1/chat/completions", 21, &url));
    uns_request_read(&request, UNS_DIALECT_CHAT, &url, NULL, 0);
    assert_int_equal(uns_request_size(&request, 0, "m"), 0);
    uns_request_write(&request, NULL, 0, "m", NULL);
}

static void test_request_names_the_model_in_plain_text(void **state)
{
    static const struct row {
        const char *name, *url, *body, *model;
        size_t size;
    } rows[] = {
        {"plain", "h/v1/messages", "{\"model\":\"m-1\"}", "m-1", 16},
        {"slash", "h/v1/messages", "{\"model\":\"openai\\/gpt-4o\"}",
         "openai/gpt-4o", 16},
        {"quoted", "h/v1/messages", "{\"model\":\"\\u00e9\\\"\"}", "\xc3\xa9\"",
         16},
        {"control", "h/v1/messages", "{\"model\":\"a\\nb\"}", "a\nb", 16},
        {"half a pair", "h/v1/messages", "{\"model\":\"\\ud800\"}", "\\ud800",
         16},
        {"too long", "h/v1/messages", "{\"model\":\"123456789\"}", "123", 4},
        {"none", "h/v1/messages", "{}", "", 16},
        {"in the path", "h/openai/deployments/a%20b/chat/completions", "{}",
         "a%20b", 16},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_request request;
        struct uns_url url;
        char *out = test_malloc(rows[i].size);

        assert_true(uns_url_split(rows[i].url, strlen(rows[i].url), &url));
        uns_request_read(&request, UNS_DIALECT_CHAT, &url, rows[i].body,
                         strlen(rows[i].body));
        uns_request_model(&request, out, rows[i].size);
        CHECK_TEXT(rows[i].name, out, rows[i].model);
        test_free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request_replaces_the_model_alone),
        cmocka_unit_test(test_request_copies_no_body),
        cmocka_unit_test(test_request_names_the_model_in_plain_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
