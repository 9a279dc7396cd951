/* SPDX-License-Identifier: MIT */
/*
 * server - the listening socket and the one loop: epoll, then the timers.
 * Invariant: a connection is freed only between two turns, so no event of a
 * turn can name one that is gone.
 */
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define EVENTS 256

int mock_server_listen(int port, int *ret_port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof(address);
    const int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (bind(fd, (struct sockaddr *)&address, len) < 0 ||
        listen(fd, SOMAXCONN) < 0 ||
        getsockname(fd, (struct sockaddr *)&address, &len) < 0) {
        close(fd);
        return -1;
    }
    *ret_port = ntohs(address.sin_port);
    return fd;
}

/* A thousand streams are more than the usual limit allows. */
static void lift_limits(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    prctl(PR_SET_TIMERSLACK, 1L, 0L, 0L, 0L);
}

static int catch_signals(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC);
}

static int watch(int epoll, int fd, uint32_t events, void *owner)
{
    struct epoll_event event = {.events = events, .data.ptr = owner};

    return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

static void accept_all(struct mock_shared *shared, int epoll, int listener)
{
    const int on = 1;
    int fd;

    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >=
           0) {
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        watch(epoll, fd, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET,
              mock_conn_new(shared, fd));
    }
}

static int wait_for(struct mock_shared *shared, int epoll,
                    struct epoll_event *events)
{
    int64_t left_ns = mock_timer_next(&shared->timers);
    struct timespec timeout;

    if (left_ns == MOCK_NEVER)
        return epoll_pwait2(epoll, events, EVENTS, NULL, NULL);
    left_ns -= mock_timer_now();
    if (left_ns < 0)
        left_ns = 0;
    timeout.tv_sec = left_ns / 1000000000;
    timeout.tv_nsec = left_ns % 1000000000;
    return epoll_pwait2(epoll, events, EVENTS, &timeout, NULL);
}

/* One turn; false when it is time to stop. */
static bool turn(struct mock_shared *shared, int epoll, int listener)
{
    struct epoll_event events[EVENTS];
    int count = wait_for(shared, epoll, events);
    bool goes_on = count >= 0 || errno == EINTR;

    for (int i = 0; i < count; i++) {
        void *owner = events[i].data.ptr;

        if (owner == NULL)
            goes_on = false;
        else if (owner == shared)
            accept_all(shared, epoll, listener);
        else
            mock_conn_ready(owner, events[i].events);
    }
    mock_timer_run(&shared->timers, mock_timer_now());
    mock_conn_reap(shared);
    return goes_on;
}

int mock_server_run(struct mock_shared *shared, int listener)
{
    int signals = catch_signals();
    int epoll = epoll_create1(EPOLL_CLOEXEC);

    lift_limits();
    if (signals < 0 || epoll < 0 ||
        watch(epoll, listener, EPOLLIN, shared) < 0 ||
        watch(epoll, signals, EPOLLIN, NULL) < 0)
        return -1;
    while (turn(shared, epoll, listener)) {
    }
    while (shared->all)
        mock_conn_stop(shared->all);
    mock_conn_reap(shared);
    mock_timer_done(&shared->timers);
    close(epoll);
    close(signals);
    return 0;
}
