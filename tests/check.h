/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_CHECK_H
#define UNS_TESTS_CHECK_H

/* check - cmocka, and comparisons that name the row of a table and print
 * numbers as people read them. */

#include "core/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define CHECK_INT(row, got, want)                                         \
    check_int((row), #got, (long long)(got), (long long)(want), __FILE__, \
              __LINE__)
#define CHECK_TEXT(row, got, want) \
    check_text((row), #got, (got), (want), __FILE__, __LINE__)
#define CHECK_SLICE(row, got, want) \
    check_slice((row), #got, (got), (want), __FILE__, __LINE__)

static inline void check_int(const char *row, const char *what, long long got,
                             long long want, const char *file, int line)
{
    if (got == want)
        return;
    print_error("%s: %s is %lld, not %lld\n", row, what, got, want);
    _fail(file, line);
}

static inline void check_text(const char *row, const char *what,
                              const char *got, const char *want,
                              const char *file, int line)
{
    if (got == want || (got && want && strcmp(got, want) == 0))
        return;
    print_error("%s: %s is\n  %s\nnot\n  %s\n", row, what, got ? got : "(null)",
                want ? want : "(null)");
    _fail(file, line);
}

static inline void check_slice(const char *row, const char *what,
                               struct uns_slice got, const char *want,
                               const char *file, int line)
{
    if (got.len == strlen(want) &&
        (got.len == 0 || memcmp(got.data, want, got.len) == 0))
        return;
    print_error("%s: %s is '%.*s', not '%s'\n", row, what, (int)got.len,
                got.data, want);
    _fail(file, line);
}

#define ROWS(table) (sizeof(table) / sizeof *(table))

#endif
