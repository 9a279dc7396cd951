/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_LOOP_H
#define UNS_ENGINE_LOOP_H

/*
 * loop - a lane in the application's own multi, and the application's event
 * loop around it: its timer and socket callbacks hear of our deadlines and of
 * its own handles, never of rivals.
 */

#include "inbox.h"
#include "lane.h"
#include "member.h"
#include "notices.h"

struct uns_loop {
    struct uns_lane lane; /* first: a hosted lane is its loop */
    struct uns_inbox inbox;
    struct uns_member *members;
    struct uns_notices notices;
    uns_ns real_due_ns; /* libcurl's own timer, as it told us */
    uns_ns told_due_ns; /* what the application's timer callback knows */
    int timer_fd;       /* for loops of select(): -1 until one is wanted */
    bool bars_timer;    /* nothing may be called from the timer callback */
};

static inline struct uns_loop *uns_loop_of(struct uns_lane *lane)
{
    return (struct uns_loop *)(void *)lane;
}

/* A loop for `multi`; its callbacks are ours from now on.  NULL: no memory. */
struct uns_loop *uns_loop_new(struct uns_multi *multi);

/* No call runs in it any more: give the callbacks back.  Takes NULL. */
void uns_loop_free(struct uns_loop *loop);

/* The application has set one of the multi's options (noted already). */
CURLMcode uns_loop_setopt(struct uns_loop *loop, CURLMoption option,
                          void *value);

/* The application's timer has fired: both deadlines it stood for are spent. */
void uns_loop_timer_fired(struct uns_loop *loop);

/* At the end of every entry: tell the application's timer callback when the
 * earlier of libcurl's deadline and ours has changed. */
void uns_loop_tell(struct uns_loop *loop);

/* Milliseconds until our deadline, rounded up; at most `limit_ms`, which may
 * be negative for none, as is the answer. */
long uns_loop_cap_ms(const struct uns_loop *loop, long limit_ms);

/* A descriptor that gets readable at our deadline; -1: there is none to come,
 * or none to be had.  Stays ours. */
int uns_loop_timer_fd(struct uns_loop *loop);

#endif
