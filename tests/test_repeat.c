/* SPDX-License-Identifier: MIT */
/* Events that repeat the last one: the short way is taken, and comes to what
 * the long way (a byte at a time) comes to. */
#include "core/repeat.h"
#include "wire_rows.h"

#include <stdio.h>
#include <stdlib.h>

#define CHAT(text) EV("{\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}")
#define ANTHROPIC(text)                                                        \
    NAMED("content_block_delta",                                               \
          "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":" \
          "\"text_delta\",\"text\":\"" text "\"}}")
#define RESPONSES(text)                                                      \
    EV("{\"type\":\"response.output_text.delta\",\"sequence_number\":1" text \
       "9,\"delta\":\"" text "\",\"logprobs\":[],\"obfuscation\":\"x" text   \
       "\"}")
#define GEMINI(text)                                                           \
    EV("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"" text "\"}]}}]" \
       "}")
#define USAGE(text)                                                     \
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"" text \
    "\"}],"                                                             \
    "\"role\":\"model\"},\"index\":0}],\"usageMetadata\":{"             \
    "\"promptTokenCount\":8,"                                           \
    "\"candidatesTokenCount\":1" text ",\"totalTokenCount\":2" text     \
    ",\"thoughtsTokenCount\":3" text "},\"modelVersion\":\"g\"}\r\n\r\n"
#define OLLAMA(text)                               \
    "{\"model\":\"m\",\"created_at\":\"2026-" text \
    "\",\"message\":{\"role\":\"assistant\",\"content\":\"" text "\"}}\n"
#define SIX(event) \
    event("1") event("2") event("3") event("4") event("55") event("6")

/* As the stream does it: the event that the input begins with is eaten. */
static unsigned use(struct uns_stream *stream, struct uns_slice *input)
{
    size_t len = uns_repeat_find(stream, *input);
    unsigned news = len ? uns_repeat_use(stream, input->data, len) : 0;

    input->data += len;
    input->len -= len;
    return news;
}

/* Every event repeats the first. */
static const struct {
    const char *name, *body;
    enum uns_dialect dialect;
} alike[] = {
    {"chat", SIX(CHAT), UNS_DIALECT_CHAT},
    {"anthropic", SIX(ANTHROPIC), UNS_DIALECT_ANTHROPIC},
    {"responses", SIX(RESPONSES), UNS_DIALECT_RESPONSES},
    {"gemini", SIX(GEMINI), UNS_DIALECT_GEMINI},
    {"gemini with usage", SIX(USAGE), UNS_DIALECT_GEMINI},
    {"ollama", SIX(OLLAMA), UNS_DIALECT_OLLAMA},
};

static void test_repeat_comes_to_the_same(void **state)
{
    static struct watch whole, bytes;
    static struct uns_stream silent;

    (void)state;
    for (size_t i = 0; i < ROWS(alike); i++) {
        const struct watch_body body = {alike[i].body, strlen(alike[i].body),
                                        alike[i].dialect, false, NULL};

        watch_whole(&whole, &body);
        watch_pieces(&bytes, &body, 0, 1);
        watch_same(alike[i].name, &whole, &bytes);
        CHECK_TEXT(alike[i].name, whole.text[UNS_KIND_TEXT], "1234556");
        CHECK_INT(alike[i].name, whole.stream.repeat.len != 0, true);
        CHECK_INT(alike[i].name, bytes.stream.repeat.len, 0);

        uns_stream_init(&silent, body.dialect, true, NULL);
        CHECK_INT(alike[i].name, uns_stream_feed(&silent, body.bytes, body.len),
                  UNS_NEWS_EVENT | UNS_NEWS_CONTENT);
        CHECK_INT(alike[i].name, silent.content, 6);
        CHECK_INT(alike[i].name, silent.events, 6);
    }
}

/* Counts grow from event to event; one that is none is read each time. */
static void test_repeat_counts_tokens(void **state)
{
    static const char body[] = SIX(USAGE);
    static const char quoted[] =
        EV("{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}],"
           "\"usageMetadata\":{\"promptTokenCount\":\"7\"}}");
    static struct uns_stream stream;

    (void)state;
    uns_stream_init(&stream, UNS_DIALECT_GEMINI, true, NULL);
    uns_stream_feed(&stream, body, sizeof body - 1);
    CHECK_INT("in", stream.tokens_in, 8);
    CHECK_INT("out", stream.tokens_out, 16 + 36);
    CHECK_INT("repeats", stream.repeat.counts, 3);
    struct uns_slice last = {body + sizeof body - sizeof USAGE("6"),
                             sizeof USAGE("6") - 1};
    CHECK_INT("repeats", uns_repeat_find(&stream, last), last.len);

    uns_stream_feed(&stream, quoted, sizeof quoted - 1);
    CHECK_INT("quoted", stream.tokens_in, 7);
    CHECK_INT("quoted", stream.repeat.len, 0);
}

#define FIRST                                                               \
    "{\"id\":\"a\",\"n\":1,\"model\":\"m\",\"choices\":[{\"index\":0,"      \
    "\"delta\":{\"content\":\"x\",\"refusal\":\"\"},\"finish_reason\":null" \
    "}]}"

/* What comes after FIRST, and whether it is taken for a repetition. */
static const struct {
    const char *name;
    const char *from, *to; /* replaced in FIRST */
    bool repeats;
} changed[] = {
    {"nothing", "x", "x", true},
    {"another text", "\"x\"", "\"yy\"", true},
    {"an escape in the text", "\"x\"", "\"\\n\\\"\"", true},
    {"a character by number", "\"x\"", "\"\\u00e9\"", false},
    {"a bad escape", "\"x\"", "\"\\q\"", false},
    {"no text", "\"x\"", "\"\"", false},
    {"null for a text", "\"x\"", "null", false},
    {"a control character", "\"x\"", "\"a\tb\"", false},
    {"another id", "\"a\"", "\"bcd\"", true},
    {"an empty id", "\"a\"", "\"\"", true},
    {"an escape in the id", "\"a\"", "\"\\\\\"", true},
    {"a number for an id", "\"a\"", "7", false},
    {"an object for an id", "\"a\"", "{}", false},
    {"another number", ":1", ":-12.5", true},
    {"a number less", ":1", ":0.5", true},
    {"no number", ":1", ":", false},
    {"a sign alone", ":1", ":-", false},
    {"a zero before a number", ":1", ":01", false},
    {"a point and no digits", ":1", ":1.", false},
    {"two points", ":1", ":1.2.3", false},
    {"an exponent", ":1", ":1e5", false},
    {"a word for a number", ":1", ":null", false},
    {"another model", "\"m\"", "\"o\"", false},
    {"another choice", "\"index\":0", "\"index\":1", false},
    {"a finish", "null}", "\"stop\"}", false},
    {"a refusal", "\"refusal\":\"\"", "\"refusal\":\"no\"", false},
    {"another key", "\"content\"", "\"contenu\"", false},
    {"a key more", "{\"id\"", "{\"error\":{},\"id\"", false},
    {"a space more", ":1,", ":1 ,", false},
    {"the end is missing", "null}]}", "null}]", false},
    {"a second document", "null}]}", "null}]}{\"choices\":[]}", false},
};

static void replace(char *to, const char *from, const char *by)
{
    const char *at = strstr(FIRST, from);

    snprintf(to, 512, "%.*s%s%s", (int)(at - FIRST), FIRST, by,
             at + strlen(from));
}

/* FIRST, something like it, and FIRST again, as events or as lines. */
static void one_change(size_t i, bool lines)
{
    static struct watch whole, bytes;
    static char body[2048], like[512];
    const char *data = lines ? "" : "data: ", *end = lines ? "\n" : "\n\n";
    struct uns_stream stream;

    replace(like, changed[i].from, changed[i].to);
    snprintf(body, sizeof body, "%s" FIRST "%s%s%s%s%s" FIRST "%s", data, end,
             data, like, end, data, end);
    const struct watch_body watched = {body, strlen(body), UNS_DIALECT_CHAT,
                                       false,
                                       lines ? "application/x-ndjson" : NULL};
    watch_whole(&whole, &watched);
    watch_pieces(&bytes, &watched, 0, 1);
    watch_same(changed[i].name, &whole, &bytes);

    uns_stream_init(&stream, UNS_DIALECT_CHAT, true, NULL);
    if (lines)
        uns_stream_type(&stream, "application/x-ndjson", 20);
    size_t first = strlen(data) + sizeof FIRST - 1 + strlen(end);
    uns_stream_feed(&stream, body, first);
    CHECK_INT("first", stream.repeat.len != 0, true);
    struct uns_slice rest = {body + first, strlen(body) - first};
    CHECK_INT(changed[i].name, use(&stream, &rest) != 0, changed[i].repeats);
    CHECK_INT(changed[i].name, rest.data == body + first, !changed[i].repeats);
}

static void test_repeat_knows_what_may_differ(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(changed); i++) {
        one_change(i, false);
        one_change(i, true);
    }
}

#define DOCUMENT(text) "{\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}"

/* Events that are not what servers usually send. */
static const struct {
    const char *name, *event;
} odd[] = {
    {"two texts", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}},"
                  "{\"delta\":{\"content\":\"b\"}}]}\n\n"},
    {"two documents", "data: " DOCUMENT("a") DOCUMENT("b") "\n\n"},
    {"two lines", "data: {\"id\":\"q\",\"choices\":\ndata: "
                  "[{\"delta\":{\"content\":\"a\"}}]}\n\n"},
    {"an empty line more", "data: " DOCUMENT("a") "\ndata: \n\n"},
    {"a comment inside", "data: " DOCUMENT("a") "\n: hm\n\n"},
    {"a comment before", ": hm\ndata: " DOCUMENT("a") "\n\n"},
    {"a field behind", "data: " DOCUMENT("a") "\nid: 5\n\n"},
    {"no space", "data:" DOCUMENT("a") "\n\n"},
    {"two spaces", "data:  " DOCUMENT("a") "\n\n"},
    {"one carriage return", "data: " DOCUMENT("a") "\r\n\n"},
    {"carriage returns", "data: " DOCUMENT("a") "\r\n\r\n"},
};

static void test_repeat_is_right_about_odd_events(void **state)
{
    static struct watch whole, bytes;
    char body[1024];

    (void)state;
    for (size_t i = 0; i < ROWS(odd); i++) {
        snprintf(body, sizeof body, "%s%s%s", odd[i].event, odd[i].event,
                 odd[i].event);
        const struct watch_body watched = {body, strlen(body), UNS_DIALECT_CHAT,
                                           false, NULL};
        watch_whole(&whole, &watched);
        watch_pieces(&bytes, &watched, 0, 1);
        watch_same(odd[i].name, &whole, &bytes);
    }
}

/* Whatever is cut off, the event is not taken. */
static void test_repeat_wants_the_whole_event(void **state)
{
    static const char event[] = RESPONSES("12");
    static char last[sizeof event];
    static struct uns_stream stream;

    (void)state;
    for (size_t len = 0; len < sizeof event - 1; len++) {
        char *exact = malloc(len + 1); /* a read beyond it would be seen */

        uns_stream_init(&stream, UNS_DIALECT_RESPONSES, true, NULL);
        uns_stream_feed(&stream, event, sizeof event - 1);
        memcpy(exact, event, len);
        struct uns_slice input = {exact, len};
        CHECK_INT("cut", use(&stream, &input), 0);
        CHECK_INT("cut", input.len, len);
        free(exact);
    }
    memcpy(last, event, sizeof event);
    struct uns_slice input = {last, sizeof event - 1};
    CHECK_INT("whole", use(&stream, &input) != 0, true);
    CHECK_INT("whole", input.len, 0);
}

/* An event that is longer than what is kept is read the long way. */
static void test_repeat_keeps_no_long_event(void **state)
{
    static char body[4096];
    static struct uns_stream stream;

    (void)state;
    for (int pad = 400; pad < 600; pad++) {
        int len = snprintf(body, sizeof body,
                           "data: {\"choices\":[{\"delta\":{\"content\":\"x\"}}"
                           "],\"logprobs\":{\"a\":\"%0*d\"}}\n\n",
                           pad, 0);

        uns_stream_init(&stream, UNS_DIALECT_CHAT, true, NULL);
        uns_stream_feed(&stream, body, (size_t)len);
        CHECK_INT("kept", stream.repeat.len != 0, len - 1 <= UNS_REPEAT_BYTES);
        uns_stream_feed(&stream, body, (size_t)len);
        CHECK_INT("content", stream.content, 2);
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
        cmocka_unit_test(test_repeat_counts_tokens),
        cmocka_unit_test(test_repeat_knows_what_may_differ),
        cmocka_unit_test(test_repeat_is_right_about_odd_events),
        cmocka_unit_test(test_repeat_wants_the_whole_event),
        cmocka_unit_test(test_repeat_keeps_no_long_event),
        cmocka_unit_test(test_repeat_is_no_progress_after_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
