/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_QUIET_H
#define UNS_ENGINE_QUIET_H

/*
 * quiet - a stretch of our own work on the application's thread in which
 * nothing of the application's can run, and after which nothing shows: its
 * signal handlers wait (one that leaves by longjmp, exit or fork would leave
 * our locks taken), the thread cannot be cancelled, errno is kept, and the
 * signals that a write may raise against us (SIGXFSZ, SIGPIPE) are taken away
 * unless they were there before.  Stretches nest, and last milliseconds.
 */

#include <signal.h>

struct uns_quiet {
    /* private */
    sigset_t mask;
    sigset_t pending;
    int cancel;
    int error;
};

void uns_quiet_begin(struct uns_quiet *quiet);
void uns_quiet_end(const struct uns_quiet *quiet);

/* open(2), close-on-exec and never as descriptor 0, 1 or 2: where the host has
 * closed those it may take ours for its output.  -1 with errno: it failed. */
int uns_quiet_open(const char *path, int flags, int mode);

#endif
