/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_ASIDE_H
#define UNS_CLI_ASIDE_H

/* aside - tells of damaged databases that a host has set aside, where it may
 * say nothing itself. */

#include <stddef.h>

/* Say it on stderr, once for each: the first command that reads the database
 * `path`.  (It is told when it cannot be written any more.) */
void uns_aside_tell(const char *path);

/* Delete them, with their companions.  Returns how many. */
size_t uns_aside_delete(const char *path);

#endif
