/* SPDX-License-Identifier: MIT */
/*
 * quiet - holds the application's signals and cancellation off this thread
 * while we hold a lock or write a file.  It installs no handler and changes
 * no disposition: the mask is put back as it was.
 */
#include "quiet.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static const int ours[] = {SIGXFSZ, SIGPIPE};

void uns_quiet_begin(struct uns_quiet *quiet)
{
    sigset_t all;

    quiet->error = errno;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &quiet->mask);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &quiet->cancel);
    sigpending(&quiet->pending);
}

/* A write beyond RLIMIT_FSIZE would otherwise kill the host as soon as the
 * mask is put back. */
static void take_away(int signal, const struct uns_quiet *quiet)
{
    const struct timespec at_once = {0, 0};
    sigset_t pending, one;

    sigpending(&pending);
    if (!sigismember(&pending, signal) || sigismember(&quiet->pending, signal))
        return;
    sigemptyset(&one);
    sigaddset(&one, signal);
    (void)sigtimedwait(&one, NULL, &at_once);
}

void uns_quiet_end(const struct uns_quiet *quiet)
{
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        take_away(ours[i], quiet);
    pthread_setcancelstate(quiet->cancel, NULL);
    pthread_sigmask(SIG_SETMASK, &quiet->mask, NULL);
    errno = quiet->error;
}
