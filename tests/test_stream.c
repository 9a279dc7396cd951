/* SPDX-License-Identifier: MIT */
/* The facade: which framing a body gets, replies that do not stream, what is
 * counted besides, and the order of news. */
#include "wire_rows.h"

static struct watch got;

static void run(const char *bytes, enum uns_dialect dialect, bool streamed,
                const char *type)
{
    const struct watch_body body = {bytes, strlen(bytes), dialect, !streamed,
                                    type};
    static struct watch cut;

    watch_whole(&got, &body);
    for (size_t at = 0; at <= body.len; at++) {
        watch_pieces(&cut, &body, at, body.len);
        watch_same(bytes, &cut, &got);
    }
}

/* clang-format off */
#define CHUNK "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\n"
#define LINE  "{\"response\":\"Hi\",\"done\":true,\"done_reason\":\"stop\"}\n"
#define CHAT_DOC "{\"model\":\"m\",\"choices\":[{\"message\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]," \
    "\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}"

/* clang-format on */

static void
test_stream_takes_its_framing_from_type_and_first_bytes(void **state)
{
    static const struct {
        const char *name, *body, *type;
        enum uns_dialect dialect;
        bool streamed;
        enum uns_framing framing;
        int content;
    } rows[] = {
        {"told", CHUNK, "text/event-stream; charset=utf-8", UNS_DIALECT_CHAT,
         true, UNS_FRAMING_SSE, 1},
        {"told in capitals", CHUNK, "Text/Event-Stream", UNS_DIALECT_CHAT, true,
         UNS_FRAMING_SSE, 1},
        {"not told", CHUNK, NULL, UNS_DIALECT_CHAT, true, UNS_FRAMING_SSE, 1},
        {"a lie", CHUNK, "application/json", UNS_DIALECT_CHAT, true,
         UNS_FRAMING_SSE, 1},
        {"a stream nobody asked for", CHUNK, "text/event-stream",
         UNS_DIALECT_CHAT, false, UNS_FRAMING_SSE, 1},
        {"a document instead", CHAT_DOC, "application/json", UNS_DIALECT_CHAT,
         true, UNS_FRAMING_DOCUMENT, 1},
        {"a document", CHAT_DOC, NULL, UNS_DIALECT_CHAT, false,
         UNS_FRAMING_DOCUMENT, 1},
        {"blank lines before it", "\n\n \r\n" CHAT_DOC, NULL, UNS_DIALECT_CHAT,
         false, UNS_FRAMING_DOCUMENT, 1},
        {"lines", LINE LINE, "application/x-ndjson", UNS_DIALECT_OLLAMA, true,
         UNS_FRAMING_NDJSON, 2},
        {"lines, not told", LINE, NULL, UNS_DIALECT_OLLAMA, true,
         UNS_FRAMING_NDJSON, 1},
        {"one line, not asked for", LINE, NULL, UNS_DIALECT_OLLAMA, false,
         UNS_FRAMING_DOCUMENT, 1},
        {"array",
         "[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":"
         "\"Hi\"}]}}]}]",
         "application/json", UNS_DIALECT_GEMINI, true, UNS_FRAMING_ARRAY, 1},
        {"array of no stream", "[{\"generated_text\":\"Hi\"}]", NULL,
         UNS_DIALECT_TGI, false, UNS_FRAMING_DOCUMENT, 1},
        {"byte order mark", "\xEF\xBB\xBF" CHUNK, NULL, UNS_DIALECT_CHAT, true,
         UNS_FRAMING_SSE, 1},
        {"mark before a document", "\xEF\xBB\xBF" CHAT_DOC, NULL,
         UNS_DIALECT_CHAT, false, UNS_FRAMING_DOCUMENT, 1},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        run(rows[i].body, rows[i].dialect, rows[i].streamed, rows[i].type);
        CHECK_INT(rows[i].name, got.stream.frame.framing, rows[i].framing);
        CHECK_INT(rows[i].name, got.stream.content, rows[i].content);
    }
}

static void test_stream_of_garbage_has_no_news(void **state)
{
    static const char *const rows[] = {
        "",
        "<!DOCTYPE html>\n<style>\n:root { x: y }\n{}\n</style>\n",
        "  <html>data: {}\n\n</html>",
        "Bad gateway",
        "502: upstream\n:ps\n{\"error\":1}\n",
        "error: something went wrong\n\n",
        "\x1f\x8b\x08\x01\xff\xfe binary \n\n\n",
        "{not json",
        "[1, 2, oops",
    };
    static const char *const types[] = {NULL, "text/html", "application/json"};

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        for (size_t t = 0; t < ROWS(types); t++) {
            run(rows[i], UNS_DIALECT_CHAT, true, types[t]);
            CHECK_INT(rows[i], got.news, 0);
            CHECK_INT(rows[i], got.stream.events, 0);
            CHECK_INT(rows[i], got.stream.keepalives, 0);
        }
}

/* clang-format off */
static const struct {
    const char *name;
    enum uns_dialect dialect;
    const char *body, *finish, *model, *text;
    int in, out;
} documents[] = {
    {"chat", UNS_DIALECT_CHAT, CHAT_DOC, "stop", "m", "Hi", 3, 2},
    {"completions", UNS_DIALECT_COMPLETIONS,
     "{\"choices\":[{\"text\":\"Hi\",\"finish_reason\":\"length\"}],\"model\":\"m\",\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":2}}",
     "length", "m", "Hi", 3, 2},
    {"responses", UNS_DIALECT_RESPONSES,
     "{\"object\":\"response\",\"status\":\"completed\",\"error\":null,\"incomplete_details\":null,\"model\":\"m\",\"output\":[{\"type\":\"message\","
     "\"content\":[{\"type\":\"output_text\",\"text\":\"Hi\"}]}],\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}",
     "completed", "m", "Hi", 3, 2},
    {"responses, incomplete", UNS_DIALECT_RESPONSES,
     "{\"status\":\"incomplete\",\"incomplete_details\":{\"reason\":\"max_output_tokens\"},\"model\":\"m\",\"output\":[],"
     "\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}", "max_output_tokens", "m", "", 3, 2},
    {"anthropic", UNS_DIALECT_ANTHROPIC,
     "{\"type\":\"message\",\"model\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}],\"stop_reason\":\"end_turn\","
     "\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}", "end_turn", "m", "Hi", 3, 2},
    {"gemini", UNS_DIALECT_GEMINI,
     "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Hi\"}]},\"finishReason\":\"STOP\"}],\"modelVersion\":\"m\","
     "\"usageMetadata\":{\"promptTokenCount\":3,\"candidatesTokenCount\":1,\"thoughtsTokenCount\":1}}", "STOP", "m", "Hi", 3, 2},
    {"ollama", UNS_DIALECT_OLLAMA,
     "{\"model\":\"m\",\"message\":{\"content\":\"Hi\"},\"done\":true,\"done_reason\":\"stop\",\"prompt_eval_count\":3,\"eval_count\":2}",
     "stop", "m", "Hi", 3, 2},
    {"llamacpp", UNS_DIALECT_LLAMACPP,
     "{\"content\":\"Hi\",\"stop\":true,\"stop_type\":\"eos\",\"model\":\"m\",\"tokens_evaluated\":3,\"tokens_predicted\":2}",
     "eos", "m", "Hi", 3, 2},
    {"tgi", UNS_DIALECT_TGI,
     "{\"generated_text\":\"Hi\",\"details\":{\"finish_reason\":\"length\",\"input_length\":3,\"generated_tokens\":2}}", "length", "", "Hi", 3, 2},
    {"cohere", UNS_DIALECT_COHERE,
     "{\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"Hi\"}]},\"finish_reason\":\"COMPLETE\",\"usage\":{\"tokens\":{\"input_tokens\":3,"
     "\"output_tokens\":2}}}", "COMPLETE", "", "Hi", 3, 2},
    {"lmstudio", UNS_DIALECT_LMSTUDIO,
     "{\"model_instance_id\":\"m\",\"output\":[{\"type\":\"message\",\"content\":\"Hi\"}],\"stats\":{\"input_tokens\":3,\"total_output_tokens\":2}}",
     "", "m", "Hi", 3, 2},
    {"dashscope", UNS_DIALECT_DASHSCOPE,
     "{\"output\":{\"choices\":[{\"finish_reason\":\"stop\",\"message\":{\"content\":\"Hi\"}}]},\"usage\":{\"input_tokens\":3,\"output_tokens\":2}}",
     "stop", "", "Hi", 3, 2},
};

/* clang-format on */

static void test_stream_counts_a_document_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(documents); i++) {
        const char *name = documents[i].name;

        run(documents[i].body, documents[i].dialect, false, NULL);
        CHECK_INT(name, got.stream.content, 1);
        CHECK_INT(name, got.stream.events, 1);
        CHECK_TEXT(name, got.stream.finish, documents[i].finish);
        CHECK_TEXT(name, got.stream.error, "");
        CHECK_TEXT(name, got.stream.model, documents[i].model);
        CHECK_TEXT(name, got.text[UNS_KIND_TEXT], documents[i].text);
        CHECK_INT(name, got.stream.tokens_in, documents[i].in);
        CHECK_INT(name, got.stream.tokens_out, documents[i].out);
        CHECK_INT(name, got.stream.ended, true);
        CHECK_INT(name, (got.news & UNS_NEWS_CONTENT) != 0, true);
    }
}

static void test_stream_counts_a_document_only_when_it_is_complete(void **state)
{
    struct watch_body body = {CHAT_DOC "\n", 0, UNS_DIALECT_CHAT, true, NULL};

    (void)state;
    body.len = strlen(CHAT_DOC) - 1;
    watch_whole(&got, &body);
    CHECK_INT("cut", got.stream.content, 0);
    CHECK_INT("cut", got.news, UNS_NEWS_TRUNCATED);
    CHECK_TEXT("cut", watch_error(&got), "first:truncated");
}

static void test_stream_document_can_be_an_error(void **state)
{
    static const struct {
        const char *body, *error, *code;
    } rows[] = {
        {"{\"error\":{\"type\":\"invalid_request_error\",\"code\":"
         "\"context_length_exceeded\"}}",
         "first:invalid_request_error", "context_length_exceeded"},
        {"{\"error\":{\"code\":\"429\",\"message\":\"m\"}}", "first:429",
         "429"},
        {"[{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}]",
         "first:RESOURCE_EXHAUSTED", "429"},
        {"{\"error\":\"boom\"}", "first:error", "error"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        run(rows[i].body, UNS_DIALECT_CHAT, true, "application/json");
        CHECK_TEXT(rows[i].body, watch_error(&got), rows[i].error);
        CHECK_TEXT(rows[i].body, got.stream.error_code, rows[i].code);
        CHECK_INT(rows[i].body, got.stream.content, 0);
        CHECK_INT(rows[i].body, got.news, UNS_NEWS_EVENT | UNS_NEWS_ERROR);
    }
}

/* clang-format off */
#define USAGE(a, b) "\"usage\":{\"" a "\":3,\"" b "\":2}"

static const struct {
    const char *name;
    enum uns_dialect dialect;
    const char *body;
    int64_t in, out;
} usages[] = {
    {"chat", UNS_DIALECT_CHAT, EV("{\"choices\":[]," USAGE("prompt_tokens", "completion_tokens") "}") DONE, 3, 2},
    {"chat, null", UNS_DIALECT_CHAT, EV("{\"choices\":[],\"usage\":null}") DONE, UNS_NULL, UNS_NULL},
    {"chat, growing", UNS_DIALECT_CHAT, EV("{\"usage\":{\"completion_tokens\":1}}") EV("{\"usage\":{\"completion_tokens\":12345}}"), UNS_NULL, 12345},
    {"groq", UNS_DIALECT_CHAT, EV("{\"x_groq\":{" USAGE("prompt_tokens", "completion_tokens") "}}"), 3, 2},
    {"responses", UNS_DIALECT_RESPONSES, EV("{\"type\":\"response.completed\",\"response\":{" USAGE("input_tokens", "output_tokens") "}}"), 3, 2},
    {"anthropic", UNS_DIALECT_ANTHROPIC, EV("{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3,\"output_tokens\":1}}}")
        EV("{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":2}}"), 3, 2},
    {"gemini", UNS_DIALECT_GEMINI, EV("{\"usageMetadata\":{\"promptTokenCount\":3,\"candidatesTokenCount\":2}}"), 3, 2},
    {"gemini, thinking", UNS_DIALECT_GEMINI, EV("{\"usageMetadata\":{\"promptTokenCount\":3,\"candidatesTokenCount\":2,\"thoughtsTokenCount\":40}}"), 3, 42},
    {"ollama", UNS_DIALECT_OLLAMA, "{\"done\":true,\"prompt_eval_count\":3,\"eval_count\":2}\n", 3, 2},
    {"llamacpp", UNS_DIALECT_LLAMACPP, EV("{\"stop\":true,\"tokens_evaluated\":3,\"tokens_predicted\":2}"), 3, 2},
    {"tgi", UNS_DIALECT_TGI, EV("{\"generated_text\":\"\",\"details\":{\"generated_tokens\":2}}"), UNS_NULL, 2},
    {"cohere", UNS_DIALECT_COHERE, EV("{\"type\":\"message-end\",\"delta\":{\"usage\":{\"billed_units\":{\"input_tokens\":9},\"tokens\":{\"input_tokens\":3,\"output_tokens\":2}}}}"), 3, 2},
    {"cohere 1", UNS_DIALECT_COHERE, EV("{\"event_type\":\"stream-end\",\"response\":{\"meta\":{\"tokens\":{\"input_tokens\":3,\"output_tokens\":2}}}}"), 3, 2},
    {"lmstudio", UNS_DIALECT_LMSTUDIO, EV("{\"type\":\"chat.end\",\"result\":{\"stats\":{\"input_tokens\":3,\"total_output_tokens\":2}}}"), 3, 2},
    {"dashscope", UNS_DIALECT_DASHSCOPE, EV("{\"output\":{}," USAGE("input_tokens", "output_tokens") "}"), 3, 2},
};

/* clang-format on */

static void test_stream_reads_usage_of_each_dialect(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS(usages); i++) {
        run(usages[i].body, usages[i].dialect, true, NULL);
        CHECK_INT(usages[i].name, got.stream.tokens_in, usages[i].in);
        CHECK_INT(usages[i].name, got.stream.tokens_out, usages[i].out);
    }
}

static void test_stream_keeps_the_first_model(void **state)
{
    (void)state;
    run(EV("{\"model\":\"\",\"choices\":[]}") EV("{\"model\":\"a\"}")
            EV("{\"model\":\"b\"}"),
        UNS_DIALECT_CHAT, true, NULL);
    CHECK_TEXT("model", got.stream.model, "a");
}

static void test_stream_cuts_words_that_are_too_long(void **state)
{
    static const char word[] =
        "a-model-with-a-name-that-nobody-could-ever-remember-or-type-in";

    (void)state;
    run(EV("{\"model\":\"a-model-with-a-name-that-nobody-could-ever-remember-"
           "or-type-in\"}"),
        UNS_DIALECT_CHAT, true, NULL);
    CHECK_INT("length", strlen(got.stream.model), UNS_SLOT_BYTES);
    CHECK_INT("beginning", memcmp(got.stream.model, word, UNS_SLOT_BYTES), 0);
}

/* What one feed contained. */
static unsigned news_of(const char *bytes)
{
    return uns_stream_feed(&got.stream, bytes, strlen(bytes));
}

static void test_stream_tells_news_once(void **state)
{
    const char *row = "news";

    (void)state;
    watch_begin(&got, UNS_DIALECT_CHAT, true, NULL);
    CHECK_INT(row, news_of(": ping\n\n"), 0);
    CHECK_INT(row, news_of("data: {\"choices\":[]}\n"), 0);
    CHECK_INT(row, news_of("\n"), UNS_NEWS_EVENT);
    CHECK_INT(row, news_of(CHUNK), UNS_NEWS_EVENT | UNS_NEWS_CONTENT);
    CHECK_INT(row,
              news_of(EV("{\"choices\":[{\"delta\":{},\"finish_reason\":"
                         "\"stop\"}]}")),
              UNS_NEWS_EVENT | UNS_NEWS_FINISH);
    CHECK_INT(row, news_of(DONE), UNS_NEWS_EVENT | UNS_NEWS_END);
    CHECK_INT(row, news_of(DONE), UNS_NEWS_EVENT);
    CHECK_INT(row, uns_stream_end(&got.stream), 0);
}

/* Content that comes after an error is counted, but is no progress. */
static void test_stream_has_no_progress_after_an_error(void **state)
{
    const char *row = "after an error";

    (void)state;
    watch_begin(&got, UNS_DIALECT_CHAT, true, NULL);
    CHECK_INT(row, news_of(EV("{\"error\":\"x\"}")),
              UNS_NEWS_EVENT | UNS_NEWS_ERROR);
    CHECK_INT(row, news_of(CHUNK), UNS_NEWS_EVENT);
    CHECK_INT(row, news_of(EV("{\"choices\":[{\"finish_reason\":\"stop\"}]}")),
              UNS_NEWS_EVENT);
    CHECK_INT(row, got.stream.content, 1);
    CHECK_INT(row, got.stream.finished, false);
    CHECK_INT(row, uns_stream_end(&got.stream), 0);
}

static void test_stream_tells_a_pending_event_at_the_end(void **state)
{
    (void)state;
    watch_begin(&got, UNS_DIALECT_CHAT, true, NULL);
    CHECK_INT("feed",
              news_of("data: {\"choices\":[{\"delta\":{\"content\":\"x\"},"
                      "\"finish_reason\":\"stop\"}]}"),
              0);
    CHECK_INT("end", uns_stream_end(&got.stream),
              UNS_NEWS_EVENT | UNS_NEWS_CONTENT | UNS_NEWS_FINISH);
}

/* Head and tail of a chunk are remembered: what changes must be noticed. */
static void test_stream_notices_what_changes_between_like_chunks(void **state)
{
    /* clang-format off */
#define LIKE(model, index, text, tail) EV("{\"model\":\"" model "\",\"choices\":[{\"index\":" index ",\"delta\":{\"content\":\"" text "\"}" tail)
    static const char body[] =
        LIKE("a", "0", "1", "}]}") LIKE("a", "0", "", "}]}")
        LIKE("a", "0", "2", "}]}") LIKE("b", "0", "3", "}]}")
        LIKE("a", "1", "4", "}]}") LIKE("a", "0", "5", ",\"finish_reason\":null}]}")
        LIKE("a", "0", "6", ",\"finish_reason\":null}],\"model\":\"c\"}")
        LIKE("a", "0", "7", ",\"finish_reason\":null}],\"model\":\"c\"}")
        LIKE("a", "0", "8", ",\"finish_reason\":\"stop\"}]}")
        LIKE("a", "0", "9", ",\"finish_reason\":null},{\"index\":1,\"finish_reason\":\"length\"}]}")
        LIKE("a", "0", "\\\"", ",\"finish_reason\":null}]}");
    /* clang-format on */

    (void)state;
    run(body, UNS_DIALECT_CHAT, true, NULL);
    CHECK_TEXT("all", got.text[UNS_KIND_TEXT], "123456789\"");
    CHECK_INT("all", got.stream.content, 10);
    CHECK_INT("all", got.stream.events, 11);
    CHECK_TEXT("all", got.stream.finish, "length");
    CHECK_INT("all", got.stream.finished, true);
}

/* Whole chunks are taken in one step: comments, names, line ends and odd text
 * between them are not lost. */
static void test_stream_notices_what_comes_between_like_chunks(void **state)
{
    /* clang-format off */
#define A(text) "data: {\"choices\":[{\"delta\":{\"content\":\"" text "\"}}]}\n\n"
    static const char body[] =
        A("1") A("2") A("3") ": c\n" A("4") ": c\n" A("5") "\n\n" A("6")
        A("") A("\\n") A("7\\x") A("8\nx") "id: 1\n" A("9") "id: 1\n" A("0")
        "event: x\n" A("a") A("b") "data: x\n" A("c") A("d") "data:\n\n"
        A("e") ": c\n\n" A("f") A("g") "data: {\"choices\":[{\"delta\":{\"content\":\"";
    /* clang-format on */

    (void)state;
    run(body, UNS_DIALECT_CHAT, true, NULL);
    CHECK_TEXT("all", got.text[UNS_KIND_TEXT], "123456\n90abcdefg");
    CHECK_INT("all", got.stream.content, 16);
    CHECK_INT("all", got.stream.keepalives, 3 + 4);
}

static void test_stream_fits_into_a_page(void **state)
{
    (void)state;
    assert_true(sizeof(struct uns_stream) < 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_stream_takes_its_framing_from_type_and_first_bytes),
        cmocka_unit_test(test_stream_of_garbage_has_no_news),
        cmocka_unit_test(test_stream_counts_a_document_once),
        cmocka_unit_test(
            test_stream_counts_a_document_only_when_it_is_complete),
        cmocka_unit_test(test_stream_document_can_be_an_error),
        cmocka_unit_test(test_stream_reads_usage_of_each_dialect),
        cmocka_unit_test(test_stream_keeps_the_first_model),
        cmocka_unit_test(test_stream_cuts_words_that_are_too_long),
        cmocka_unit_test(test_stream_tells_news_once),
        cmocka_unit_test(test_stream_has_no_progress_after_an_error),
        cmocka_unit_test(test_stream_tells_a_pending_event_at_the_end),
        cmocka_unit_test(test_stream_notices_what_changes_between_like_chunks),
        cmocka_unit_test(test_stream_notices_what_comes_between_like_chunks),
        cmocka_unit_test(test_stream_fits_into_a_page),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
