/* SPDX-License-Identifier: MIT */
/*
 * conn - one connection.  It decides when bytes move, never which.  Invariant:
 * every request that is logged gets exactly one `end` line.
 */
#include "conn.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

/* Bytes made ahead of the socket, and requests of such size are too big. */
#define AHEAD_BYTES   32768
#define REQUEST_BYTES 268435456
/* What was sent must have arrived before a reset overtakes it. */
#define RESET_NS INT64_C(20000000)
/* Between two writes of `split`: long enough for a client to read each. */
#define SPLIT_NS 50000
/* Writes in a row before the others have their turn. */
#define TURNS 16

enum state {
    CONN_READ,
    CONN_HEAD,
    CONN_BODY,
    CONN_MUTE,
    CONN_LAST,
    CONN_RESET,
    CONN_CLOSED
};

struct mock_conn {
    struct mock_shared *shared;
    struct mock_conn *next;
    struct mock_conn **back; /* what points here */
    int fd;
    enum state state;
    bool continued; /* 100 was sent */
    bool gone;      /* the client sends no more */
    struct mock_buf in;
    struct mock_buf out;
    struct mock_buf frame;
    struct mock_timer timer;
    struct mock_exchange exchange;
    struct mock_log_id id;
    struct mock_log_outcome outcome; /* `how` it will end when all is sent */
};

static void drive(struct mock_conn *conn);

static void set_timer(struct mock_conn *conn, int64_t due_ns)
{
    mock_timer_set(&conn->shared->timers, &conn->timer, due_ns);
}

static void on_timer(void *owner)
{
    drive(owner);
}

static void link_first(struct mock_conn *conn, struct mock_conn **list)
{
    conn->next = *list;
    conn->back = list;
    if (*list)
        (*list)->back = &conn->next;
    *list = conn;
}

static void unlink_from(struct mock_conn *conn)
{
    *conn->back = conn->next;
    if (conn->next)
        conn->next->back = conn->back;
}

struct mock_conn *mock_conn_new(struct mock_shared *shared, int fd)
{
    struct mock_conn *conn = calloc(1, sizeof(*conn));

    if (!conn)
        abort();
    conn->shared = shared;
    conn->fd = fd;
    conn->timer = (struct mock_timer){.fire = on_timer, .owner = conn};
    conn->id.connection = ++shared->connections;
    link_first(conn, &shared->all);
    return conn;
}

static void end_exchange(struct mock_conn *conn, const char *how)
{
    conn->outcome.how = how;
    mock_log_end(&conn->shared->log, &conn->exchange, &conn->id,
                 mock_timer_now(), &conn->outcome);
    mock_exchange_done(&conn->exchange);
    conn->state = CONN_READ;
}

static void close_conn(struct mock_conn *conn)
{
    set_timer(conn, MOCK_NEVER);
    close(conn->fd);
    conn->state = CONN_CLOSED;
    unlink_from(conn);
    conn->next = conn->shared->closed;
    conn->shared->closed = conn;
}

static void leave(struct mock_conn *conn, const char *how)
{
    if (conn->state == CONN_CLOSED)
        return;
    if (conn->state != CONN_READ)
        end_exchange(conn, how);
    close_conn(conn);
}

static void reset(struct mock_conn *conn)
{
    const struct linger none = {.l_onoff = 1, .l_linger = 0};

    setsockopt(conn->fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none));
    leave(conn, "reset");
}

void mock_conn_stop(struct mock_conn *conn)
{
    leave(conn, "stopped");
}

void mock_conn_reap(struct mock_shared *shared)
{
    while (shared->closed) {
        struct mock_conn *conn = shared->closed;

        shared->closed = conn->next;
        mock_exchange_done(&conn->exchange);
        mock_buf_free(&conn->in);
        mock_buf_free(&conn->out);
        mock_buf_free(&conn->frame);
        free(conn);
    }
}

/* Sends what is there; false when it must go on later or never. */
static bool flush(struct mock_conn *conn)
{
    size_t most = (size_t)conn->exchange.plan.split;

    for (;;) {
        struct mock_str rest = mock_buf_view(&conn->out);

        if (rest.len == 0)
            return true;
        if (most > 0 && rest.len > most)
            rest.len = most;
        ssize_t n = send(conn->fd, rest.at, rest.len, MSG_NOSIGNAL);

        if (n < 0) {
            if (errno != EAGAIN && errno != EINTR)
                leave(conn, "client_left");
            return false;
        }
        mock_buf_drop(&conn->out, (size_t)n);
        conn->outcome.sent_bytes += (size_t)n;
        if (most > 0) { /* the client may look at this much first */
            set_timer(conn, mock_timer_now() + SPLIT_NS);
            return false;
        }
    }
}

static void last(struct mock_conn *conn, const char *how)
{
    conn->state = CONN_LAST;
    conn->outcome.how = how;
}

/* Makes frames ahead; false when there is nothing to send but later. */
static bool make_ahead(struct mock_conn *conn)
{
    struct mock_exchange *x = &conn->exchange;
    int64_t now_ns = mock_timer_now();

    while (conn->out.len < AHEAD_BYTES && conn->state == CONN_BODY) {
        mock_buf_clear(&conn->frame);
        enum mock_step step =
            mock_stream_next(&x->stream, now_ns, &conn->frame);
        struct mock_str bytes = mock_buf_view(&conn->frame);

        switch (step) {
        case MOCK_STEP_FRAME:
            mock_wire_put(&x->wire, bytes, &conn->out);
            break;
        case MOCK_STEP_WAIT:
            set_timer(conn, x->stream.due_ns);
            return conn->out.len > 0;
        case MOCK_STEP_CUT:
            mock_wire_cut(&x->wire, bytes, &conn->out);
            last(conn, "cut");
            break;
        case MOCK_STEP_RESET:
            last(conn, "reset");
            break;
        case MOCK_STEP_HANG:
            conn->state = CONN_MUTE;
            break;
        case MOCK_STEP_END:
            mock_wire_end(&x->wire, &conn->out);
            last(conn, "complete");
            break;
        }
    }
    return true;
}

/* All is sent: what now? */
static void settle(struct mock_conn *conn)
{
    const char *how = conn->outcome.how;
    bool keep = conn->exchange.keep_alive && strcmp(how, "complete") == 0;

    if (strcmp(how, "reset") == 0) {
        conn->state = CONN_RESET;
        set_timer(conn, mock_timer_now() + RESET_NS);
        return;
    }
    mock_buf_drop(&conn->in, conn->exchange.request.size);
    end_exchange(conn, how);
    if (!keep)
        close_conn(conn);
}

static void pump(struct mock_conn *conn)
{
    for (int turn = 0; turn < TURNS; turn++) {
        if (!flush(conn))
            return;
        if (conn->state == CONN_LAST)
            settle(conn);
        if (conn->state != CONN_BODY || !make_ahead(conn))
            return;
    }
    set_timer(conn, mock_timer_now());
}

static void send_head(struct mock_conn *conn)
{
    struct mock_exchange *x = &conn->exchange;

    mock_exchange_put_head(x, &conn->out);
    conn->state = CONN_BODY;
    if (x->head_only)
        last(conn, "complete");
    mock_stream_start(&x->stream, mock_timer_now());
}

static void begin_answer(struct mock_conn *conn)
{
    struct mock_exchange *x = &conn->exchange;

    conn->id.request = ++conn->shared->requests;
    conn->id.time_ns = mock_timer_now();
    conn->outcome = (struct mock_log_outcome){"complete", 0};
    conn->continued = false;
    mock_exchange_begin(x, &conn->shared->settings);
    mock_log_request(&conn->shared->log, x, &conn->id);
    conn->state = CONN_HEAD;
    if (x->plan.early_hints)
        mock_buf_text(&conn->out, "HTTP/1.1 103 Early Hints\r\n"
                                  "link: </tide.css>; rel=preload\r\n\r\n");
    if (x->plan.silent)
        conn->state = CONN_MUTE;
    if (x->plan.reset)
        reset(conn);
}

/* Parses what is there; true when an answer can begin. */
static bool parse(struct mock_conn *conn)
{
    struct mock_request *request = &conn->exchange.request;
    enum mock_http got = mock_http_parse(request, mock_buf_view(&conn->in));

    if (got == MOCK_HTTP_BAD || conn->in.len > REQUEST_BYTES) {
        close_conn(conn);
        return false;
    }
    if (got == MOCK_HTTP_BODY && !conn->continued &&
        mock_str_has(mock_http_header(request, "expect"), "100-continue")) {
        mock_buf_text(&conn->out, "HTTP/1.1 100 Continue\r\n\r\n");
        conn->continued = true;
        flush(conn);
    }
    return got == MOCK_HTTP_DONE;
}

/* Reads what has come; notes when the client has said all it will. */
static void read_all(struct mock_conn *conn)
{
    const size_t most = 65536;

    for (;;) {
        ssize_t n = recv(conn->fd, mock_buf_room(&conn->in, most), most, 0);

        if (n > 0) {
            conn->in.len += (size_t)n;
            continue;
        }
        if (n == 0 || (errno != EAGAIN && errno != EINTR))
            conn->gone = true;
        return;
    }
}

static void read_request(struct mock_conn *conn)
{
    read_all(conn);
    if (parse(conn))
        begin_answer(conn);
    if (conn->gone)
        leave(conn, "client_left");
}

static void await_head(struct mock_conn *conn)
{
    int64_t due_ns = conn->id.time_ns + mock_exchange_delay(&conn->exchange);

    if (!flush(conn))
        return;
    if (mock_timer_now() >= due_ns)
        send_head(conn);
    else
        set_timer(conn, due_ns);
}

static void flush_only(struct mock_conn *conn)
{
    flush(conn);
}

static void await_reset(struct mock_conn *conn)
{
    if (conn->timer.place == 0)
        reset(conn);
}

static void drive(struct mock_conn *conn)
{
    static void (*const act[])(struct mock_conn *) = {
        [CONN_READ] = read_request, [CONN_HEAD] = await_head,
        [CONN_BODY] = pump,         [CONN_MUTE] = flush_only,
        [CONN_LAST] = pump,         [CONN_RESET] = await_reset,
    };
    enum state before;

    do {
        before = conn->state;
        if (before != CONN_CLOSED)
            act[before](conn);
    } while (conn->state != before);
}

void mock_conn_ready(struct mock_conn *conn, uint32_t events)
{
    bool left = (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0;

    if (left && conn->state != CONN_READ)
        leave(conn, "client_left");
    else
        drive(conn);
}
