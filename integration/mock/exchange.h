/* SPDX-License-Identifier: MIT */
#ifndef MOCK_EXCHANGE_H
#define MOCK_EXCHANGE_H

/*
 * exchange - one request and what is to be answered to it: finds the list of
 * faults that counts, makes the plan, and writes the head.
 */

#include "stream.h"
#include "wire.h"

/* What this process does where a request says nothing else. */
struct mock_settings {
    struct mock_str name;
    struct mock_str faults;
    double tokens;
    double interval_s;
    uint64_t counted; /* requests that `once`, `times`, `every` count */
};

/* All zero is an exchange whose request has not been read. */
struct mock_exchange {
    struct mock_request request;
    struct mock_buf faults; /* owned: the list that counted */
    struct mock_buf words;  /* owned: where to, why not, what comes first */
    struct mock_plan plan;
    struct mock_stream stream;
    struct mock_wire wire;
    enum mock_answer answer;
    bool keep_alive; /* the connection, after it */
    bool head_only;
    bool sized; /* the body's length is said first */
};

/* Decides how the request, which must be complete, is answered. */
void mock_exchange_begin(struct mock_exchange *x,
                         struct mock_settings *settings);

/* How long the head keeps the client waiting. */
int64_t mock_exchange_delay(const struct mock_exchange *x);

/* Appends status line and headers. */
void mock_exchange_put_head(struct mock_exchange *x, struct mock_buf *out);

/* Gives all memory back; all zero again. */
void mock_exchange_done(struct mock_exchange *x);

#endif
