/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_STORE_H
#define UNS_CLI_STORE_H

/* store - the parts of `unstall store`.  Each does one of its words, and
 * returns the exit code. */

#include "select.h"

/* How long a command waits for locks: hosts give way in milliseconds. */
#define UNS_STORE_WAIT_MS 10000

struct uns_store_options {
    struct uns_common common;
    bool yes;
    const char *captures; /* a directory; NULL: none is looked into */
    int64_t days;         /* UNS_NULL: as configured */
    struct uns_select select;
};

int uns_store_check(const char *path, const struct uns_store_options *options);
int uns_store_purge(const char *path, const struct uns_store_options *options);

/* Give the space of deleted rows back to the file system, and empty the log:
 * nothing of what was deleted is left in either. */
UNS_MUST_USE enum uns_err uns_store_shrink(const char *path);

/* "unstall store: PATH: why", on stderr. */
int uns_store_fail(const char *path, enum uns_err err);

#endif
