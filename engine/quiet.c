/* SPDX-License-Identifier: MIT */
/*
 * quiet - holds the application's signals and cancellation off this thread
 * while we hold a lock or write a file.  It installs no handler and changes
 * no disposition: the mask is put back as it was.
 */
#include "quiet.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

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

int uns_quiet_open(const char *path, int flags, int mode)
{
    int low = open(path, flags | O_CLOEXEC, mode);
    int high;

    if (low < 0 || low > STDERR_FILENO)
        return low;
    high = fcntl(low, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(low);
    return high;
}
