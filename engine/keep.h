/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_KEEP_H
#define UNS_ENGINE_KEEP_H

/*
 * keep - what the engine keeps with an application's handle from call to call,
 * and how a call on it is opened and closed, whoever drives it.
 */

#include "call.h"
#include "fault.h"
#include "member.h"
#include "promotion.h"

/* How a call is to be carried out. */
enum uns_way {
    UNS_WAY_PLAIN, /* not ours */
    UNS_WAY_WATCH, /* attempt 0 alone, its callbacks watched */
    UNS_WAY_RACE
};

struct uns_keep {
    struct uns_lane lane;         /* private, for easy performs */
    struct uns_call *call;        /* running, or NULL */
    struct uns_attempt *kept;     /* a rival that won, or NULL */
    uns_ns kept_offset_ns;        /* its start after the call's */
    struct uns_promoted promoted; /* what of the answer was made here */
    struct uns_played played;     /* what faults have made of it */
    CURLMsg message;              /* the DONE of the last call in a multi ... */
    struct uns_member member;     /* of the multi that the handle is in */
    bool fresh;                   /* the next call must not reuse a connection:
                                     the last one stalled on HTTP/2 */
};

/* Why no rival will ever speak for the call, in words; NULL: one may. */
const char *uns_keep_alone(const struct uns_call *call);

/* The URL that is set on `app`, malloc'd; NULL: none, or no memory. */
char *uns_keep_url(const struct uns_app *app);

/* What is kept with `app`, made when it is missing; NULL: no memory. */
struct uns_keep *uns_keep_of(struct uns_app *app);

/* The call that is set up on `app`, with its policy; no attempt yet.  NULL: a
 * route excludes it, no URL, or no memory. */
struct uns_call *uns_keep_make(struct uns_app *app);

/* Free it with its attempts, but for `kept` (may be NULL). */
void uns_keep_unmake(struct uns_call *call, const struct uns_attempt *kept);

/* Open the call that is set up on `app`: facts, policy, attempt 0, clocks; our
 * callbacks are on the handle.  Returns it with its way, or NULL: the call is
 * not ours (UNS_WAY_PLAIN), and nothing was changed. */
struct uns_call *uns_keep_open(struct uns_app *app, enum uns_way *ret_way);

/* The call was opened, but cannot be sent: as if it had never been. */
void uns_keep_withdraw(struct uns_call *call);

/* The call has ended and has left its lane: callbacks and error buffer are the
 * application's again, it is recorded, a winning rival is kept.  Frees it. */
void uns_keep_close(struct uns_call *call);

/* Forget the rival that won. */
void uns_keep_drop(struct uns_app *app);

/* Forget everything; no call may run. */
void uns_keep_free(struct uns_app *app);

/* The application takes its handle away in the middle of the call (P6): out of
 * the lane, and closed as aborted. */
void uns_keep_abandon(struct uns_call *call);

#endif
