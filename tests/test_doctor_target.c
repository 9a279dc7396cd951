/* SPDX-License-Identifier: MIT */
/* Which file would run: PATH, #! lines, env. */
#include "cli/doctor.h"

#include "scratch.h"

/* PATH is the directory alone; `name` is looked up. */
static const char *follow(struct scratch *scratch, const char *name,
                          struct uns_target *target)
{
    setenv("PATH", scratch->dir, 1);
    return uns_doctor_target(name, target);
}

static const struct {
    const char *name;
    const char *script; /* behind "#!"; @ is the directory */
    const char *runs;   /* below the directory */
    const char *wrong;  /* NULL: nothing */
} rows[] = {
    {"binary", NULL, "binary", NULL},
    {"plain", "@/binary\n", "binary", NULL},
    {"blanks", " \t@/binary  -x y\n", "binary", NULL},
    {"no newline", "@/binary", "binary", NULL},
    {"env", "/usr/bin/env binary\n", "binary", NULL},
    {"env -S", "/usr/bin/env -S binary -f\n", "binary", NULL},
    {"env A=b", "/usr/bin/env A=b binary\n", "binary", NULL},
    {"twice", "@/plain\n", "binary", NULL},
    {"lost", "@/nothing\n", NULL, "is a script whose interpreter is missing"},
    {"env lost", "/usr/bin/env nothing\n", NULL,
     "is a script whose interpreter is missing"},
    {"itself", "@/itself\n", NULL,
     "is a script that leads from script to script"},
};

static void write_all(struct scratch *scratch)
{
    char text[256];
    FILE *out;

    for (size_t i = 1; i < ROWS(rows); i++) {
        const char *rest = strchr(rows[i].script, '@');
        int before = rest ? (int)(rest - rows[i].script) : 0;

        snprintf(text, sizeof text, "#!%.*s%s%s", before, rows[i].script,
                 rest ? scratch->dir : "", rest ? rest + 1 : rows[i].script);
        scratch_write(scratch, rows[i].name, text, 0700);
    }
    /* A NUL makes it no text. */
    out = fopen(scratch_path(scratch, "binary"), "w");
    assert_non_null(out);
    assert_int_equal(fwrite("\177ELF\0\0", 1, 6, out), 6);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(scratch->path, 0700), 0);
}

static void test_target_follows_scripts_to_a_binary(void **state)
{
    struct scratch *scratch = *state;

    write_all(scratch);
    for (size_t i = 0; i < ROWS(rows); i++) {
        struct uns_target target;
        const char *row = rows[i].name;

        CHECK_TEXT(row, follow(scratch, row, &target), rows[i].wrong);
        if (rows[i].wrong != NULL)
            continue;
        CHECK_TEXT(row, target.name, row);
        CHECK_TEXT(row, target.called, rows[i].runs);
        CHECK_TEXT(row, target.real, scratch_path(scratch, rows[i].runs));
        CHECK_TEXT(row, target.script,
                   rows[i].script ? scratch_path(scratch, row) : "");
    }
}

static void test_target_says_what_is_wrong(void **state)
{
    struct scratch *scratch = *state;
    struct uns_target target;

    CHECK_TEXT("no name", follow(scratch, "nothing", &target),
               "not found in PATH");
    CHECK_TEXT("no file", follow(scratch, "/nowhere/at/all", &target),
               "no such file");
    scratch_mkdir(scratch, "directory");
    CHECK_TEXT("in PATH", follow(scratch, "directory", &target),
               "not found in PATH");
    CHECK_TEXT("by path", follow(scratch, scratch->path, &target),
               "cannot be executed");
    scratch_write(scratch, "data", "x", 0600);
    CHECK_TEXT("no permission", follow(scratch, scratch->path, &target),
               "cannot be executed");
}

/* execvp() gives it to sh. */
static void test_target_of_a_text_without_interpreter_is_sh(void **state)
{
    struct scratch *scratch = *state;
    struct uns_target target;

    scratch_write(scratch, "bare", "curl -s http://127.0.0.1/\n", 0700);
    CHECK_TEXT("bare", follow(scratch, "bare", &target), NULL);
    CHECK_TEXT("bare", target.path, "/bin/sh");
    CHECK_TEXT("bare", target.called, "sh");
}

static void test_target_keeps_both_names_of_a_link(void **state)
{
    struct scratch *scratch = *state;
    struct uns_target target;

    write_all(scratch);
    assert_int_equal(symlink("binary", scratch_path(scratch, "alias")), 0);
    CHECK_TEXT("alias", follow(scratch, "alias", &target), NULL);
    CHECK_TEXT("alias", target.called, "alias");
    CHECK_TEXT("alias", target.real, scratch_path(scratch, "binary"));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_target_follows_scripts_to_a_binary,
                                        scratch_begin, scratch_end),
        cmocka_unit_test_setup_teardown(test_target_says_what_is_wrong,
                                        scratch_begin, scratch_end),
        cmocka_unit_test_setup_teardown(
            test_target_of_a_text_without_interpreter_is_sh, scratch_begin,
            scratch_end),
        cmocka_unit_test_setup_teardown(test_target_keeps_both_names_of_a_link,
                                        scratch_begin, scratch_end),
    };

    return cmocka_run_group_tests_name("doctor_target", tests, NULL, NULL);
}
