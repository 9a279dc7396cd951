/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_REPLAY_H
#define UNS_CLI_REPLAY_H

/*
 * replay - a captured answer, served again.  One answer is a small machine
 * without sockets or clocks: told what the client has sent and what time it
 * is, it says what to send and when to be asked again.
 *
 *   READING --the request is whole--> ANSWERING --the end--> OVER
 */

#include "tape_read.h"

#include <stdio.h>

enum uns_replay_state {
    UNS_REPLAY_READING,
    UNS_REPLAY_ANSWERING,
    UNS_REPLAY_OVER /* close the connection once all is sent */
};

#define UNS_REPLAY_REQUEST 16384 /* of the request's head */

struct uns_replay {
    const struct uns_tape_text *tape;
    double speed; /* 10: ten times as fast */
    enum uns_replay_state state;
    char head[UNS_REPLAY_REQUEST]; /* the request's */
    size_t head_len;
    bool head_whole;
    size_t body_left; /* of the request, to be read and forgotten */
    uns_ns begin_ns;
    bool head_sent; /* the answer's */
    size_t next;    /* piece */
    FILE *out;      /* what to send grows there (open_memstream) */
};

/* A new connection.  `out` is borrowed. */
void uns_replay_init(struct uns_replay *replay,
                     const struct uns_tape_text *tape, double speed, FILE *out);

/* Bytes of the client's.  False: no request of HTTP/1, or one that is too
 * long: close. */
bool uns_replay_take(struct uns_replay *replay, struct uns_slice bytes,
                     uns_ns now_ns);

/* Put into `out` what is due. */
void uns_replay_pump(struct uns_replay *replay, uns_ns now_ns);

/* When to pump again; UNS_NEVER: when the client says something. */
uns_ns uns_replay_deadline(const struct uns_replay *replay);

/* Serve at 127.0.0.1:`port` (0: any), forever or `once`; its URL is printed
 * first.  Returns the exit code. */
int uns_replay_serve(const struct uns_tape_text *tape, unsigned port,
                     double speed, bool once);

#endif
