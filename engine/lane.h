/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_LANE_H
#define UNS_ENGINE_LANE_H

/*
 * lane - one real multi and the calls that run in it: a private one for an
 * easy perform, or the application's own.  It drives races and never waits;
 * whoever owns the wait (easy.c, multi.c) calls
 *
 *   begin - { run - next* - wait until deadline } - end
 *
 * Invariant: a handle is added and removed between libcurl's calls, never
 * inside one of its callbacks.
 *
 * A deadline has come when it had before the turn began: a callback of the
 * application's may last longer than any of them, and what arrives meanwhile
 * is not read before the next turn (P7).
 *
 * A run steps the calls that something happened to (touched), and those whose
 * deadline has come; with a thousand calls the others cost nothing.
 */

#include "shim/abi_multi.h"

#include "core/units.h"

struct uns_attempt;
struct uns_call;
struct uns_inbox;

/* How libcurl is let work. */
struct uns_turn {
    enum {
        UNS_TURN_PERFORM, /* curl_multi_perform */
        UNS_TURN_ACTION,  /* curl_multi_socket_action(fd, events) */
        UNS_TURN_ALL      /* curl_multi_socket_all */
    } how;

    curl_socket_t fd;
    int events;
};

struct uns_lane {
    const struct uns_real *real;
    CURLM *multi;
    CURLSH *names;             /* names.h; NULL: none was needed yet */
    struct uns_inbox *inbox;   /* of the host; NULL: private */
    struct uns_multi *host;    /* the application's multi; NULL: private */
    struct uns_call *calls;    /* begun and not ended */
    struct uns_call *touched;  /* to be stepped */
    struct uns_call *finished; /* oldest first: for next() */
    uns_ns beat_ns;            /* when the calls last gave a sign of life */
    uns_ns deadline_ns;        /* no call's is earlier; may be too early */
    uns_ns looked_ns;          /* when the last turn began: what had arrived by
                                  then was read in it */
    uns_ns turn_ns;            /* the same while it lasts; then UNS_NEVER */
    int unfinished;            /* calls that the application waits for */
    int queued;                /* calls that wait for a connection */
    int flying;                /* attempts that libcurl counts as running */
    int64_t hidden;            /* calls of the application's that libcurl was
                                  never given, less rivals that it was */
    unsigned inreal;           /* depth inside the real library */
    unsigned incb;             /* depth inside the application's callbacks that
                                  we call from outside the library */
};

/* A lane on a private multi for one easy handle. */
CURLMcode uns_lane_open(struct uns_lane *lane, const struct uns_app *app);

/* A lane on the application's own multi. */
void uns_lane_open_in(struct uns_lane *lane, struct uns_multi *host);

/* Close a private lane with its connections.  Takes one that was never
 * opened. */
void uns_lane_close(struct uns_lane *lane);

/* Put attempt 0 in: the race is on.  On error nothing was sent and nothing is
 * left behind. */
CURLMcode uns_lane_begin(struct uns_lane *lane, struct uns_call *call);

/* A call that is over before it began: nothing of it is in the multi. */
void uns_lane_refuse(struct uns_lane *lane, struct uns_call *call);

/* Let libcurl work, then let every race that is due look at what came of it.
 * `ret_running`: what the application would be told, its own handles only. */
CURLMcode uns_lane_run(struct uns_lane *lane, const struct uns_turn *turn,
                       int *ret_running);

/* Read libcurl's messages: attempts are marked, those of other handles go to
 * the host's inbox. */
void uns_lane_drain(struct uns_lane *lane);

/* Nobody looked at the sockets from..to: if that was long, it is the
 * application's time, and nobody was silent (P7). */
void uns_lane_excuse(struct uns_lane *lane, uns_ns from_ns, uns_ns to_ns);

/* The same for one attempt, of which a piece arrives in the middle of a turn:
 * other callbacks may have run in it before. */
void uns_lane_excuse_piece(struct uns_attempt *a);

/* When to run again at the latest: 0 for at once, UNS_NEVER for when there is
 * traffic. */
uns_ns uns_lane_deadline(const struct uns_lane *lane);

/* Take a call out, finished or not: nothing of it runs afterwards. */
void uns_lane_end(struct uns_lane *lane, struct uns_call *call);

/* May handles be added or removed?  Not inside callbacks. */
static inline bool uns_lane_is_free(const struct uns_lane *lane)
{
    return lane->inreal == 0 && lane->incb == 0;
}

#endif
