/* SPDX-License-Identifier: MIT */
/*
 * hedge_serve - an LLM server that answers each request at a time drawn from
 * one of the worlds.  One thread, so that its own times are told by nothing
 * but the clock.  Prints its port, and at SIGTERM how many it was asked.
 *
 *   hedge_serve WORLD SEED
 */
#include "hedge_world.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS 1024 /* by descriptor */
#define NOT_DUE     INT64_MAX

static const char head[] = "HTTP/1.1 200 OK\r\n"
                           "content-type: text/event-stream\r\n"
                           "content-length: 141\r\n\r\n";
static const char body[] =
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Tide\"}}]}\n\n"
    "data: {\"choices\":[{\"index\":0,\"delta\":{},"
    "\"finish_reason\":\"stop\"}]}\n\n"
    "data: [DONE]\n\n";

_Static_assert(sizeof body - 1 == 141, "as content-length says");

static struct connection {
    int64_t due_ns;
    char request[4096];
    size_t len;
} connections[CONNECTIONS];

static struct {
    const struct world *world;
    struct draw draw;
    int poll, listener, timer, signals;
    unsigned long requests;
} server;

static int64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static void watch(int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};

    epoll_ctl(server.poll, EPOLL_CTL_ADD, fd, &event);
}

static void hang_up(int fd)
{
    connections[fd].due_ns = NOT_DUE;
    close(fd);
}

static void say(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) < 0)
        hang_up(fd);
}

static void greet(void)
{
    int fd = accept4(server.listener, NULL, NULL, SOCK_NONBLOCK);
    int on = 1;

    if (fd < 0)
        return;
    if (fd >= CONNECTIONS) {
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    connections[fd] = (struct connection){.due_ns = NOT_DUE};
    watch(fd);
}

static bool is_complete(const struct connection *c)
{
    const char *end = strstr(c->request, "\r\n\r\n");
    const char *length = strcasestr(c->request, "content-length:");

    return end && length &&
           c->len >=
               (size_t)(end + 4 - c->request) + strtoul(length + 15, NULL, 10);
}

static void hear(int fd)
{
    struct connection *c = &connections[fd];
    ssize_t n = read(fd, c->request + c->len, sizeof c->request - 1 - c->len);

    if (n <= 0) {
        hang_up(fd);
        return;
    }
    c->len += (size_t)n;
    c->request[c->len] = '\0';
    if (!is_complete(c))
        return;
    c->len = 0;
    server.requests++;
    c->due_ns = now_ns() +
                (int64_t)(draw_time(&server.draw, &server.world->kind) * 1e6);
    if (server.world->early)
        say(fd, head);
}

/* Answer what is due, and set the timer for what is not. */
static void answer(void)
{
    int64_t now = now_ns(), next = NOT_DUE;

    for (int fd = 0; fd < CONNECTIONS; fd++) {
        struct connection *c = &connections[fd];
        char all[sizeof head + sizeof body];

        if (c->due_ns <= now) {
            c->due_ns = NOT_DUE;
            snprintf(all, sizeof all, "%s%s", server.world->early ? "" : head,
                     body);
            say(fd, all);
        } else if (c->due_ns < next) {
            next = c->due_ns;
        }
    }
    if (next != NOT_DUE) {
        struct itimerspec at = {
            .it_value = {next / 1000000000, next % 1000000000}
        };

        timerfd_settime(server.timer, TFD_TIMER_ABSTIME, &at, NULL);
    }
}

static void listen_somewhere(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t len = sizeof address;

    server.listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (bind(server.listener, (struct sockaddr *)&address, len) ||
        listen(server.listener, 256) ||
        getsockname(server.listener, (struct sockaddr *)&address, &len))
        exit(1);
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
}

static void open_all(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    server.poll = epoll_create1(0);
    server.signals = signalfd(-1, &set, 0);
    server.timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    listen_somewhere();
    watch(server.signals);
    watch(server.timer);
    watch(server.listener);
    for (int fd = 0; fd < CONNECTIONS; fd++)
        connections[fd].due_ns = NOT_DUE;
}

static void serve(int fd)
{
    uint64_t ticks;

    if (fd == server.listener)
        greet();
    else if (fd == server.timer)
        (void)!read(fd, &ticks, sizeof ticks);
    else
        hear(fd);
}

int main(int argc, char **argv)
{
    struct epoll_event events[64];

    server.world = world_of(argv[1]);
    server.draw.state = argc > 2 ? strtoul(argv[2], NULL, 10) : 1;
    open_all();
    for (;;) {
        int count = epoll_wait(server.poll, events, 64, -1);

        for (int i = 0; i < count; i++) {
            if (events[i].data.fd == server.signals) {
                printf("%lu\n", server.requests);
                return 0;
            }
            serve(events[i].data.fd);
        }
        answer();
    }
}
