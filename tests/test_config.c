/* SPDX-License-Identifier: MIT */
/* Which model a request asks for at another source, and where it cannot go. */
#include "check.h"
#include "core/config.h"

static const struct uns_pair few[] = {{"gpt-4o", "openai/gpt-4o"},
                                      {"a/b", "c"}};
static const struct uns_pair any[] = {{"gpt-4o", "first"}, {"*", "rest"}};

static void test_config_moves_models_that_are_listed(void **state)
{
    static const struct {
        const struct uns_pair *models;
        size_t count;
        const char *model, *there;
        bool movable;
    } rows[] = {
        {few, 2, "gpt-4o", "openai/gpt-4o", true},
        {few, 2, "a\\/b", "c", true},
        {few, 2, "\\u0061/b", "c", true},
        {few, 2, "gpt-4", NULL, false},
        {few, 2, "GPT-4o", NULL, false},
        {few, 2, "", NULL, false},
        {few, 2, "\\ud800", NULL, false},
        {few, 0, "gpt-4o", NULL, false},
        {any, 2, "gpt-4o", "first", true},
        {any, 2, "other", "rest", true},
        {NULL, 0, "anything", NULL, true},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_source source = {.base_url = "https://b",
                                    .models = rows[i].models,
                                    .model_count = rows[i].count};
        struct uns_slice model = {rows[i].model, strlen(rows[i].model)};
        const char *there = NULL;

        CHECK_INT(rows[i].model, uns_source_model(&source, model, &there),
                  rows[i].movable);
        CHECK_TEXT(rows[i].model, there, rows[i].there);
    }
}

static void test_config_asks_self_for_the_same_model(void **state)
{
    struct uns_source self = {.name = "self", .models = few, .model_count = 2};
    const char *there = "x";

    (void)state;
    assert_true(uns_source_model(&self, (struct uns_slice){"zzz", 3}, &there));
    assert_null(there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_config_moves_models_that_are_listed),
        cmocka_unit_test(test_config_asks_self_for_the_same_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
