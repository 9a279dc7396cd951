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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_request_replaces_the_model_alone),
        cmocka_unit_test(test_request_copies_no_body),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
