/* SPDX-License-Identifier: MIT */
#ifndef MOCK_PLAN_H
#define MOCK_PLAN_H

/*
 * plan - how one request is to be answered: the shape of a healthy answer,
 * and what goes wrong in it.  Written as a list of words, the same in
 * --fault, in ?fault=, in the x-mock-fault header and in a model's name:
 *
 *     tokens=60,interval=0.005,stall@20=5,chatter=comment
 */

#include "buf.h"

#define MOCK_PLAN_POINTS 16

/* What happens after a given number of tokens. */
enum mock_point_kind {
    MOCK_POINT_STALL,
    MOCK_POINT_CUT,
    MOCK_POINT_RESET,
    MOCK_POINT_ERROR,
    MOCK_POINT_MALFORMED,
    MOCK_POINT_HUGE
};

struct mock_point {
    enum mock_point_kind kind;
    int64_t after; /* tokens */
    double value;  /* STALL: seconds; HUGE: bytes */
    bool happened;
};

enum mock_chatter {
    MOCK_CHATTER_NONE,
    MOCK_CHATTER_COMMENT,
    MOCK_CHATTER_PING,
    MOCK_CHATTER_EMPTY,
    MOCK_CHATTER_ROLE
};

/* What to do with an answer that the request has begun itself. */
enum mock_prefill {
    MOCK_PREFILL_IGNORE, /* write a new answer */
    MOCK_PREFILL_ACCEPT, /* go on where it ends */
    MOCK_PREFILL_ECHO,   /* repeat it, then go on */
    MOCK_PREFILL_REFUSE  /* 400 */
};

/* Texts borrow from the list that was read. */
struct mock_plan {
    /* the shape of a healthy answer */
    double tokens;
    double interval_s;
    double reasoning;
    bool tools;
    bool gzip;
    bool no_stream;          /* who asks for one is refused */
    struct mock_str text_of; /* whose text; none: that of the own name */
    int prefill;             /* enum mock_prefill */

    /* which requests the rest is for */
    double times; /* the first so many; 0: all */
    double every; /* each n-th; 0: all */

    /* before the stream */
    bool silent;
    bool reset;
    double headers_late_s;
    double first_late_s;
    bool silent_after_headers;
    double status; /* 0: 200 */
    double retry_after_s;
    double retry_after_ms;
    struct mock_str code;
    struct mock_str redirect;
    bool early_hints;

    /* in the stream */
    bool error_first;
    double drip_s;
    int chatter; /* enum mock_chatter */
    bool no_end;
    bool no_done;
    bool hang;
    struct mock_point points[MOCK_PLAN_POINTS];
    size_t point_count;

    /* in the transport */
    double split;
    bool chunk_split;
    bool close;
    bool trailer;
};

/* Reads a list over what the plan holds.  Where `times` or `every` in it say
 * that request number `nth` (from 1) is spared, only its shape counts.
 * Returns false at a word that is not known, with that word in `ret_bad`. */
bool mock_plan_read(struct mock_plan *plan, struct mock_str list, uint64_t nth,
                    struct mock_str *ret_bad);

/* Whether a list says which requests it is for, so that they are counted. */
bool mock_plan_is_counted(struct mock_str list);

#endif
