/* SPDX-License-Identifier: MIT */
/* The names of the dialects. */
#include "check.h"
#include "core/dialect.h"

static enum uns_dialect by_name(const char *name)
{
    return uns_dialect_by_name(name, strlen(name));
}

static void test_dialects_have_a_short_and_a_long_name(void **state)
{
    static const struct {
        enum uns_dialect dialect;
        const char *name, *long_name;
    } rows[] = {
        {UNS_DIALECT_CHAT, "chat", "openai-chat"},
        {UNS_DIALECT_COMPLETIONS, "completions", "openai-completions"},
        {UNS_DIALECT_RESPONSES, "responses", "openai-responses"},
        {UNS_DIALECT_ANTHROPIC, "anthropic", "anthropic"},
        {UNS_DIALECT_GEMINI, "gemini", "gemini"},
        {UNS_DIALECT_OLLAMA, "ollama", "ollama"},
        {UNS_DIALECT_LLAMACPP, "llamacpp", "llamacpp"},
        {UNS_DIALECT_TGI, "tgi", "tgi"},
        {UNS_DIALECT_COHERE, "cohere", "cohere"},
        {UNS_DIALECT_LMSTUDIO, "lmstudio", "lmstudio"},
        {UNS_DIALECT_DASHSCOPE, "dashscope", "dashscope"},
    };

    (void)state;
    CHECK_INT("all", ROWS(rows), UNS_DIALECT_COUNT - 1);
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *name = rows[i].name;
        CHECK_TEXT(name, uns_dialect_name(rows[i].dialect), name);
        CHECK_TEXT(name, uns_dialect_long_name(rows[i].dialect),
                   rows[i].long_name);
        CHECK_INT(name, by_name(name), rows[i].dialect);
        CHECK_INT(name, by_name(rows[i].long_name), rows[i].dialect);
    }
}

static void test_dialects_without_a_name_are_none(void **state)
{
    static const char *const rows[] = {"",    "none",  "Chat",
                                       "cha", "chatt", "bedrock"};

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i], by_name(rows[i]), UNS_DIALECT_NONE);
    CHECK_INT("a slice", uns_dialect_by_name("chat=x", 4), UNS_DIALECT_CHAT);
    CHECK_TEXT("none", uns_dialect_name(UNS_DIALECT_NONE), "none");
    CHECK_TEXT("none", uns_dialect_long_name(UNS_DIALECT_NONE), "none");
    CHECK_TEXT("beyond", uns_dialect_name(UNS_DIALECT_COUNT), "none");
    CHECK_TEXT("beyond", uns_dialect_long_name(UNS_DIALECT_COUNT), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dialects_have_a_short_and_a_long_name),
        cmocka_unit_test(test_dialects_without_a_name_are_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
