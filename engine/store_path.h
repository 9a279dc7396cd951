/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STORE_PATH_H
#define UNS_ENGINE_STORE_PATH_H

/*
 * store_path - makes sure that the database is where only its owner reads it.
 * Directories are made 0700 and the file 0600 whatever the umask; what lies
 * in a directory of somebody else, or is reached by a link, is not written.
 */

#include "core/err.h"

#include <limits.h>

/* Create what is missing.  `ret_real`: the path without any link in it.
 * UNSUPPORTED: directory or file is somebody else's, or no plain file. */
UNS_MUST_USE enum uns_err uns_store_prepare(const char *path,
                                            char ret_real[PATH_MAX]);

/* For readers; nothing is created.  NOTFOUND: there is no such file. */
UNS_MUST_USE enum uns_err uns_store_locate(const char *path,
                                           char ret_real[PATH_MAX]);

#endif
