/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_SCRATCH_H
#define UNS_TESTS_SCRATCH_H

/* scratch - a directory of files for one test, gone after it. */

#include "check.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

struct scratch {
    char dir[64];
    char path[PATH_MAX]; /* of the last scratch_path() */
};

static inline int scratch_begin(void **state)
{
    struct scratch *scratch = calloc(1, sizeof *scratch);

    memcpy(scratch->dir, "/tmp/unstall-test-XXXXXX", 25);
    *state = scratch;
    return mkdtemp(scratch->dir) ? 0 : -1;
}

static inline int scratch_remove(const char *path, const struct stat *st,
                                 int kind, struct FTW *at)
{
    (void)st;
    (void)kind;
    (void)at;
    return remove(path);
}

static inline int scratch_end(void **state)
{
    struct scratch *scratch = *state;
    int rc = nftw(scratch->dir, scratch_remove, 8, FTW_DEPTH | FTW_PHYS);

    free(scratch);
    return rc;
}

/* Borrowed until the next call. */
static inline const char *scratch_path(struct scratch *scratch,
                                       const char *name)
{
    snprintf(scratch->path, sizeof scratch->path, "%s/%s", scratch->dir, name);
    return scratch->path;
}

static inline void scratch_mkdir(struct scratch *scratch, const char *name)
{
    assert_int_equal(mkdir(scratch_path(scratch, name), 0700), 0);
}

/* With that text and mode. */
static inline void scratch_write(struct scratch *scratch, const char *name,
                                 const char *text, mode_t mode)
{
    FILE *out = fopen(scratch_path(scratch, name), "w");

    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(chmod(scratch->path, mode), 0);
}

#endif
