/* SPDX-License-Identifier: MIT */
/* Events that repeat the last one: the short way is taken, and comes to what
 * the long way (a byte at a time) comes to. */
#include "wire_rows.h"

#define CHAT(text) EV("{\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}")
#define ANTHROPIC(text)                                                        \
    NAMED("content_block_delta",                                               \
          "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":" \
          "\"text_delta\",\"text\":\"" text "\"}}")
#define RESPONSES(text)                                             \
    EV("{\"type\":\"response.output_text.delta\",\"delta\":\"" text \
       "\",\"logprobs\":[]}")
#define GEMINI(text)                                                           \
    EV("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"" text "\"}]}}]" \
       "}")
#define SIX(event) \
    event("a") event("b") event("c") event("d") event("e\\n") event("f")

static const struct {
    const char *name, *body;
    enum uns_dialect dialect;
    bool taken; /* the short way */
} rows[] = {
    {"chat", SIX(CHAT), UNS_DIALECT_CHAT, true},
    {"anthropic", SIX(ANTHROPIC), UNS_DIALECT_ANTHROPIC, true},
    {"responses", SIX(RESPONSES), UNS_DIALECT_RESPONSES, true},
    {"gemini", SIX(GEMINI), UNS_DIALECT_GEMINI, false},
};

static void test_repeat_comes_to_the_same(void **state)
{
    static struct watch whole, bytes;
    static struct uns_stream silent;

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const struct watch_body body = {rows[i].body, strlen(rows[i].body),
                                        rows[i].dialect, false, NULL};

        watch_whole(&whole, &body);
        watch_pieces(&bytes, &body, 0, 1);
        watch_same(rows[i].name, &whole, &bytes);
        CHECK_TEXT(rows[i].name, whole.text[UNS_KIND_TEXT], "abcde\nf");
        CHECK_INT(rows[i].name, whole.stream.repeat.prefix_len != 0,
                  rows[i].taken);
        CHECK_INT(rows[i].name, bytes.stream.repeat.prefix_len, 0);

        uns_stream_init(&silent, body.dialect, true, NULL);
        CHECK_INT(rows[i].name, uns_stream_feed(&silent, body.bytes, body.len),
                  UNS_NEWS_EVENT | UNS_NEWS_CONTENT);
        CHECK_INT(rows[i].name, silent.content, 6);
        CHECK_INT(rows[i].name, silent.events, 6);
    }
}

/* After an error a repeated chunk is counted, but is no progress. */
static void test_repeat_is_no_progress_after_an_error(void **state)
{
    static const char like[] = CHAT("a");
    static const char broke[] = EV("{\"error\":{\"type\":\"x\"}}");
    static struct uns_stream stream;

    (void)state;
    uns_stream_init(&stream, UNS_DIALECT_CHAT, true, NULL);
    for (int i = 0; i < 4; i++)
        uns_stream_feed(&stream, like, sizeof like - 1);
    uns_stream_feed(&stream, broke, sizeof broke - 1);
    for (int i = 0; i < 4; i++)
        CHECK_INT("after", uns_stream_feed(&stream, like, sizeof like - 1),
                  UNS_NEWS_EVENT);
    CHECK_INT("content", stream.content, 8);
    CHECK_TEXT("error", stream.error, "x");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repeat_comes_to_the_same),
        cmocka_unit_test(test_repeat_is_no_progress_after_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
