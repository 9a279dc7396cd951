/* SPDX-License-Identifier: MIT */
#include "step.h"

#include "budget.h"
#include "cancel.h"
#include "clock.h"
#include "fault.h"
#include "fault_play.h"
#include "finish.h"
#include "judge.h"
#include "log.h"
#include "resume.h"
#include "rival.h"
#include "root.h"
#include "roster.h"
#include "rules.h"
#include "source.h"
#include "tell.h"
#include "track.h"

static void cancel_marked(struct uns_call *call, uns_ns now_ns)
{
    for (unsigned i = 0; i < call->attempts; i++)
        if (call->todo.cancel & 1u << i)
            uns_cancel(call->attempt[i], now_ns);
    call->todo.cancel = 0;
}

/* A shadow is for the record: nothing waits for it.  Nor does the answer wait
 * again and again for a lock that was not to be had at first. */
static int patience_ms(const struct uns_call *call, enum uns_why why)
{
    return why == UNS_WHY_SHADOW || call->busy ? 0 : uns_call_patience_ms(call);
}

/* Send to the source, if the budget has a token for it (R11). */
static struct uns_attempt *send_to(struct uns_call *call, enum uns_why why,
                                   const struct uns_source *source,
                                   const char **ret_none)
{
    bool costs = uns_source_costs(call, source, why);
    int wait_ms = patience_ms(call, why);
    struct uns_attempt *rival;

    if (costs)
        *ret_none =
            uns_budget_take(uns_root_store_path(), call->policy, wait_ms);
    if (*ret_none)
        return NULL;
    rival = uns_rival_launch(call, why, source);
    if (rival) {
        rival->paid = costs;
        return rival;
    }
    *ret_none = "launch_failed";
    if (costs)
        uns_budget_give_back(uns_root_store_path(), call->policy, wait_ms);
    return NULL;
}

/* Many processes and threads may want a token at the same moment: a lock that
 * somebody else has is worth some more tries. */
#define AGAIN_NS   (20 * UNS_MS)
#define MOST_TRIES 100

static bool try_again(struct uns_call *call, enum uns_why why, size_t tried,
                      uns_ns now_ns)
{
    if (call->busy == 0)
        uns_log("a rival for %s waits: the store is locked", uns_why_name(why));
    if (++call->busy >= MOST_TRIES)
        return false;
    call->none = uns_budget_busy; /* unless it is sent: nobody may ask again */
    call->tried = tried;
    call->todo.launch = why;
    call->again_ns = now_ns + AGAIN_NS;
    return true;
}

/* The race hears of all it has asked for; a shadow is none of its business. */
static void tell_none(struct uns_call *call, enum uns_why why, const char *none,
                      uns_ns now_ns)
{
    call->none = none;
    uns_log("no rival for %s: %s", uns_why_name(why), none);
    if (why != UNS_WHY_SHADOW)
        uns_tell_none(call, now_ns);
}

static void tell_launched(struct uns_call *call, enum uns_why why,
                          struct uns_attempt *rival, uns_ns now_ns)
{
    uns_log("attempt %u at %s: %s", rival->seq, rival->source->name,
            uns_why_name(why));
    call->none = NULL;
    if (why != UNS_WHY_SHADOW && call->why == UNS_WHY_NOTHING)
        call->why = why;
    uns_track_attempt(rival);
    uns_track_facts(call);
    if (why != UNS_WHY_SHADOW)
        uns_tell_launched(call, now_ns);
}

/* Start the next usable source. */
static bool launch(struct uns_call *call, enum uns_why why)
{
    size_t tried = call->tried;
    const char *none = NULL;
    const struct uns_source *source = uns_source_next(call, why, &none);
    struct uns_attempt *rival =
        source ? send_to(call, why, source, &none) : NULL;
    uns_ns now = uns_clock_now();

    if (none == uns_budget_busy && try_again(call, why, tried, now))
        return false;
    if (rival)
        tell_launched(call, why, rival, now);
    else
        tell_none(call, why, none, now);
    return rival != NULL;
}

/* The request is still being read from the application, or will be once there
 * is a connection: a rival has to wait for it. */
static bool is_early(const struct uns_call *call)
{
    const struct uns_attempt *primary = call->attempt[0];

    return call->body.reads && !call->body.complete && !call->body.lost &&
           primary->live && !primary->done;
}

static bool launch_wanted(struct uns_call *call)
{
    bool launched = false;

    if (call->todo.launch != UNS_WHY_SHADOW && !uns_race_wants(&call->race))
        call->todo.launch = UNS_WHY_NOTHING; /* no more */
    call->again_ns = UNS_NEVER;
    while (call->todo.launch != UNS_WHY_NOTHING && !is_early(call) &&
           !uns_resume_waits(call) && call->again_ns == UNS_NEVER) {
        enum uns_why why = call->todo.launch;

        call->todo.launch = UNS_WHY_NOTHING;
        launched |= launch(call, why);
    }
    return launched;
}

/* What is held goes out also when nothing more arrives.  Outside libcurl, so
 * the transfer is paused by hand when the application pauses. */
static void give(struct uns_call *call)
{
    struct uns_attempt *a = call->voice;

    if (!a || call->paused || call->aborted || !a->hold.data)
        return;
    if (!uns_voice_give(call) && call->paused && a->live && !a->done)
        uns_roster_pause(a, CURLPAUSE_RECV);
}

/* Only watched: attempt 0's end is the call's. */
static bool step_solo(struct uns_call *call)
{
    struct uns_attempt *a = call->attempt[0];

    if (!a->done)
        return false;
    uns_judge_end(a, uns_clock_now());
    call->code = a->code;
    uns_roster_finish(call);
    uns_cancel_all(call);
    return false;
}

/* For a connection: until it has one, or its time is up, nothing is due. */
static bool is_waiting(const struct uns_call *call, uns_ns now_ns)
{
    return call->queued && !call->attempt[0]->done &&
           uns_race_deadline(&call->race) > now_ns;
}

/* By itself, and all of it has come through. */
static bool has_ended(const struct uns_attempt *a)
{
    return a->done && !a->cancelled && !uns_fault_holds(a);
}

bool uns_step(struct uns_call *call)
{
    uns_ns now = uns_clock_now();
    uns_ns looked = call->lane->looked_ns;
    bool launched;

    if (call->finished)
        return false;
    if (call->solo)
        return step_solo(call);
    if (is_waiting(call, looked))
        return false;
    uns_rules_renew(call);
    uns_fault_play(call, now);
    for (unsigned i = 0; i < call->attempts; i++)
        if (has_ended(call->attempt[i]))
            uns_judge_end(call->attempt[i], now);
    uns_tell_time(call, looked);
    give(call); /* before a rival is asked to go on behind it */
    launched = launch_wanted(call);
    cancel_marked(call, now);
    give(call);
    uns_finish_try(call);
    return launched;
}
