/* SPDX-License-Identifier: MIT */
/* The table of settings: sound in itself, and found by key and by word. */
#include "check.h"
#include "core/setting.h"

static void test_setting_are_sound(void **state)
{
    size_t count;
    const struct uns_setting *row = uns_settings(&count);

    (void)state;
    assert_true(count > 25);
    for (size_t i = 0; i < count; i++) {
        bool worded = row[i].type == UNS_SETTING_WORD ||
                      row[i].type == UNS_SETTING_CHOICE;

        CHECK_INT(row[i].key, strlen(row[i].help) > 10, true);
        CHECK_INT(row[i].key, row[i].help[strlen(row[i].help) - 1], '.');
        CHECK_INT(row[i].key, row[i].min <= row[i].max, true);
        CHECK_INT(row[i].key, row[i].words != NULL, worded);
        CHECK_INT(row[i].key, row[i].offset < sizeof(struct uns_settings),
                  true);
        for (size_t j = 0; j < i; j++)
            CHECK_INT(row[i].key, strcmp(row[i].key, row[j].key) != 0, true);
    }
}

static void test_setting_are_found_by_key(void **state)
{
    size_t count;
    const struct uns_setting *row = uns_settings(&count);

    (void)state;
    for (size_t i = 0; i < count; i++) {
        struct uns_slice key = {row[i].key, strlen(row[i].key)};

        assert_ptr_equal(uns_setting_by_key(key), &row[i]);
    }
    assert_null(uns_setting_by_key((struct uns_slice){"hedge", 5}));
    assert_null(uns_setting_by_key((struct uns_slice){"", 0}));
    assert_null(uns_setting_by_key((struct uns_slice){"MODE", 4}));
}

static void test_setting_words_have_numbers(void **state)
{
    static const char words[] = "off observe shadow";

    (void)state;
    CHECK_SLICE("0", uns_setting_word(words, 0), "off");
    CHECK_SLICE("1", uns_setting_word(words, 1), "observe");
    CHECK_SLICE("2", uns_setting_word(words, 2), "shadow");
    CHECK_SLICE("3", uns_setting_word(words, 3), "");
    CHECK_SLICE("9", uns_setting_word(words, 9), "");
    CHECK_INT("shadow",
              uns_setting_word_index(words, (struct uns_slice){"shadow", 6}),
              2);
    CHECK_INT("shad",
              uns_setting_word_index(words, (struct uns_slice){"shad", 4}) ==
                  SIZE_MAX,
              true);
    CHECK_INT("empty",
              uns_setting_word_index(words, (struct uns_slice){"", 0}) ==
                  SIZE_MAX,
              true);
}

/* The words are the enums', in order. */
static void test_setting_words_are_the_enums(void **state)
{
    static const struct {
        const char *key, *word;
        size_t value;
    } rows[] = {
        {"mode", "off", UNS_MODE_OFF},
        {"mode", "observe", UNS_MODE_OBSERVE},
        {"mode", "shadow", UNS_MODE_SHADOW},
        {"mode", "hedge", UNS_MODE_HEDGE},
        {"hedge.resume", "off", UNS_RESUME_OFF},
        {"hedge.resume", "verify", UNS_RESUME_VERIFY},
        {"hedge.resume", "prefill", UNS_RESUME_PREFILL},
        {"hedge.self_prefill", "none", UNS_PREFILL_NONE},
        {"hedge.self_prefill", "assistant", UNS_PREFILL_ASSISTANT},
        {"hedge.self_prefill", "prefix", UNS_PREFILL_PREFIX},
        {"hedge.self_prefill", "partial", UNS_PREFILL_PARTIAL},
        {"hedge.self_prefill", "continue_final_message",
         UNS_PREFILL_FINAL_MESSAGE},
        {"hedge.resume", "auto", UNS_RESUME_AUTO},
        {"experiment.unit", "call", UNS_UNIT_CALL},
        {"experiment.unit", "process", UNS_UNIT_PROCESS},
        {"experiment.unit", "key", UNS_UNIT_KEY},
        {NULL, "auto", UNS_AUTH_AUTO},
        {NULL, "bearer", UNS_AUTH_BEARER},
        {NULL, "x-api-key", UNS_AUTH_X_API_KEY},
        {NULL, "api-key", UNS_AUTH_API_KEY},
        {NULL, "x-goog-api-key", UNS_AUTH_X_GOOG_API_KEY},
        {NULL, "none", UNS_AUTH_NONE},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        const char *words = uns_auth_words;
        struct uns_slice word = {rows[i].word, strlen(rows[i].word)};

        if (rows[i].key != NULL)
            words = uns_setting_by_key(
                        (struct uns_slice){rows[i].key, strlen(rows[i].key)})
                        ->words;
        CHECK_INT(rows[i].word, uns_setting_word_index(words, word),
                  rows[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_setting_are_sound),
        cmocka_unit_test(test_setting_are_found_by_key),
        cmocka_unit_test(test_setting_words_have_numbers),
        cmocka_unit_test(test_setting_words_are_the_enums),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
