/* SPDX-License-Identifier: MIT */
#include "step.h"

#include "clock.h"
#include "finish.h"
#include "judge.h"
#include "log.h"
#include "notes.h"
#include "quiet.h"
#include "rival.h"
#include "source.h"

#include <assert.h>

/* The application hears `a` from now on; nobody needs the others' bytes. */
static void raise_voice(struct uns_call *call, unsigned a)
{
    if (call->voice)
        return;
    call->voice = call->attempt[a];
    for (unsigned i = 0; i < call->attempts; i++)
        if (i != a)
            uns_hold_clear(&call->attempt[i]->hold);
}

/* Take what the race wants.  The voice is raised at once: the callback that
 * told the deciding event gives what was held. */
static void absorb(struct uns_call *call)
{
    struct uns_race_todo todo = uns_race_take(&call->race);

    if (todo.give)
        raise_voice(call, todo.lead);
    if (todo.launch)
        call->todo.launch = todo.why;
    if (todo.spent)
        call->none = "max_attempts";
    call->todo.cancel |= todo.cancel;
    if (todo.end != UNS_END_NONE) {
        call->todo.end = todo.end;
        call->todo.end_of = todo.lead;
    }
    if (todo.give || todo.launch || todo.cancel || todo.end != UNS_END_NONE)
        uns_lane_touch(call);
}

void uns_step_event(struct uns_call *call, enum uns_race_event event,
                    unsigned a, uns_ns now_ns)
{
    enum uns_attempt_state before = call->race.attempt[a].state;

    if (call->solo)
        return;
    uns_race_event(&call->race, event, a, now_ns);
    absorb(call);
    /* Another state has other deadlines, which may come sooner. */
    if (call->race.attempt[a].state != before)
        uns_lane_touch(call);
}

void uns_step_timeout(struct uns_call *call, uns_ns now_ns)
{
    uns_race_timeout(&call->race, now_ns);
    absorb(call);
}

void uns_step_abort(struct uns_call *call, uns_ns now_ns)
{
    uns_race_abort(&call->race, now_ns);
    absorb(call);
}

void uns_step_fault(struct uns_call *call, uns_ns now_ns)
{
    uns_race_fault(&call->race, now_ns);
    absorb(call);
}

/* In the application's own multi its handle stays where the application has
 * put it, once libcurl is done with it. */
static bool stays(const struct uns_attempt *a)
{
    return a->call->lane->host && !a->source && a->done;
}

static void remove_from(struct uns_lane *lane, CURL *easy)
{
    lane->inreal++;
    lane->real->curl_multi_remove_handle(lane->multi, easy);
    lane->inreal--;
}

/* Closing a TLS connection writes to it, and here libcurl does not keep the
 * SIGPIPE of a peer that has gone from the application. */
static void break_off(struct uns_lane *lane, CURL *easy)
{
    struct uns_quiet quiet;

    uns_quiet_begin(&quiet);
    remove_from(lane, easy);
    uns_quiet_end(&quiet);
}

/* Out of the multi, its connection closed.  QUICK_EXIT: libcurl would wait
 * here for the thread of a name look-up that is still running. */
static void take_out(struct uns_attempt *a)
{
    const struct uns_call *call = a->call;
    const struct uns_real *real = call->lane->real;

    a->live = false;
    if (stays(a))
        return;
    if (!a->done)
        call->lane->flying--;
    real->curl_easy_setopt(a->easy, CURLOPT_QUICK_EXIT, 1L);
    if (a->done)
        remove_from(call->lane, a->easy);
    else
        break_off(call->lane, a->easy);
    real->curl_easy_setopt(
        a->easy, CURLOPT_QUICK_EXIT,
        a->source ? 0L : uns_notes_long(call->app, CURLOPT_QUICK_EXIT, 0));
}

static void cancel(struct uns_attempt *a, uns_ns now_ns)
{
    if (!a->live)
        return;
    if (!a->done) {
        a->cancelled = true;
        uns_meter_end(&a->meter, now_ns);
        uns_log("attempt %u cancelled", a->seq);
    }
    take_out(a);
}

static void cancel_marked(struct uns_call *call, uns_ns now_ns)
{
    for (unsigned i = 0; i < call->attempts; i++)
        if (call->todo.cancel & 1u << i)
            cancel(call->attempt[i], now_ns);
    call->todo.cancel = 0;
}

void uns_step_cancel_all(struct uns_call *call)
{
    uns_ns now = uns_clock_now();

    for (unsigned i = 0; i < call->attempts; i++)
        cancel(call->attempt[i], now);
}

/* Start the next usable source; tell the race how that went. */
static bool launch(struct uns_call *call, enum uns_why why)
{
    const char *none = NULL;
    const struct uns_source *source = uns_source_next(call, why, &none);
    struct uns_attempt *rival = NULL;
    uns_ns now = uns_clock_now();

    if (source) {
        rival = uns_rival_launch(call, source);
        none = rival ? NULL : "launch_failed";
    }
    if (!rival) {
        call->none = none;
        uns_log("no rival for %s: %s", uns_why_name(why), none);
        uns_race_none(&call->race, now);
        absorb(call);
        return false;
    }
    rival->why = why;
    if (call->why == UNS_WHY_NOTHING)
        call->why = why;
    uns_log("attempt %u at %s: %s", rival->seq, source->name,
            uns_why_name(why));
    (void)uns_race_launched(&call->race, now);
    absorb(call);
    return true;
}

static bool launch_wanted(struct uns_call *call)
{
    bool launched = false;

    while (call->todo.launch != UNS_WHY_NOTHING) {
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
    call->lane->incb++;
    if (!uns_voice_give(call) && call->paused && a->live && !a->done)
        call->lane->real->curl_easy_pause(a->easy, CURLPAUSE_RECV);
    call->lane->incb--;
}

/* Only watched: attempt 0's end is the call's. */
static bool step_solo(struct uns_call *call)
{
    struct uns_attempt *a = call->attempt[0];

    if (!a->done)
        return false;
    uns_judge_end(a, uns_clock_now());
    call->code = a->code;
    uns_lane_finish(call);
    uns_step_cancel_all(call);
    return false;
}

bool uns_step(struct uns_call *call)
{
    uns_ns now = uns_clock_now();
    bool launched;

    if (call->finished)
        return false;
    if (call->solo)
        return step_solo(call);
    for (unsigned i = 0; i < call->attempts; i++)
        if (call->attempt[i]->done && !call->attempt[i]->cancelled)
            uns_judge_end(call->attempt[i], now);
    uns_race_tick(&call->race, now);
    absorb(call);
    launched = launch_wanted(call);
    cancel_marked(call, now);
    give(call);
    uns_finish_try(call);
    return launched;
}
