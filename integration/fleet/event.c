/* SPDX-License-Identifier: MIT */
/* event - a fleet of transfers in libevent's loop. */
#include "fleet.h"

#include <event2/event.h>

static struct fleet fleet;
static struct event_base *base;
static struct event *timer, *pacer;

static void act(curl_socket_t fd, int mask)
{
    int running = -1;

    fleet_check(&fleet,
                curl_multi_socket_action(fleet.multi, fd, mask, &running),
                "socket_action");
    fleet_reap(&fleet, running);
    if (fleet_is_done(&fleet))
        event_base_loopbreak(base);
}

static void on_ready(evutil_socket_t fd, short events, void *arg)
{
    (void)arg;
    act(fd, (events & EV_READ ? CURL_CSELECT_IN : 0) |
                (events & EV_WRITE ? CURL_CSELECT_OUT : 0));
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *assigned)
{
    struct event *event = assigned;

    (void)arg;
    fleet_saw_socket(&fleet, easy, fd, what);
    if (event)
        event_free(event);
    event = NULL;
    if (what != CURL_POLL_REMOVE) {
        event = event_new(base, fd,
                          (short)((what & CURL_POLL_IN ? EV_READ : 0) |
                                  (what & CURL_POLL_OUT ? EV_WRITE : 0) |
                                  EV_PERSIST),
                          on_ready, NULL);
        event_add(event, NULL);
    }
    curl_multi_assign(fleet.multi, fd, event);
    return 0;
}

static void on_time(evutil_socket_t fd, short events, void *arg)
{
    (void)fd, (void)events, (void)arg;
    act(CURL_SOCKET_TIMEOUT, 0);
}

static int on_timer(CURLM *multi, long timeout_ms, void *arg)
{
    struct timeval left = {timeout_ms / 1000, timeout_ms % 1000 * 1000};

    (void)arg;
    fleet_saw_timer(&fleet, multi, timeout_ms);
    if (timeout_ms < 0)
        evtimer_del(timer);
    else
        evtimer_add(timer, &left);
    return 0;
}

static void on_pace(evutil_socket_t fd, short events, void *arg)
{
    (void)fd, (void)events, (void)arg;
    fleet_pace(&fleet);
}

static void listen_in(struct fleet *of)
{
    static const struct timeval pace = {0, 10000};

    base = event_base_new();
    timer = evtimer_new(base, on_time, NULL);
    pacer = event_new(base, -1, EV_PERSIST, on_pace, NULL);
    event_add(pacer, &pace);
    curl_multi_setopt(of->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(of->multi, CURLMOPT_TIMERFUNCTION, on_timer);
}

int main(int argc, char **argv)
{
    int code;

    (void)argc;
    fleet_open(&fleet, argv + 1, listen_in);
    event_base_dispatch(base);
    code = fleet_close(&fleet);
    event_free(timer);
    event_free(pacer);
    event_base_free(base);
    return code;
}
