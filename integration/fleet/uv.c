/* SPDX-License-Identifier: MIT */
/* uv - a fleet of transfers in libuv's loop. */
#include "fleet.h"

#include <stdlib.h>
#include <uv.h>

static struct fleet fleet;
static uv_timer_t timer, pacer;

static void act(curl_socket_t fd, int mask)
{
    int running = -1;

    fleet_check(&fleet,
                curl_multi_socket_action(fleet.multi, fd, mask, &running),
                "socket_action");
    fleet_reap(&fleet, running);
    if (fleet_is_done(&fleet))
        uv_stop(uv_default_loop());
}

static void on_ready(uv_poll_t *poll, int status, int events)
{
    uv_os_fd_t fd;
    int mask = status < 0 ? CURL_CSELECT_IN : 0; /* the read will tell why */

    if (uv_fileno((uv_handle_t *)poll, &fd) != 0)
        return;
    mask |= events & UV_READABLE ? CURL_CSELECT_IN : 0;
    mask |= events & UV_WRITABLE ? CURL_CSELECT_OUT : 0;
    act(fd, mask);
}

static void on_closed(uv_handle_t *handle)
{
    free(handle);
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *assigned)
{
    uv_poll_t *poll = assigned;

    (void)arg;
    fleet_saw_socket(&fleet, easy, fd, what);
    if (what == CURL_POLL_REMOVE) {
        if (poll) {
            uv_poll_stop(poll);
            uv_close((uv_handle_t *)poll, on_closed);
        }
        return 0;
    }
    if (!poll) {
        poll = calloc(1, sizeof *poll);
        if (!poll || uv_poll_init_socket(uv_default_loop(), poll, fd) != 0)
            fleet_breach(&fleet, "socket %d cannot be watched", fd);
        curl_multi_assign(fleet.multi, fd, poll);
    }
    uv_poll_start(poll,
                  (what & CURL_POLL_IN ? UV_READABLE : 0) |
                      (what & CURL_POLL_OUT ? UV_WRITABLE : 0),
                  on_ready);
    return 0;
}

static void on_time(uv_timer_t *handle)
{
    (void)handle;
    act(CURL_SOCKET_TIMEOUT, 0);
}

static int on_timer(CURLM *multi, long timeout_ms, void *arg)
{
    (void)arg;
    fleet_saw_timer(&fleet, multi, timeout_ms);
    if (timeout_ms < 0)
        uv_timer_stop(&timer);
    else
        uv_timer_start(&timer, on_time, (uint64_t)timeout_ms, 0);
    return 0;
}

static void on_pace(uv_timer_t *handle)
{
    (void)handle;
    fleet_pace(&fleet);
}

static void listen_in(struct fleet *of)
{
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_init(uv_default_loop(), &pacer);
    uv_timer_start(&pacer, on_pace, 10, 10);
    curl_multi_setopt(of->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(of->multi, CURLMOPT_TIMERFUNCTION, on_timer);
}

int main(int argc, char **argv)
{
    int code;

    (void)argc;
    fleet_open(&fleet, argv + 1, listen_in);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    code = fleet_close(&fleet);
    uv_close((uv_handle_t *)&timer, NULL);
    uv_close((uv_handle_t *)&pacer, NULL);
    uv_run(uv_default_loop(), UV_RUN_DEFAULT);
    uv_loop_close(uv_default_loop());
    return code;
}
