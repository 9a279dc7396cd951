/* SPDX-License-Identifier: MIT */
#ifndef MOCK_SERVER_H
#define MOCK_SERVER_H

/*
 * server - the listening socket and the one loop.
 */

#include "conn.h"

/* Listens on 127.0.0.1; port 0 takes any that is free.  Returns the socket,
 * -1 with errno when it cannot. */
int mock_server_listen(int port, int *ret_port);

/* Serves until SIGTERM or SIGINT; then ends all connections.  Returns 0, -1
 * with errno when the loop cannot be set up. */
int mock_server_run(struct mock_shared *shared, int listener);

#endif
