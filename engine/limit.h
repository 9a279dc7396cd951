/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_LIMIT_H
#define UNS_ENGINE_LIMIT_H

/*
 * limit - the application's own limits on a multi's connections
 * (CURLMOPT_MAX_TOTAL_CONNECTIONS, CURLMOPT_MAX_HOST_CONNECTIONS).  A call that
 * waits for a connection is not silent: its clocks begin when it has one.  And
 * a rival does not wait for one: it comes on top of the limits, which are
 * raised for the turn in which libcurl first hears of it.
 */

#include "call.h"

/* Attempt 0 was put in: it may have to wait. */
void uns_limit_begin(struct uns_call *call, uns_ns now_ns);

/* Attempt 0 has a connection.  Takes a call that does not wait. */
void uns_limit_connected(struct uns_call *call, uns_ns now_ns);

/* Look which of the calls that wait have got one. */
void uns_limit_look(const struct uns_lane *lane);

/* The call leaves the lane, waiting or not. */
void uns_limit_end(struct uns_call *call);

/* Make room for the rivals that are under way; back to what the application
 * set. */
void uns_limit_raise(const struct uns_lane *lane);
void uns_limit_restore(const struct uns_lane *lane);

#endif
