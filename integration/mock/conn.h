/* SPDX-License-Identifier: MIT */
#ifndef MOCK_CONN_H
#define MOCK_CONN_H

/*
 * conn - one connection: reads requests, drives their answers through time,
 * and notices when the client leaves.
 *
 *          request complete          late enough          stream over
 *   READ --------------------> HEAD -------------> BODY ---------------> LAST
 *    ^                           \ silent            \ hang               |
 *    |                            `------> MUTE <-----'                   |
 *    `--------------------- kept alive, all of it sent -------------------'
 */

#include "log.h"
#include "timer.h"

/* What all connections share. */
struct mock_shared {
    struct mock_settings settings;
    struct mock_log log;
    struct mock_timers timers;
    uint64_t requests;    /* so far */
    uint64_t connections; /* so far */
    struct mock_conn *all;
    struct mock_conn *closed; /* to be freed when no event can name them */
};

struct mock_conn;

/* Takes a non-blocking socket over. */
struct mock_conn *mock_conn_new(struct mock_shared *shared, int fd);

/* The socket is ready as epoll says; edge-triggered, with EPOLLRDHUP. */
void mock_conn_ready(struct mock_conn *conn, uint32_t events);

/* Ends a connection at the server's own end. */
void mock_conn_stop(struct mock_conn *conn);

/* Frees the connections that are closed. */
void mock_conn_reap(struct mock_shared *shared);

#endif
