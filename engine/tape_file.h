/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_TAPE_FILE_H
#define UNS_ENGINE_TAPE_FILE_H

/* tape_file - the file under a tape: made and added to without a descriptor
 * that stays, or a signal that reaches the host. */

#include "core/err.h"
#include "core/units.h"

#include <limits.h>
#include <sys/types.h>

struct uns_tape_file {
    char path[PATH_MAX];
    size_t size; /* all of it is ours, and whole */
    pid_t pid;   /* who made it: a child goes on without */
};

/* Name and make it: in `dir`, which is this user's, and has no more than
 * UNS_TAPE_FILES.  `number`, `seq`: of the call and of its attempt. */
UNS_MUST_USE enum uns_err uns_tape_file_make(struct uns_tape_file *file,
                                             const char *dir, unsigned number,
                                             unsigned seq);

/* Add the slices, all or nothing.  IO: it cannot be, and shall end there. */
UNS_MUST_USE enum uns_err uns_tape_file_add(struct uns_tape_file *file,
                                            const struct uns_slice *slices,
                                            size_t count);

#endif
