/* SPDX-License-Identifier: MIT */
/* The kill switch and the names of programs.  The environment is read once in
 * a process, so each case has one of its own. */
#include "check.h"
#include "shim/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void test_settings_lists_whole_names(void **state)
{
    static const struct {
        const char *list, *name;
        bool want;
    } rows[] = {
        {"curl", "curl", true},       {"curl,php", "php", true},
        {"php,curl,x", "curl", true}, {"php,curl", "cur", false},
        {"php,curl", "url", false},   {"curl.old", "curl", false},
        {"", "curl", false},          {",", "curl", false},
        {",,curl,", "curl", true},    {"a,,b", "", false},
        {"Curl", "curl", false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++)
        CHECK_INT(rows[i].list, uns_settings_lists(rows[i].list, rows[i].name),
                  rows[i].want);
}

struct env {
    const char *row, *name, *value;
    bool off, keep_deepbind, any;
};

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* In the child: 0 when the settings are as they should be. */
static int settings_differ(const struct env *env)
{
    const struct uns_settings *settings;

    setenv(env->name, env->value, 1);
    errno = 1234;
    settings = uns_settings();
    if (errno != 1234)
        return 1;
    if (settings->off != env->off || settings->any != env->any)
        return 2;
    if (settings->keep_deepbind != env->keep_deepbind)
        return 5;
    setenv("UNSTALL", "off", 1);
    unsetenv("UNSTALL_MATCH");
    if (uns_settings() != settings)
        return 3;
    return strcmp(env->name, "UNSTALL_MATCH") == 0 &&
                   !same(settings->match, env->value)
               ? 4
               : 0;
}

static void test_settings_follow_the_environment(void **state)
{
    static const struct env rows[] = {
        {"nothing", "UNSTALL_X", "x", false, false, false},
        {"the kill switch", "UNSTALL", "off", true, false, false},
        {"no kill switch", "UNSTALL", "on", false, false, false},
        {"only this", "UNSTALL_ONLY", "x,test_settings", false, false, false},
        {"only others", "UNSTALL_ONLY", "x,y", true, false, false},
        {"only, but empty", "UNSTALL_ONLY", "", false, false, false},
        {"all but this", "UNSTALL_EXCEPT", "test_settings", true, false, false},
        {"all but others", "UNSTALL_EXCEPT", "x,y", false, false, false},
        {"except, empty", "UNSTALL_EXCEPT", "", false, false, false},
        {"further matches", "UNSTALL_MATCH", "chat=h/*", false, false, false},
        {"deep binding", "UNSTALL_DEEPBIND", "keep", false, true, false},
        {"no such word", "UNSTALL_DEEPBIND", "kept", false, false, false},
        {"any transfer", "UNSTALL_TEST", "any", false, false, true},
        {"another test", "UNSTALL_TEST", "x", false, false, false},
    };

    (void)state;
    for (size_t i = 0; i < ROWS(rows); i++) {
        pid_t pid = fork();
        int status = -1;

        if (pid == 0)
            _exit(settings_differ(&rows[i]));
        assert_int_equal(waitpid(pid, &status, 0), pid);
        CHECK_INT(rows[i].row, WEXITSTATUS(status), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_settings_lists_whole_names),
        cmocka_unit_test(test_settings_follow_the_environment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
