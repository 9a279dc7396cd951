/* SPDX-License-Identifier: MIT */
/*
 * replay_serve - one thread, one poll, a slot a connection.  What a client does
 * not take is kept: an answer is in memory anyway.
 */
#include "replay.h"

#include "cli.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CONNECTIONS 64

struct connection {
    int fd; /* -1: free */
    struct uns_replay replay;
    char *bytes; /* to be sent */
    size_t len, sent;
};

struct server {
    const struct uns_tape_text *tape;
    double speed;
    int fd;
    size_t served; /* answers that have ended */
    struct connection connection[CONNECTIONS];
};

static uns_ns now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * UNS_S + t.tv_nsec;
}

static int fail(const char *what)
{
    fprintf(stderr, "unstall replay: %s: %s\n", what, strerror(errno));
    return UNS_EXIT_FAILED;
}

static int listen_at(unsigned port, unsigned *ret_port)
{
    struct sockaddr_in at = {.sin_family = AF_INET,
                             .sin_port = htons((uint16_t)port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int on = 1;

    if (fd < 0)
        return -1;
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 ||
        listen(fd, CONNECTIONS) != 0 ||
        getsockname(fd, (struct sockaddr *)&at, &size) != 0) {
        close(fd);
        return -1;
    }
    *ret_port = ntohs(at.sin_port);
    return fd;
}

static void drop(struct server *server, struct connection *c)
{
    server->served += c->replay.state != UNS_REPLAY_READING;
    fclose(c->replay.out);
    free(c->bytes);
    close(c->fd);
    *c = (struct connection){.fd = -1};
}

static struct connection *free_slot(struct server *server)
{
    for (size_t i = 0; i < CONNECTIONS; i++)
        if (server->connection[i].fd < 0)
            return &server->connection[i];
    return NULL;
}

static void accept_one(struct server *server)
{
    int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    struct connection *c = free_slot(server);
    FILE *out;

    if (fd < 0)
        return;
    out = c ? open_memstream(&c->bytes, &c->len) : NULL;
    if (out == NULL) {
        close(fd);
        return;
    }
    c->fd = fd;
    uns_replay_init(&c->replay, server->tape, server->speed, out);
}

/* False: the client is gone, or speaks something else. */
static bool hear(struct connection *c)
{
    char bytes[16384];
    ssize_t got = recv(c->fd, bytes, sizeof bytes, 0);

    if (got < 0)
        return errno == EAGAIN || errno == EINTR;
    return got > 0 &&
           uns_replay_take(&c->replay, (struct uns_slice){bytes, (size_t)got},
                           now());
}

/* False: it is over. */
static bool speak(struct connection *c)
{
    ssize_t sent;

    uns_replay_pump(&c->replay, now());
    if (fflush(c->replay.out) != 0)
        return false;
    while (c->sent < c->len) {
        sent = send(c->fd, c->bytes + c->sent, c->len - c->sent, MSG_NOSIGNAL);
        if (sent < 0)
            return errno == EAGAIN || errno == EINTR;
        c->sent += (size_t)sent;
    }
    return c->replay.state != UNS_REPLAY_OVER;
}

/* Milliseconds until something is due, rounded up; -1: nothing is. */
static int patience(const struct server *server)
{
    uns_ns until = UNS_NEVER, left;

    for (size_t i = 0; i < CONNECTIONS; i++) {
        const struct connection *c = &server->connection[i];
        uns_ns at = c->fd < 0 ? UNS_NEVER : uns_replay_deadline(&c->replay);

        until = at < until ? at : until;
    }
    if (until == UNS_NEVER)
        return -1;
    left = (until - now() + UNS_MS - 1) / UNS_MS;
    return left < 0 ? 0 : left > 60000 ? 60000 : (int)left;
}

/* Of a slot that is not used the descriptor is -1, which poll() skips. */
static void fill(const struct server *server, struct pollfd *polled)
{
    polled[CONNECTIONS] = (struct pollfd){.fd = server->fd, .events = POLLIN};
    for (size_t i = 0; i < CONNECTIONS; i++) {
        const struct connection *c = &server->connection[i];

        polled[i] = (struct pollfd){
            .fd = c->fd,
            .events = (short)(POLLIN | (c->sent < c->len ? POLLOUT : 0))};
    }
}

static void turn(struct server *server, const struct pollfd *polled)
{
    for (size_t i = 0; i < CONNECTIONS; i++) {
        struct connection *c = &server->connection[i];

        if (c->fd < 0)
            continue;
        if ((polled[i].revents != 0 && !hear(c)) || !speak(c))
            drop(server, c);
    }
    if (polled[CONNECTIONS].revents != 0)
        accept_one(server);
}

static int serve(struct server *server, bool once)
{
    struct pollfd polled[CONNECTIONS + 1];

    while (!once || server->served == 0) {
        fill(server, polled);
        if (poll(polled, CONNECTIONS + 1, patience(server)) < 0 &&
            errno != EINTR)
            return fail("poll");
        turn(server, polled);
    }
    return UNS_EXIT_OK;
}

int uns_replay_serve(const struct uns_tape_text *tape, unsigned port,
                     double speed, bool once)
{
    struct server *server = calloc(1, sizeof *server);
    const char *path = uns_tape_read_word(tape, "path");
    int code;

    if (server == NULL)
        return fail("memory");
    server->tape = tape;
    server->speed = speed;
    for (size_t i = 0; i < CONNECTIONS; i++)
        server->connection[i].fd = -1;
    server->fd = listen_at(port, &port);
    if (server->fd < 0) {
        free(server);
        return fail("127.0.0.1");
    }
    printf("http://127.0.0.1:%u%s\n", port, path ? path : "/");
    fflush(stdout);
    code = serve(server, once);
    for (size_t i = 0; i < CONNECTIONS; i++)
        if (server->connection[i].fd >= 0)
            drop(server, &server->connection[i]);
    close(server->fd);
    free(server);
    return code;
}
