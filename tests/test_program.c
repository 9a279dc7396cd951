/* SPDX-License-Identifier: MIT */
/* A program's name, also after it has written over its arguments. */
#include "check.h"
#include "shim/program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct row {
    const char *name, *argv0, *now, *file, *want; /* now NULL: as it was */
};

/* As libc finds the name before main(), and the program writes over it. */
static const char *pick(const struct row *row)
{
    static char args[128];
    const char *slash, *called;

    (void)snprintf(args, sizeof args, "%s", row->argv0);
    slash = strrchr(args, '/');
    called = slash ? slash + 1 : args;
    if (row->now)
        (void)snprintf(args, sizeof args, "%s", row->now);
    return uns_program_pick(args, called, row->file);
}

static void test_program_is_called_as_it_was_started(void **state)
{
    static const struct row rows[] = {
        {"by its path", "/usr/bin/curl", NULL, "/usr/bin/curl", "curl"},
        {"by PATH", "curl", NULL, "/usr/bin/curl", "curl"},
        {"a login shell", "-bash", NULL, "/bin/bash", "-bash"},
        {"exec -a", "chat", NULL, "/usr/bin/curl", "chat"},
        {"a script", "/usr/bin/python3", NULL, "./chat.py", "python3"},
        {"by the loader", "/bin/curl", NULL, "/lib64/ld-linux.so.2", "curl"},
        {"a blank", "/opt/My Chat/My Chat", NULL, "/opt/My Chat/My Chat",
         "My Chat"},
        {"a colon", "/opt/a: b", NULL, "/opt/a: b", "a: b"},
        {"file unknown", "/usr/bin/curl", NULL, NULL, "curl"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(rows[i].name, pick(&rows[i]), rows[i].want);
}

/* P4: one program, one name in the record. */
static void test_program_is_not_called_by_its_title(void **state)
{
    static const char fpm[] = "/usr/sbin/php-fpm8.2";
    static const struct row rows[] = {
        {"pool, by its path", fpm, "php-fpm: pool www", fpm, "php-fpm8.2"},
        {"pool, by PATH", "php-fpm8.2", "php-fpm: pool www", fpm, "php-fpm8.2"},
        {"master", fpm, "php-fpm: master process (/etc/php/fpm.conf)", fpm,
         "php-fpm8.2"},
        {"shorter than the directory", fpm, "fpm", fpm, "php-fpm8.2"},
        {"a slash in it", "nginx", "nginx: worker /etc", "/usr/sbin/nginx",
         "nginx"},
        {"a script's", "/usr/bin/python3", "gunicorn: worker [app]",
         "/usr/bin/gunicorn", "gunicorn"},
        {"a slash at its end", fpm, "working on /a/", fpm, "php-fpm8.2"},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_TEXT(rows[i].name, pick(&rows[i]), rows[i].want);
}

static void test_program_has_a_name_whatever_is_not_known(void **state)
{
    (void)state;
    CHECK_TEXT("nothing", uns_program_pick(NULL, NULL, NULL), "?");
    CHECK_TEXT("file", uns_program_pick(NULL, NULL, "/bin/a"), "a");
    CHECK_TEXT("empty", uns_program_pick("", "", "/bin/a"), "a");
    CHECK_TEXT("a folder", uns_program_pick("a", "a", "/bin/"), "a");
    CHECK_TEXT("short name alone", uns_program_pick(NULL, "b", "/bin/a"), "a");
}

static void test_program_of_this_test(void **state)
{
    char *kept = program_invocation_short_name;

    (void)state;
    CHECK_TEXT("itself", uns_program_name(), "test_program");
    program_invocation_short_name += 2;
    CHECK_TEXT("moved", uns_program_name(), "test_program");
    program_invocation_short_name = kept;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program_is_called_as_it_was_started),
        cmocka_unit_test(test_program_is_not_called_by_its_title),
        cmocka_unit_test(test_program_has_a_name_whatever_is_not_known),
        cmocka_unit_test(test_program_of_this_test),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
