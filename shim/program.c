/* SPDX-License-Identifier: MIT */
/*
 * program - two libc variables point into the arguments, which a program may
 * write over.  What execve() was told lies behind arguments and environment,
 * where titles do not reach.  Not used without need: to a script it is the
 * script, and people list its interpreter.
 */
#include "program.h"

#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

/* Not in every libc. */
/* NOLINTBEGIN(readability-redundant-declaration): they add the weakness */
extern char *program_invocation_name __attribute__((weak));
extern char *program_invocation_short_name __attribute__((weak));

/* NOLINTEND(readability-redundant-declaration) */

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Not where a name would begin, or as titles are written. */
static int is_title(const char *argv0, const char *called)
{
    return !argv0 || base_of(argv0) != called || strstr(called, ": ");
}

const char *uns_program_pick(const char *argv0, const char *called,
                             const char *file)
{
    const char *real = file ? base_of(file) : NULL;

    if (!called || !*called)
        return real ? real : "?";
    if (!real || !*real || strcmp(called, real) == 0)
        return called;
    return is_title(argv0, called) ? real : called;
}

const char *uns_program_name(void)
{
    uintptr_t file = getauxval(AT_EXECFN);

    return uns_program_pick(
        &program_invocation_name ? program_invocation_name : NULL,
        &program_invocation_short_name ? program_invocation_short_name : NULL,
        (const char *)file);
}
