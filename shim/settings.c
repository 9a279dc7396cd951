/* SPDX-License-Identifier: MIT */

/*
 * settings - reads the environment once.  Without memory for the answer, and
 * in set-user-id programs, whose environment is a stranger's, we are off.
 */

#include "settings.h"

#include "program.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static const struct uns_settings off = {.off = true};

bool uns_settings_lists(const char *list, const char *name)
{
    size_t len = strlen(name);

    while (*list) {
        size_t item = strcspn(list, ",");

        if (item == len && len && memcmp(list, name, len) == 0)
            return true;
        list += item + (list[item] == ',');
    }
    return false;
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A script's interpreter may be called python3 and be python3.11. */
static bool program_in(const char *list)
{
    char exe[4096];
    ssize_t len;

    if (uns_settings_lists(list, uns_program_name()))
        return true;
    len = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
    if (len <= 0)
        return false;
    exe[len] = '\0';
    return uns_settings_lists(list, base_of(exe));
}

static bool is_set_to(const char *variable, const char *value)
{
    const char *found = getenv(variable);

    return found && strcmp(found, value) == 0;
}

static bool is_off(void)
{
    const char *only = getenv("UNSTALL_ONLY");
    const char *except = getenv("UNSTALL_EXCEPT");

    return is_set_to("UNSTALL", "off") || getauxval(AT_SECURE) ||
           (only && *only && !program_in(only)) ||
           (except && program_in(except));
}

static bool is_set(const char *variable)
{
    const char *found = getenv(variable);

    return found && *found;
}

static const struct uns_settings *read_settings(void)
{
    const char *match = getenv("UNSTALL_MATCH");
    size_t len = match ? strlen(match) + 1 : 0;
    struct uns_settings *settings;

    if (is_off())
        return &off;
    settings = malloc(sizeof(*settings) + len);
    if (!settings)
        return &off;
    *settings = (struct uns_settings){
        .keep_deepbind = is_set_to("UNSTALL_DEEPBIND", "keep"),
        .any = is_set_to("UNSTALL_TEST", "any"),
        .plan = is_set("UNSTALL_PLAN"),
    };
    if (len)
        settings->match = memcpy(settings + 1, match, len);
    return settings;
}

const struct uns_settings *uns_settings(void)
{
    static _Atomic(const struct uns_settings *) kept;
    const struct uns_settings *settings =
        atomic_load_explicit(&kept, memory_order_acquire);
    const struct uns_settings *fresh;
    int saved_errno = errno;

    if (settings)
        return settings;
    fresh = read_settings();
    if (atomic_compare_exchange_strong(&kept, &settings, fresh))
        settings = fresh;
    else if (fresh != &off)
        free((void *)(uintptr_t)fresh);
    errno = saved_errno;
    return settings;
}
