/* SPDX-License-Identifier: MIT */
#ifndef MOCK_LOG_H
#define MOCK_LOG_H

/*
 * log - what happened, one JSON object a line, each line written at once.
 */

#include "exchange.h"

/* Where lines go. */
struct mock_log {
    int fd;               /* -1: nowhere */
    int64_t epoch_ns;     /* times are counted from here */
    struct mock_buf line; /* owned */
};

/* Which request a line is about. */
struct mock_log_id {
    uint64_t request; /* from 1, in this process */
    uint64_t connection;
    int64_t time_ns; /* when it was complete */
};

/* How it went. */
struct mock_log_outcome {
    const char *how; /* complete, client_left, cut, reset or stopped */
    uint64_t sent_bytes;
};

/* The request is complete. */
void mock_log_request(struct mock_log *log, const struct mock_exchange *x,
                      const struct mock_log_id *id);

/* The answer has ended. */
void mock_log_end(struct mock_log *log, const struct mock_exchange *x,
                  const struct mock_log_id *id, int64_t now_ns,
                  const struct mock_log_outcome *outcome);

#endif
