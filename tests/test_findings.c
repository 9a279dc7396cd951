/* SPDX-License-Identifier: MIT */
/* Findings, printed for people and as JSON. */
#include "cli/findings.h"

#include "scratch.h"

#include <cjson/cJSON.h>

static char printed[16384];

/* What `print` writes to standard output, through a file. */
static const char *capture(struct scratch *scratch,
                           void (*print)(const struct uns_findings *),
                           const struct uns_findings *findings)
{
    int before = dup(STDOUT_FILENO);
    FILE *in;
    size_t len;

    fflush(stdout);
    assert_non_null(freopen(scratch_path(scratch, "out"), "w", stdout));
    print(findings);
    fflush(stdout);
    assert_true(dup2(before, STDOUT_FILENO) >= 0);
    close(before);
    in = fopen(scratch_path(scratch, "out"), "r");
    assert_non_null(in);
    len = fread(printed, 1, sizeof printed - 1, in);
    fclose(in);
    printed[len] = '\0';
    return printed;
}

static void print_plain(const struct uns_findings *findings)
{
    const struct uns_term term = {.width = 80};

    uns_findings_print(findings, &term);
}

static void print_utf8(const struct uns_findings *findings)
{
    const struct uns_term term = {.width = 80, .utf8 = true};

    uns_findings_print(findings, &term);
}

static void print_json(const struct uns_findings *findings)
{
    uns_findings_json(findings, "possible");
}

static void fill(struct uns_findings *findings)
{
    struct uns_finding *row;

    uns_findings_say(&findings->sentence, "%s may be helped", "it");
    row = uns_findings_add(findings, UNS_LEVEL_GOOD, "libcurl");
    uns_findings_say(&row->found, "/lib/%s", "libcurl.so.4");
    row = uns_findings_add(findings, UNS_LEVEL_BAD, "linking");
    uns_findings_say(&row->found, "once");
    uns_findings_say(&row->found, "a word and then as many others as it "
                                  "takes to come to the end of a line");
    uns_findings_say(&row->means, "what it means");
    uns_findings_say(&row->todo, "what to do");
    (void)uns_findings_add(findings, UNS_LEVEL_NOTE, "nothing");
}

static void test_findings_print_in_two_columns(void **state)
{
    struct uns_findings findings = {0};

    fill(&findings);
    CHECK_TEXT("ascii", capture(*state, print_plain, &findings),
               "it may be helped\n"
               "\n"
               "  + libcurl      /lib/libcurl.so.4\n"
               "  x linking      a word and then as many others as it takes to "
               "come to the end\n"
               "                 of a line\n"
               "                 what it means\n"
               "                 > what to do\n"
               "    nothing      \n");
    assert_non_null(strstr(capture(*state, print_utf8, &findings),
                           "  ✗ linking      a word"));
    assert_non_null(strstr(printed, "→ what to do"));
    uns_findings_clear(&findings);
}

static void test_findings_let_no_name_move_the_cursor(void **state)
{
    struct uns_findings findings = {0};
    struct uns_finding *row =
        uns_findings_add(&findings, UNS_LEVEL_WARN, "file");

    uns_findings_say(&row->found, "/tmp/\x1b[2J\n");
    assert_non_null(strstr(capture(*state, print_utf8, &findings),
                           "  ! file         /tmp/\\x1b[2J\\n\n"));
    uns_findings_clear(&findings);
}

static void test_findings_json_has_the_same_words(void **state)
{
    struct uns_findings findings = {0};
    cJSON *json, *list, *row;

    fill(&findings);
    json = cJSON_Parse(capture(*state, print_json, &findings));
    assert_non_null(json);
    CHECK_TEXT("verdict",
               cJSON_GetStringValue(cJSON_GetObjectItem(json, "verdict")),
               "possible");
    CHECK_TEXT("sentence",
               cJSON_GetStringValue(cJSON_GetObjectItem(json, "sentence")),
               "it may be helped");
    list = cJSON_GetObjectItem(json, "findings");
    CHECK_INT("rows", cJSON_GetArraySize(list), 3);
    row = cJSON_GetArrayItem(list, 1);
    CHECK_TEXT("what", cJSON_GetStringValue(cJSON_GetObjectItem(row, "what")),
               "linking");
    CHECK_TEXT("level", cJSON_GetStringValue(cJSON_GetObjectItem(row, "level")),
               "bad");
    CHECK_TEXT("means", cJSON_GetStringValue(cJSON_GetObjectItem(row, "means")),
               "what it means");
    CHECK_TEXT("do", cJSON_GetStringValue(cJSON_GetObjectItem(row, "do")),
               "what to do");
    row = cJSON_GetArrayItem(list, 2);
    CHECK_INT("null", cJSON_IsNull(cJSON_GetObjectItem(row, "found")), true);
    cJSON_Delete(json);
    uns_findings_clear(&findings);
}

static void test_findings_beyond_the_limit_are_dropped(void **state)
{
    struct uns_findings findings = {0};

    (void)state;
    for (size_t i = 0; i < UNS_FINDINGS + 50; i++)
        uns_findings_say(
            &uns_findings_add(&findings, UNS_LEVEL_NOTE, "row")->found, "%zu",
            i);
    CHECK_INT("count", findings.count, UNS_FINDINGS);
    CHECK_TEXT("last", findings.list[UNS_FINDINGS - 1].found, "199");
    uns_findings_clear(&findings);
    CHECK_INT("cleared", findings.count, 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_findings_print_in_two_columns,
                                        scratch_begin, scratch_end),
        cmocka_unit_test_setup_teardown(
            test_findings_let_no_name_move_the_cursor, scratch_begin,
            scratch_end),
        cmocka_unit_test_setup_teardown(test_findings_json_has_the_same_words,
                                        scratch_begin, scratch_end),
        cmocka_unit_test(test_findings_beyond_the_limit_are_dropped),
    };

    return cmocka_run_group_tests_name("findings", tests, NULL, NULL);
}
