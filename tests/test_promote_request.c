/* SPDX-License-Identifier: MIT */
/* A request that asks for a stream instead: one word is put in, and all other
 * bytes stay. */
#include "check.h"
#include "core/promote_request.h"

#include <stdlib.h>

#define USAGE "\"stream_options\":{\"include_usage\":true}"
#define ASK   "\"messages\":[]"

/* Written, or "no". */
static char *promoted(enum uns_dialect dialect, const char *body)
{
    struct uns_url url = {0};
    struct uns_request request;
    struct uns_promote_plan plan;
    struct uns_slice text = {body, strlen(body)};
    char *out;

    uns_request_read(&request, dialect, &url, body, text.len);
    if (!uns_promote_plan(&plan, &request, text))
        return strdup("no");
    out = calloc(1, uns_promote_size(&plan) + 1);
    uns_promote_write(&plan, out);
    assert_int_equal(strlen(out), uns_promote_size(&plan));
    return out;
}

static void test_promote_puts_a_word_into_the_body(void **state)
{
    static const struct {
        const char *name;
        enum uns_dialect dialect;
        const char *body, *want;
    } rows[] = {
        {"chat", UNS_DIALECT_CHAT, "{" ASK ",\"temperature\":1.0}",
         "{\"stream\":true," USAGE "," ASK ",\"temperature\":1.0}"},
        {"chat that says no", UNS_DIALECT_CHAT,
         " {\"stream\" : false , " ASK "}\n",
         " {" USAGE ",\"stream\" : true , " ASK "}\n"},
        {"null", UNS_DIALECT_CHAT,
         "{" ASK ",\"stream_options\":null,\"stream\":null}",
         "{" ASK "," USAGE ",\"stream\":true}"},
        {"options stay", UNS_DIALECT_CHAT,
         "{" ASK ",\"stream_options\":{\"include_obfuscation\":false}}",
         "{\"stream\":true," ASK
         ",\"stream_options\":{\"include_obfuscation\":false}}"},
        {"not the one inside", UNS_DIALECT_CHAT,
         "{\"messages\":[{\"stream\":false,\"content\":\"\\\"stream\\\":\"}]}",
         "{\"stream\":true," USAGE
         ",\"messages\":[{\"stream\":false,\"content\":\"\\\"stream\\\":\"}]}"},
        {"completions", UNS_DIALECT_COMPLETIONS, "{\"prompt\":\"a\"}",
         "{\"stream\":true," USAGE ",\"prompt\":\"a\"}"},
        {"responses", UNS_DIALECT_RESPONSES, "{\"input\":\"a\"}",
         "{\"stream\":true,\"input\":\"a\"}"},
        {"anthropic", UNS_DIALECT_ANTHROPIC, "{" ASK ",\"stream\":false}",
         "{" ASK ",\"stream\":true}"},
        {"gemini", UNS_DIALECT_GEMINI, "{\"contents\":[]}",
         "{\"contents\":[]}"},
        {"ollama", UNS_DIALECT_OLLAMA, "{\"model\":\"m\",\"stream\":false}",
         "{\"model\":\"m\",\"stream\":true}"},

        {"it streams", UNS_DIALECT_CHAT, "{" ASK ",\"stream\":true}", "no"},
        {"ollama does by itself", UNS_DIALECT_OLLAMA, "{\"model\":\"m\"}",
         "no"},
        {"said twice", UNS_DIALECT_CHAT,
         "{\"stream\":false," ASK ",\"stream\":false}", "no"},
        {"said in words", UNS_DIALECT_CHAT, "{\"stream\":\"no\"," ASK "}",
         "no"},
        {"no JSON", UNS_DIALECT_CHAT, "{" ASK, "no"},
        {"no question", UNS_DIALECT_CHAT, "{\"a\":1}", "no"},
        {"empty", UNS_DIALECT_CHAT, "{}", "no"},
        {"sound", UNS_DIALECT_CHAT, "{" ASK ",\"audio\":{\"voice\":\"a\"}}",
         "no"},
        {"sound, null", UNS_DIALECT_ANTHROPIC, "{" ASK ",\"audio\":null}",
         "{\"stream\":true," ASK ",\"audio\":null}"},
        {"best of several", UNS_DIALECT_COMPLETIONS,
         "{\"prompt\":\"a\",\"best_of\":3}", "no"},
        {"best of one", UNS_DIALECT_COMPLETIONS,
         "{\"prompt\":\"a\",\"best_of\":1}",
         "{\"stream\":true," USAGE ",\"prompt\":\"a\",\"best_of\":1}"},
        {"gemini's voice", UNS_DIALECT_GEMINI,
         "{\"contents\":[],\"generationConfig\":{\"responseModalities\":"
         "[\"AUDIO\"]}}",
         "no"},
        {"another dialect", UNS_DIALECT_COHERE, "{" ASK "}", "no"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char *got = promoted(rows[i].dialect, rows[i].body);

        CHECK_TEXT(rows[i].name, got, rows[i].want);
        free(got);
    }
}

static enum uns_err url_of(const char *text, char *out, size_t size)
{
    struct uns_url url;

    assert_true(uns_url_split(text, strlen(text), &url));
    return uns_promote_url((struct uns_slice){text, strlen(text)}, &url,
                           (struct uns_room){out, size});
}

static void test_promote_puts_a_word_into_the_url(void **state)
{
    static const struct {
        const char *url, *want; /* NULL: it says nothing of streams */
    } rows[] = {
        {"https://g.test/v1beta/models/m:generateContent",
         "https://g.test/v1beta/models/m:streamGenerateContent?alt=sse"},
        {"https://g.test/m:generateContent?key=K&alt=json",
         "https://g.test/m:streamGenerateContent?alt=sse&key=K"},
        {"https://u:p@g.test/m:generatecontent?&a=1&",
         "https://u:p@g.test/m:streamGenerateContent?alt=sse&a=1"},
        {"https://v.test/models/c:rawPredict?x=1",
         "https://v.test/models/c:streamRawPredict?x=1"},
        {"https://v.test/models/c:rawPredict",
         "https://v.test/models/c:streamRawPredict"},
        {"https://v.test/models/c:streamGenerateContent", NULL},
        {"https://o.test/v1/chat/completions", NULL},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_url url;
        char got[200] = "";
        enum uns_err err = url_of(rows[i].url, got, sizeof got);

        assert_true(uns_url_split(rows[i].url, strlen(rows[i].url), &url));
        CHECK_INT(rows[i].url, uns_promote_by_url(&url), rows[i].want != NULL);
        CHECK_INT(rows[i].url, err, rows[i].want ? UNS_OK : UNS_UNSUPPORTED);
        CHECK_TEXT(rows[i].url, got, rows[i].want ? rows[i].want : "");
    }
}

static void test_promote_does_not_write_beyond_its_room(void **state)
{
    static const char url[] = "https://g.test/m:generateContent?key=abc";
    char got[200];

    (void)state;
    for (size_t size = 0; size < sizeof got; size++) {
        enum uns_err err;

        memset(got, 'x', sizeof got);
        err = url_of(url, got, size);
        assert_true(err == UNS_OK || err == UNS_TOOBIG);
        for (size_t i = size; i < sizeof got; i++)
            assert_int_equal(got[i], 'x');
    }
    assert_int_equal(url_of(url, got, sizeof got), UNS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_promote_puts_a_word_into_the_body),
        cmocka_unit_test(test_promote_puts_a_word_into_the_url),
        cmocka_unit_test(test_promote_does_not_write_beyond_its_room),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
