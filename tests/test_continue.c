/* SPDX-License-Identifier: MIT */
/* The request for the rest of an answer: the application's bytes, and nothing
 * changed but what must be. */
#include "check.h"
#include "core/ascii.h"
#include "core/continue.h"
#include "core/walk.h"

#define USER "{\"role\":\"user\",\"content\":\"hi\"}"
#define CHAT "\"model\":\"m\",\"messages\":[" USER "]"
#define OURS(more) \
    ",{\"role\":\"assistant\",\"content\":\"The \\\"tide\\\"\"" more

static void make(enum uns_dialect dialect, const char *body,
                 enum uns_prefill how, const char *model, char *out)
{
    struct uns_url url;
    struct uns_request request;
    struct uns_continue plan;
    size_t size;

    assert_true(
        uns_url_split("http://a/v1/models/m:streamGenerateContent", 41, &url));
    uns_request_read(&request, dialect, &url, body, strlen(body));
    *out = '\0';
    if (!uns_continue_plan(&plan, &request, uns_slice_of(body), how,
                           uns_slice_of("The \"tide\"")))
        return;
    uns_continue_model(&plan, &request, model);
    size = uns_continue_size(&plan);
    out[size] = '#';
    uns_continue_write(&plan, out);
    assert_int_equal(out[size], '#');
    out[size] = '\0';
}

static bool is_json(const char *text)
{
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, text, strlen(text), false);
    while (uns_walk_next(&walk, &value)) {
    }
    return walk.ok;
}

struct row {
    const char *name;
    enum uns_dialect dialect;
    enum uns_prefill how;
    const char *model, *body, *wanted; /* "": it cannot be */
};

static void check(const struct row *rows, size_t count)
{
    static char out[4096];

    for (size_t i = 0; i < count; i++) {
        make(rows[i].dialect, rows[i].body, rows[i].how, rows[i].model, out);
        CHECK_TEXT(rows[i].name, out, rows[i].wanted);
        CHECK_INT(rows[i].name, *out == '\0' || is_json(out), true);
    }
}

static void test_continue_appends_a_turn(void **state)
{
    /* clang-format off */
    static const struct row rows[] = {
        {"a turn", UNS_DIALECT_CHAT, UNS_PREFILL_ASSISTANT, NULL,
         "{" CHAT "}",
         "{\"model\":\"m\",\"messages\":[" USER OURS("}") "]}"},
        {"prefix", UNS_DIALECT_CHAT, UNS_PREFILL_PREFIX, NULL,
         "{" CHAT "}",
         "{\"model\":\"m\",\"messages\":[" USER OURS(",\"prefix\":true}") "]}"},
        {"partial", UNS_DIALECT_CHAT, UNS_PREFILL_PARTIAL, NULL,
         "{" CHAT "}",
         "{\"model\":\"m\",\"messages\":[" USER OURS(",\"partial\":true}")
         "]}"},
        {"flags", UNS_DIALECT_CHAT, UNS_PREFILL_FINAL_MESSAGE, NULL,
         "{" CHAT " }\n",
         "{\"model\":\"m\",\"messages\":[" USER OURS("}") "] "
         ",\"add_generation_prompt\":false,\"continue_final_message\":true}\n"},
        {"another model before", UNS_DIALECT_CHAT, UNS_PREFILL_ASSISTANT,
         "a\"b", "{" CHAT "}",
         "{\"model\":\"a\\\"b\",\"messages\":[" USER OURS("}") "]}"},
        {"another model behind", UNS_DIALECT_CHAT, UNS_PREFILL_FINAL_MESSAGE,
         "other", "{\"messages\": [ " USER " ], \"model\" : \"m\"}",
         "{\"messages\": [ " USER " " OURS("}") "], \"model\" : \"other\""
         ",\"add_generation_prompt\":false,\"continue_final_message\":true}"},
        {"brackets in texts", UNS_DIALECT_CHAT, UNS_PREFILL_ASSISTANT, NULL,
         "{\"messages\":[{\"role\":\"user\",\"content\":\"]}\\\"]\"}],\"n\":1}",
         "{\"messages\":[{\"role\":\"user\",\"content\":\"]}\\\"]\"}"
         OURS("}") "],\"n\":1}"},
        {"numbers stay as they are", UNS_DIALECT_CHAT, UNS_PREFILL_ASSISTANT,
         NULL, "{\"temperature\":1.50e-0," CHAT "}",
         "{\"temperature\":1.50e-0,\"model\":\"m\",\"messages\":[" USER
         OURS("}") "]}"},
        {"anthropic", UNS_DIALECT_ANTHROPIC, UNS_PREFILL_ASSISTANT, NULL,
         "{" CHAT ",\"max_tokens\":9}",
         "{\"model\":\"m\",\"messages\":[" USER OURS("}")
         "],\"max_tokens\":9}"},
        {"ollama", UNS_DIALECT_OLLAMA, UNS_PREFILL_ASSISTANT, NULL,
         "{" CHAT "}",
         "{\"model\":\"m\",\"messages\":[" USER OURS("}") "]}"},
        {"gemini", UNS_DIALECT_GEMINI, UNS_PREFILL_ASSISTANT, NULL,
         "{\"contents\":[{\"parts\":[{\"text\":\"hi\"}]}]}",
         "{\"contents\":[{\"parts\":[{\"text\":\"hi\"}]},{\"role\":\"model\","
         "\"parts\":[{\"text\":\"The \\\"tide\\\"\"}]}]}"},
        {"a prompt", UNS_DIALECT_COMPLETIONS, UNS_PREFILL_ASSISTANT, "x",
         "{\"prompt\":\"Say: \",\"model\":\"m\"}",
         "{\"prompt\":\"Say: The \\\"tide\\\"\",\"model\":\"x\"}"},
        {"an empty prompt", UNS_DIALECT_COMPLETIONS, UNS_PREFILL_PREFIX, NULL,
         "{\"prompt\":\"\"}", "{\"prompt\":\"The \\\"tide\\\"\"}"},
    };
    /* clang-format on */

    (void)state;
    check(rows, ROWS(rows));
}

static void test_continue_refuses_what_it_would_change(void **state)
{
    /* clang-format off */
    static const struct row rows[] = {
        {"the program's own prefill", UNS_DIALECT_CHAT, UNS_PREFILL_ASSISTANT,
         NULL, "{\"messages\":[" USER ",{\"role\":\"assistant\","
         "\"content\":\"x\"}]}", ""},
        {"gemini's, too", UNS_DIALECT_GEMINI, UNS_PREFILL_ASSISTANT, NULL,
         "{\"contents\":[{\"role\":\"model\",\"parts\":[]}]}", ""},
        {"an earlier turn is none", UNS_DIALECT_CHAT, UNS_PREFILL_ASSISTANT,
         NULL, "{\"messages\":[{\"role\":\"assistant\"}," USER "]}",
         "{\"messages\":[{\"role\":\"assistant\"}," USER OURS("}") "]}"},
        {"a role deeper down is none", UNS_DIALECT_CHAT,
         UNS_PREFILL_ASSISTANT, NULL,
         "{\"messages\":[{\"x\":{\"role\":\"assistant\"}}]}",
         "{\"messages\":[{\"x\":{\"role\":\"assistant\"}}" OURS("}") "]}"},
        {"no turns", UNS_DIALECT_CHAT, UNS_PREFILL_ASSISTANT, NULL,
         "{\"messages\":[]}", ""},
        {"no list", UNS_DIALECT_CHAT, UNS_PREFILL_ASSISTANT, NULL,
         "{\"messages\":{}}", ""},
        {"one content of gemini", UNS_DIALECT_GEMINI, UNS_PREFILL_ASSISTANT,
         NULL, "{\"contents\":{\"parts\":[]}}", ""},
        {"flags that are there", UNS_DIALECT_CHAT, UNS_PREFILL_FINAL_MESSAGE,
         NULL, "{\"add_generation_prompt\":true," CHAT "}", ""},
        {"members that the dialect has not", UNS_DIALECT_ANTHROPIC,
         UNS_PREFILL_PREFIX, NULL, "{" CHAT "}", ""},
        {"several prompts", UNS_DIALECT_COMPLETIONS, UNS_PREFILL_ASSISTANT,
         NULL, "{\"prompt\":[\"a\",\"b\"]}", ""},
        {"a prompt of ollama", UNS_DIALECT_OLLAMA, UNS_PREFILL_ASSISTANT,
         NULL, "{\"model\":\"m\",\"prompt\":\"a\"}", ""},
        {"responses", UNS_DIALECT_RESPONSES, UNS_PREFILL_ASSISTANT, NULL,
         "{\"input\":\"hi\"}", ""},
        {"no JSON", UNS_DIALECT_CHAT, UNS_PREFILL_ASSISTANT, NULL,
         "{\"messages\":[" USER "]", ""},
        {"not declared", UNS_DIALECT_CHAT, UNS_PREFILL_NONE, NULL,
         "{" CHAT "}", ""},
    };
    /* clang-format on */

    (void)state;
    check(rows, ROWS(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_continue_appends_a_turn),
        cmocka_unit_test(test_continue_refuses_what_it_would_change),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
