/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_CALL_H
#define UNS_ENGINE_CALL_H

/*
 * call - one LLM call of the application, and its attempts.
 *
 *   uns_app (the application's handle, the preload's)
 *     '-- uns_keep (what the engine keeps with it from call to call)
 *           |-- lane: the private multi
 *           |-- call (while one runs)
 *           |     |-- race: decides
 *           |     |-- attempt 0: on the application's own handle
 *           |     '-- attempt 1..4: rivals, on handles of ours
 *           '-- kept: a rival that won, for getinfo and headers afterwards
 *
 * Everything here belongs to the thread that runs the call.
 */

#include "attempt.h"
#include "body.h"
#include "config.h"
#include "lane.h"

#include "core/flight.h"
#include "core/race.h"
#include "core/request.h"

struct uns_call {
    struct uns_app *app;
    struct uns_lane *lane;
    struct uns_call *next;          /* in the lane */
    struct uns_call *next_touched;  /* in its list of those to be stepped */
    struct uns_call *next_finished; /* in its list of those to be returned */
    const struct uns_policy *policy;
    enum uns_arm arm;   /* of the experiment; NONE: there is none */
    enum uns_mode mode; /* the policy's, but for the control arm */
    struct uns_race race;
    struct uns_attempt *attempt[UNS_RACE_ATTEMPTS];
    unsigned attempts;
    struct uns_attempt *voice; /* whose bytes the application gets; NULL:
                                  nobody's yet */
    struct uns_body body;
    struct uns_promotion *promotion; /* it is sent as a stream; NULL: not */
    struct uns_resume_state *resume; /* what was given; NULL: not kept */
    struct uns_request request;
    bool known;     /* the request's facts were read from a complete body */
    char *url_text; /* our copy; `url` borrows from it */
    struct uns_url url;
    uns_ns begin_ns;
    uns_ns deliver_ns; /* first byte given to the application; UNS_NEVER */
    int64_t begin_us;  /* wall clock */

    /* what the race wants done, gathered until step() can do it */
    struct {
        enum uns_why launch;   /* UNS_WHY_NOTHING: no */
        uint8_t cancel;        /* bit a */
        uint8_t end_of;        /* the attempt that `end` is about */
        enum uns_race_end end; /* UNS_END_NONE: not yet */
    } todo;

    bool planned;        /* described instead of being sent */
    bool solo;           /* observed only: attempt 0 is the voice */
    bool headers_inline; /* CURLOPT_HEADER: headers in the write callback */
    bool paused;         /* by the application */
    bool giving;         /* inside uns_voice_give */
    bool aborted;        /* the application took less than a whole piece */
    bool finished;
    bool touched;    /* something happened that step() must look at */
    bool queued;     /* attempt 0 waits for a connection, by a limit of the
                        application's: its clocks have not begun */
    CURLcode code;   /* once finished */
    uns_ns again_ns; /* a rival waits for the budget's lock: try again then;
                        UNS_NEVER: none does */
    unsigned busy;   /* how often it has tried */
    size_t tried;    /* where in the route's sources to go on */
    unsigned number; /* of the process's calls */
    uns_ns beat_ns;  /* the last sign of life */
    uns_ns heard_ns; /* when libcurl's progress was last heard of, in a call
                        that is only watched; 0: never */
    struct uns_flight_pen pen; /* what writes to the recorder (track.h) */
    const char *none; /* why no rival could be launched; NULL: no such case */
    enum uns_why why; /* of the first rival */
    char error[CURL_ERROR_SIZE];
};

/* Read the request's facts once its body is complete; true: they are known. */
bool uns_call_know(struct uns_call *call);

/* Have a copy of the request's body, where it was borrowed from the
 * application's options, which are about to change. */
void uns_call_detach(struct uns_call *call);

/* Is anything listed that makes a failure start the next source (R3)? */
bool uns_call_fails_over(const struct uns_failover *failover);

/* How long a lock of the store may be waited for: not at all in an event loop
 * of the application's, which nothing may hold up. */
int uns_call_patience_ms(const struct uns_call *call);

/* The application's total timeout (CURLOPT_TIMEOUT_MS); UNS_NEVER: none. */
uns_ns uns_call_total(const struct uns_app *app);

/* The moment at which that strikes; UNS_NEVER: none. */
uns_ns uns_call_limit(const struct uns_call *call);

/* Hand the voice's held pieces to the application, as far as it takes them.
 * False: it paused or aborted midway. */
bool uns_voice_give(struct uns_call *call);

/* Hand one piece over.  Returns what the application returned. */
size_t uns_voice_piece(struct uns_call *call, enum uns_piece_kind kind,
                       struct uns_slice piece);

#endif
