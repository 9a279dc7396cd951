/* SPDX-License-Identifier: MIT */
/* Every recorded stream that came to its end is a body that says the same;
 * those that did not are none, or stop where they stopped. */
#include "golden.h"
#include "promote_play.h"
#include "wire_watch.h"

/* What cannot be put together, though it came to its end. */
static const char *const never[] = {
    "openai_chat_audio.sse",                 /* base64 in pieces */
    "openrouter_responses_comment_done.sse", /* its last event says nothing */
    "vertex_partial_args.sse",               /* arguments by paths */
};

static bool is_never(const char *name)
{
    for (size_t i = 0; i < ROWS(never); i++)
        if (strcmp(never[i], name) == 0)
            return true;
    return false;
}

/* A body says what its stream said. */
static void says(const char *name, enum uns_dialect dialect, const char *text,
                 const cJSON *want)
{
    static struct watch got;
    cJSON *json = cJSON_Parse(text);

    CHECK_INT(name, json != NULL, true);
    cJSON_Delete(json);
    watch_begin(&got, dialect, false, "application/json");
    (void)uns_stream_feed(&got.stream, text, strlen(text));
    (void)uns_stream_end(&got.stream);
    CHECK_TEXT(name, got.text[UNS_KIND_TEXT], golden_text(want, "text"));
    CHECK_TEXT(name, got.text[UNS_KIND_REASONING],
               golden_text(want, "reasoning"));
    CHECK_TEXT(name, got.text[UNS_KIND_REFUSAL], golden_text(want, "refusal"));
    CHECK_INT(name, strlen(got.text[UNS_KIND_TOOL_ARGS]) >= 2,
              strlen(golden_text(want, "tool_args")) >= 2);
}

static void check_one(const char *name, enum uns_dialect dialect,
                      const cJSON *want)
{
    if (strstr(name, "_document") != NULL)
        return; /* it is one already */
    struct play_body body = {.dialect = dialect};
    char *bytes = golden_read(name, &body.len);
    bool whole = !*golden_text(want, "error") && !is_never(name);
    struct play_result once, got;

    body.bytes = bytes;
    once = play_rebuild(&body);
    if (whole)
        CHECK_TEXT(name, uns_err_name(once.err), "OK");
    if (is_never(name))
        CHECK_TEXT(name, uns_err_name(once.err), "UNSUPPORTED");
    if (whole && strcmp(name, "frame_huge_line.sse") != 0)
        says(name, dialect, once.text, want);
    for (size_t step = 1; step < 400; step += 1 + step) {
        body.step = step;
        got = play_rebuild(&body);
        CHECK_INT(name, got.err, once.err);
        CHECK_TEXT(name, got.text, once.text);
        free(got.text);
    }
    free(once.text);
    free(bytes);
}

static void test_golden_streams_are_put_together(void **state)
{
    size_t len;
    char *text = golden_read("expected.json", &len);
    cJSON *all = cJSON_Parse(text);
    int count = 0;

    (void)state;
    assert_non_null(all);
    for (cJSON *want = all->child; want != NULL; want = want->next) {
        const char *word = golden_text(want, "dialect");
        enum uns_dialect dialect = uns_dialect_by_name(word, strlen(word));

        if (!uns_promote_can(dialect))
            continue;
        check_one(want->string, dialect, want);
        count++;
    }
    assert_true(count > 50);
    cJSON_Delete(all);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden_streams_are_put_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
