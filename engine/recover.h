/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_RECOVER_H
#define UNS_ENGINE_RECOVER_H

/*
 * recover - takes into the store what processes have left in their flight
 * recorders: calls that were in flight when they died, as outcome `killed`,
 * and finished ones that the store could not take (P4).  A file is claimed
 * before, and a call that the store has already is not written again.
 */

#include <stdbool.h>
#include <stddef.h>

enum uns_recover_who {
    UNS_RECOVER_HOST,   /* at a host's exit: orphans, and not for long */
    UNS_RECOVER_COMMAND /* all, finished calls of living processes, too */
};

/* Returns how many calls were written (or were there).  What cannot be written
 * stays where it is.  Keeps errno. */
size_t uns_recover(const char *store, enum uns_recover_who who);

#endif
