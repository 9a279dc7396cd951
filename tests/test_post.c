/* SPDX-License-Identifier: MIT */
/* What curl(1) is told, and what becomes of its answer.  A script stands in
 * for curl: no test here has a network. */
#include "cli/post.h"

#include "scratch.h"

#include <fcntl.h>

static const struct uns_export_header headers[] = {
    {{"authorization", 13}, "Bearer k\"e\\y"},
    {{"x-tenant: not this", 8}, "a b"},
};

static const struct uns_post request = {
    .url = "https://c.test/v1/traces?q=\"1\"",
    .header = headers,
    .headers = ROWS(headers),
    .body = "{\"resourceSpans\":[]}",
    .len = 20,
};

/* A program `curl` that runs `script`, in front of all others. */
static void stand_in(struct scratch *scratch, const char *script)
{
    char text[1024], path[PATH_MAX + 32];

    snprintf(text, sizeof text, "#!/bin/sh\ncd '%s'\n%s\n", scratch->dir,
             script);
    scratch_write(scratch, "curl", text, 0700);
    snprintf(path, sizeof path, "%s:/usr/bin:/bin", scratch->dir);
    assert_int_equal(setenv("PATH", path, 1), 0);
}

static struct uns_answer answer_of(struct scratch *scratch, const char *script)
{
    struct uns_answer answer;

    stand_in(scratch, script);
    uns_post_send(&request, &answer);
    return answer;
}

static char *text_of(struct scratch *scratch, const char *name)
{
    FILE *in = fopen(scratch_path(scratch, name), "r");
    char *text = calloc(1, 4096);

    assert_non_null(in);
    assert_true(fread(text, 1, 4095, in) > 0);
    fclose(in);
    return text;
}

static void test_post_config_quotes_url_and_headers(void **state)
{
    static const char *const want[] = {
        "\nurl = \"https://c.test/v1/traces?q=\\\"1\\\"\"\n",
        "\nheader = \"authorization: Bearer k\\\"e\\\\y\"\n",
        "\nheader = \"x-tenant: a b\"\n",
        "\nheader = \"Content-Type: application/json\"\n",
        "\ndata-binary = \"@-\"\n",
    };
    char *config = uns_post_config(&request);

    (void)state;
    for (size_t i = 0; i < ROWS(want); i++)
        if (strstr(config, want[i]) == NULL)
            fail_msg("%s is not in\n%s", want[i], config);
    free(config);
}

static void test_post_gives_body_and_config_to_curl(void **state)
{
    struct scratch *scratch = *state;
    struct uns_answer answer = answer_of(
        scratch, "cat >body; cat /dev/fd/3 >config; echo \"$*\" >words;"
                 " env >env; printf '{}\\n200'");
    char *config = uns_post_config(&request), *text;

    CHECK_INT("status", answer.status, 200);
    CHECK_TEXT("answer", answer.body, "{}");
    text = text_of(scratch, "body");
    CHECK_TEXT("body", text, request.body);
    free(text);
    text = text_of(scratch, "config");
    CHECK_TEXT("config", text, config);
    free(text);
    text = text_of(scratch, "words");
    CHECK_TEXT("words", text, "--disable --config /dev/fd/3\n");
    free(text);
    text = text_of(scratch, "env");
    assert_non_null(strstr(text, "UNSTALL=off\n"));
    assert_null(strstr(text, "UNSTALL=on\n"));
    free(text);
    free(config);
    free(answer.body);
}

static void test_post_reads_any_answer(void **state)
{
    static const struct {
        const char *name, *script;
        int status;
        const char *body, *error;
    } rows[] = {
        {"taken", "printf '{\"a\":1}\\n200'", 200, "{\"a\":1}", ""},
        {"no body", "printf '\\n202'", 202, "", ""},
        {"lines", "printf 'a\\nb\\n503'", 503, "a\nb", ""},
        {"no answer", "printf '\\n000'; echo 'curl: (7) refused' >&2; exit 7",
         0, "", "curl: (7) refused"},
        {"broke off", "printf 'half\\n200'; echo 'curl: (18) x' >&2; exit 18",
         0, "half", "curl: (18) x"},
        {"two lines of error", "printf '\\n000'; printf 'a\\nb' >&2; exit 1", 0,
         "", "a"},
        {"killed", "kill -9 $$", 0, "", "curl was killed"},
        {"silent", ":", 0, "", ""},
    };
    struct scratch *scratch = *state;

    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_answer answer = answer_of(scratch, rows[i].script);

        CHECK_INT(rows[i].name, answer.status, rows[i].status);
        CHECK_TEXT(rows[i].name, answer.body, rows[i].body);
        CHECK_TEXT(rows[i].name, answer.error, rows[i].error);
        free(answer.body);
    }
}

/* The status stands at the end of an answer of any length. */
static void test_post_reads_a_long_answer_to_its_end(void **state)
{
    struct scratch *scratch = *state;
    struct uns_answer answer = answer_of(
        scratch, "head -c 1000000 /dev/zero | tr '\\0' x; printf '\\n200'");

    CHECK_INT("status", answer.status, 200);
    assert_true(strlen(answer.body) < UNS_POST_ANSWER);
    free(answer.body);
}

static void test_post_tells_that_curl_is_missing(void **state)
{
    struct uns_answer answer;

    (void)state;
    assert_int_equal(setenv("PATH", "/nowhere", 1), 0);
    uns_post_send(&request, &answer);
    CHECK_INT("status", answer.status, 0);
    CHECK_TEXT("error", answer.error,
               "curl is needed and was not found in PATH");
    assert_null(answer.body);
}

static int open_descriptors(void)
{
    int count = 0;

    for (int fd = 0; fd < 100; fd++)
        count += fcntl(fd, F_GETFD) >= 0;
    return count;
}

static void test_post_leaves_no_descriptor(void **state)
{
    struct scratch *scratch = *state;
    int before = open_descriptors();
    struct uns_answer answer =
        answer_of(scratch, "ls -l /proc/$$/fd | grep -c memfd; printf 200");

    CHECK_INT("ours", open_descriptors(), before);
    CHECK_TEXT("body, errors and configuration", answer.body, "3");
    free(answer.body);
}

#define TEST(name) \
    cmocka_unit_test_setup_teardown(name, scratch_begin, scratch_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_post_config_quotes_url_and_headers),
        TEST(test_post_gives_body_and_config_to_curl),
        TEST(test_post_reads_any_answer),
        TEST(test_post_reads_a_long_answer_to_its_end),
        cmocka_unit_test(test_post_tells_that_curl_is_missing),
        TEST(test_post_leaves_no_descriptor),
    };

    assert_int_equal(setenv("UNSTALL", "on", 1), 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
