/* SPDX-License-Identifier: MIT */
/* run_capture - the directory of `unstall run --capture`: made for its owner
 * alone before anything starts, and never filled without a word. */
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool uns_run_capture_make(const char *dir, char ret_path[PATH_MAX])
{
    struct stat st;

    if (mkdir(dir, 0700) != 0 && errno != EEXIST)
        return uns_args_fail("run", "--capture %s: %s", dir, strerror(errno)),
               false;
    if (realpath(dir, ret_path) == NULL || stat(ret_path, &st) != 0)
        return uns_args_fail("run", "--capture %s: %s", dir, strerror(errno)),
               false;
    if (!S_ISDIR(st.st_mode) || st.st_uid != geteuid() ||
        access(ret_path, W_OK | X_OK) != 0)
        return uns_args_fail("run",
                             "--capture %s: no directory of yours that you "
                             "can write",
                             dir),
               false;
    return true;
}

void uns_run_capture_announce(void)
{
    const char *dir = getenv(UNS_RUN_CAPTURE);

    if (dir && *dir)
        fprintf(stderr,
                "unstall: every answer is kept in %s, with its text; no "
                "prompt and no key is (" UNS_RUN_CAPTURE ")\n",
                dir);
}
