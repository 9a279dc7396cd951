/* SPDX-License-Identifier: MIT */
#include "alarm.h"

#include <stdbool.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Hosts close descriptors that they do not know, and open others of the same
 * number: only a timer can be ours. */
static bool is_timer(int fd)
{
    struct itimerspec now;

    return fd >= 0 && timerfd_gettime(fd, &now) == 0;
}

int uns_alarm_set(int *fd, uns_ns due_ns)
{
    struct itimerspec at = {0};

    if (due_ns == UNS_NEVER)
        return UNS_ALARM_NONE;
    if (!is_timer(*fd))
        *fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (*fd < 0)
        return UNS_ALARM_NONE;
    at.it_value.tv_sec = due_ns / UNS_S;
    at.it_value.tv_nsec = due_ns % UNS_S + (due_ns == 0); /* 0: disarmed */
    (void)timerfd_settime(*fd, TFD_TIMER_ABSTIME, &at, NULL);
    return *fd;
}

void uns_alarm_close(int *fd)
{
    if (is_timer(*fd))
        (void)close(*fd);
    *fd = UNS_ALARM_NONE;
}
