/* SPDX-License-Identifier: MIT */
/* Command lines, and texts in a terminal's width. */
#include "cli/cli.h"

#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* What `print` writes to standard output; free() it. */
static char *printed(void (*print)(const char *text, int indent),
                     const char *text, int indent)
{
    FILE *file = tmpfile();
    int kept = dup(STDOUT_FILENO);
    char *out = calloc(1, 1000);

    assert_non_null(file);
    fflush(stdout);
    dup2(fileno(file), STDOUT_FILENO);
    print(text, indent);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    close(kept);
    rewind(file);
    assert_true(fread(out, 1, 999, file) > 0);
    fclose(file);
    return out;
}

#define FORTY  "0123456789012345678901234567890123456789"
#define EIGHTY FORTY FORTY

static void test_args_wraps_between_words(void **state)
{
    static const struct {
        const char *name, *text;
        int indent;
        const char *lines;
    } rows[] = {
        {"short", "a b", 0, "a b\n"},
        {"to the last column", FORTY " 01234567890123456789012345678901234567",
         0, FORTY "\n01234567890123456789012345678901234567\n"},
        {"with an indent", FORTY " " FORTY, 4, FORTY "\n    " FORTY "\n"},
        {"a word that is too long", "a " EIGHTY, 2, "a\n  " EIGHTY "\n"},
        {"nothing", "", 4, "\n"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char *out = printed(uns_cli_wrap, rows[i].text, rows[i].indent);

        CHECK_TEXT(rows[i].name, out, rows[i].lines);
        free(out);
    }
}

static void test_args_wraps_lists_between_items(void **state)
{
    static const struct {
        const char *name, *text, *lines;
    } rows[] = {
        {"one line", "a 1 ms, b 2 ms", "a 1 ms, b 2 ms\n"},
        {"no number without its unit",
         FORTY " 012345678901234567890 0, stalled 0 ms, gap 1 s",
         FORTY " 012345678901234567890 0,\n          stalled 0 ms, gap 1 s\n"},
        {"an item that is too long", "a, " FORTY " " FORTY ", b",
         "a, " FORTY "\n          " FORTY ", b\n"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        char *out = printed(uns_cli_wrap_list, rows[i].text, 10);

        CHECK_TEXT(rows[i].name, out, rows[i].lines);
        free(out);
    }
}

struct options {
    struct uns_common common;
    bool flag;
};

static void test_args_options_take_no_operand(void **state)
{
    static const struct uns_cli_option table[] = {
        {"flag", NULL, "A flag.", offsetof(struct options, flag), NULL},
    };
    static const struct uns_usage usage = {
        .command = "test", .options = table, .option_count = ROWS(table)};

    static const struct {
        const char *name, *word;
        bool ok, flag;
    } rows[] = {
        {"an option", "--flag", true, true},
        {"the end of options", "--", true, false},
        {"an operand", "word", false, false},
        {"no such option", "--flog", false, false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct options options = {.flag = false};
        char command[] = "test", word[16];
        char *argv[] = {command, word, NULL};
        int code = UNS_EXIT_OK;

        strcpy(word, rows[i].word);
        CHECK_INT(rows[i].name,
                  uns_args_options(&usage, 2, argv, &options, &code),
                  rows[i].ok);
        CHECK_INT(rows[i].name, options.flag, rows[i].flag);
        CHECK_INT(rows[i].name, code,
                  rows[i].ok ? UNS_EXIT_OK : UNS_EXIT_USAGE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_args_wraps_between_words),
        cmocka_unit_test(test_args_wraps_lists_between_items),
        cmocka_unit_test(test_args_options_take_no_operand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
