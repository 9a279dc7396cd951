/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_LDCACHE_H
#define UNS_CLI_LDCACHE_H

/* ldcache - reads /etc/ld.so.cache: which file the dynamic loader of glibc
 * takes for a library's name.  Pure, and the file is not trusted. */

#include "core/units.h"

#include <stdbool.h>

/* One entry.  Both texts are borrowed from the file. */
struct uns_ldcache_entry {
    const char *name; /* "libcurl.so.4" */
    const char *path;
};

/* The entry after *at, which is 0 at first.  Entries for other machines are
 * among them, so a file has to be looked at before it is believed.  False:
 * that was the last. */
bool uns_ldcache_next(struct uns_slice file, size_t *at,
                      struct uns_ldcache_entry *ret_entry);

#endif
