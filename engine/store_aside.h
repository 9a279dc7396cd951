/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STORE_ASIDE_H
#define UNS_ENGINE_STORE_ASIDE_H

/*
 * store_aside - a damaged database makes room for a new one, so that calls are
 * recorded again (P4).  It is renamed, never deleted: DB.damaged-TIME, with
 * its log beside it.  Nobody is told by the host; commands tell (cli/aside.c).
 */

#include "core/err.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* So many are kept: where every file is damaged, the disk is. */
#define UNS_ASIDE_MOST 4

/* Which file lay at a path. */
struct uns_aside_file {
    dev_t dev;
    ino_t ino;
};

/* False: there is no file. */
bool uns_aside_look(const char *real, struct uns_aside_file *ret_file);

/* Was that a database of ours before it was damaged?  It still begins like
 * one, or has the name that we give.  Anything else may be somebody's letter,
 * and stays where it is. */
bool uns_aside_may(const char *real);

/* Rename it, if it still is the file that was found damaged: another process
 * may have done the same, and what is there now is the new one.  BUSY: the
 * other one is about to.  UNSUPPORTED: it is left alone. */
UNS_MUST_USE enum uns_err uns_aside_put(const char *real,
                                        const struct uns_aside_file *file);

/* Calls `each` for every file that was set aside from the database `path`. */
typedef void uns_aside_fn(const char *aside, void *arg);
void uns_aside_each(const char *path, uns_aside_fn *each, void *arg);

#endif
