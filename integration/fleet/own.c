/* SPDX-License-Identifier: MIT */
/*
 * own - a program that runs a fleet of transfers in one of the kinds of
 * loops that applications have.
 *
 *     own poll|wait|fdset|fixed|epoll|all [FLEET'S ARGUMENTS...]
 */
#include "fleet.h"

#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <unistd.h>

static struct fleet fleet;

static int work(void)
{
    int running = -1;

    fleet_check(&fleet, curl_multi_perform(fleet.multi, &running), "perform");
    return running;
}

static void run_poll(void)
{
    while (!fleet_is_done(&fleet)) {
        fleet_reap(&fleet, work());
        if (!fleet_is_done(&fleet))
            fleet_check(
                &fleet,
                curl_multi_poll(fleet.multi, NULL, 0, fleet_pace(&fleet), NULL),
                "poll");
    }
}

static void run_wait(void)
{
    while (!fleet_is_done(&fleet)) {
        int ready = -1;

        fleet_reap(&fleet, work());
        fleet_check(
            &fleet,
            curl_multi_wait(fleet.multi, NULL, 0, fleet_pace(&fleet), &ready),
            "wait");
        if (ready < 0)
            fleet_breach(&fleet, "wait says %d", ready);
    }
}

/* Sleep by select(); at most `ms`. */
static void sleep_in_select(long ms)
{
    fd_set reads, writes, errors;
    struct timeval left;
    int max = -2;

    FD_ZERO(&reads);
    FD_ZERO(&writes);
    FD_ZERO(&errors);
    fleet_check(&fleet,
                curl_multi_fdset(fleet.multi, &reads, &writes, &errors, &max),
                "fdset");
    if (max < -1)
        fleet_breach(&fleet, "fdset says %d", max);
    if (max == -1 && ms > 100)
        ms = 100;
    left.tv_sec = ms / 1000;
    left.tv_usec = ms % 1000 * 1000;
    select(max + 1, &reads, &writes, &errors, &left);
}

static long asked_ms(void)
{
    long limit = fleet_pace(&fleet);
    long ms = -2;

    fleet_check(&fleet, curl_multi_timeout(fleet.multi, &ms), "timeout");
    if (ms < -1)
        fleet_breach(&fleet, "timeout says %ld", ms);
    return ms < 0 || ms > limit ? limit : ms;
}

static void run_fdset(void)
{
    while (!fleet_is_done(&fleet)) {
        fleet_reap(&fleet, work());
        sleep_in_select(asked_ms());
    }
}

/* Many programs never ask for the timeout. */
static void run_fixed(void)
{
    while (!fleet_is_done(&fleet)) {
        fleet_reap(&fleet, work());
        sleep_in_select(fleet_pace(&fleet) < 100 ? 10 : 100);
    }
}

static void run_all(void)
{
    while (!fleet_is_done(&fleet)) {
        int running = -1;

        fleet_check(&fleet, curl_multi_socket_all(fleet.multi, &running),
                    "socket_all");
        fleet_reap(&fleet, running);
        sleep_in_select(asked_ms());
    }
}

/* --- epoll ----------------------------------------------------------------*/

static int pool, timer;

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *assigned)
{
    struct epoll_event event = {.data.fd = fd};

    if (arg != &fleet)
        fleet_breach(&fleet, "socket callback's data");
    if (assigned && assigned != &fleet)
        fleet_breach(&fleet, "socket's data");
    fleet_saw_socket(&fleet, easy, fd, what);
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(pool, EPOLL_CTL_DEL, fd, NULL);
        return 0;
    }
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0u) |
                   (what & CURL_POLL_OUT ? EPOLLOUT : 0u);
    if (epoll_ctl(pool, assigned ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event))
        fleet_breach(&fleet, "socket %d is %s", fd,
                     assigned ? "not known" : "known already");
    curl_multi_assign(fleet.multi, fd, &fleet);
    return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *arg)
{
    struct itimerspec at = {0};

    if (arg != &fleet)
        fleet_breach(&fleet, "timer callback's data");
    fleet_saw_timer(&fleet, multi, timeout_ms);
    at.it_value.tv_sec = timeout_ms / 1000;
    at.it_value.tv_nsec = timeout_ms % 1000 * 1000000 + (timeout_ms == 0);
    if (timeout_ms < 0)
        at = (struct itimerspec){0};
    timerfd_settime(timer, 0, &at, NULL);
    return 0;
}

static void listen_in(struct fleet *of)
{
    struct epoll_event event = {.events = EPOLLIN};

    pool = epoll_create1(EPOLL_CLOEXEC);
    timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    event.data.fd = timer;
    epoll_ctl(pool, EPOLL_CTL_ADD, timer, &event);
    curl_multi_setopt(of->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(of->multi, CURLMOPT_SOCKETDATA, of);
    curl_multi_setopt(of->multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(of->multi, CURLMOPT_TIMERDATA, of);
}

static void act(int fd, unsigned events)
{
    int running = -1, mask = 0;
    uint64_t times;

    if (fd == timer && read(timer, &times, sizeof times) < 0)
        return; /* set anew meanwhile */
    /* An error is read from the socket: told as CURL_CSELECT_ERR alone, which
     * a reset does now and then, libcurl would call it a failed send. */
    mask |= events & (EPOLLIN | EPOLLHUP | EPOLLERR) ? CURL_CSELECT_IN : 0;
    mask |= events & EPOLLOUT ? CURL_CSELECT_OUT : 0;
    if (fd == timer)
        fd = CURL_SOCKET_TIMEOUT, mask = 0;
    fleet_check(&fleet,
                curl_multi_socket_action(fleet.multi, fd, mask, &running),
                "socket_action");
    fleet_reap(&fleet, running);
}

static void run_epoll(void)
{
    struct epoll_event events[16];

    while (!fleet_is_done(&fleet)) {
        int pace = fleet_pace(&fleet);
        int count;

        if (fleet.late_ms)
            act(timer, EPOLLIN);
        count = epoll_wait(pool, events, 16, pace);
        for (int i = 0; i < count; i++)
            act(events[i].data.fd, events[i].events);
    }
}

static const struct {
    const char *name;
    void (*ready)(struct fleet *fleet);
    void (*run)(void);
} kinds[] = {
    {"poll", NULL, run_poll},   {"wait", NULL, run_wait},
    {"fdset", NULL, run_fdset}, {"fixed", NULL, run_fixed},
    {"all", NULL, run_all},     {"epoll", listen_in, run_epoll},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && argc > 1; i++) {
        if (strcmp(argv[1], kinds[i].name) != 0)
            continue;
        fleet_open(&fleet, argv + 2, kinds[i].ready);
        kinds[i].run();
        return fleet_close(&fleet);
    }
    fprintf(stderr, "own poll|wait|fdset|fixed|all|epoll [ARGUMENT...]\n");
    return 2;
}
