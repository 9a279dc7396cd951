/* SPDX-License-Identifier: MIT */
#include "race_watch.h"

#include <string.h>

#define WATCH_BIT(a) ((uint8_t)(1u << (a)))

/* The checks return what is wrong, or NULL. */

static const char *watch_retry(struct watch *w)
{
    if (w->now_ns < w->ready_ns)
        return "a retry before its time (R10)";
    if (++w->retries > w->race.rules.retries)
        return "more retries than allowed (R10)";
    if (w->race.state != UNS_RACE_OPEN)
        return "a retry beside a lead (R10)";
    return NULL;
}

static const char *watch_launch(struct watch *w,
                                const struct uns_race_todo *todo)
{
    if (!todo->launch)
        return NULL;
    if (todo->why == UNS_WHY_NOTHING)
        return "launch without a reason";
    if (w->ended || todo->end)
        return "launch after the end (P5)";
    if ((w->gave || todo->give) != (todo->why == UNS_WHY_RESUME))
        return "launch after the commit, and no resume (P1)";
    if (todo->why == UNS_WHY_RESUME && !w->race.rules.resume)
        return "resume though it is off";
    if (w->sent >= w->race.rules.max_attempts)
        return "more than max_attempts requests (P5)";
    w->asked = 1;
    return todo->why == UNS_WHY_RETRY ? watch_retry(w) : NULL;
}

static const char *watch_give(struct watch *w, const struct uns_race_todo *todo)
{
    if (todo->join && (!w->gave || todo->lead == w->voice))
        return "joined, and nobody stopped";
    if (todo->join)
        w->voice = todo->lead;
    if (w->gave && todo->lead != w->voice)
        return "two voices (P1)";
    if (!todo->give)
        return NULL;
    if (w->gave)
        return "given twice (P1)";
    if (todo->lead == UNS_RACE_NOBODY)
        return "nobody is given";
    w->gave = true;
    w->voice = todo->lead;
    return NULL;
}

static const char *watch_cancel(struct watch *w,
                                const struct uns_race_todo *todo)
{
    if (todo->cancel & w->cancelled)
        return "cancelled twice";
    if (todo->cancel >> w->sent)
        return "cancelled before it was sent";
    if (w->gave && !todo->end && todo->cancel & WATCH_BIT(w->voice) &&
        uns_race_alive(&w->race, w->voice))
        return "the voice is cancelled";
    w->cancelled |= todo->cancel;
    w->over |= todo->cancel;
    return NULL;
}

/* A lead is a living attempt, unless the call ends with it (R6). */
static const char *watch_lead(struct watch *w, uint8_t over_before,
                              const struct uns_race_todo *todo)
{
    bool changed = todo->lead != w->lead;
    w->lead = todo->lead;
    if (!changed)
        return NULL;
    if (todo->lead >= w->sent)
        return "a lead that was never sent";
    if (!todo->end && over_before & WATCH_BIT(todo->lead))
        return "an ended attempt takes the lead (R6)";
    return NULL;
}

static const char *watch_end(struct watch *w, const struct uns_race_todo *todo)
{
    bool end = todo->end != UNS_END_NONE;
    if (w->ended && (end || todo->launch || todo->give || todo->cancel))
        return "something is done after the end";
    w->ended = w->ended || end;
    if (w->ended != (w->race.state == UNS_RACE_ENDED))
        return "ended, and not told";
    if (w->ended && uns_race_deadline(&w->race) != UNS_NEVER)
        return "a deadline after the end";
    return NULL;
}

/* Once bytes flow or the call is over nobody else may be at work. */
static const char *watch_rest(const struct watch *w)
{
    for (unsigned a = 0; a < w->sent; a++)
        if (uns_race_alive(&w->race, a) && w->over & WATCH_BIT(a))
            return "alive although it has ended";
    if (!w->gave || w->race.state == UNS_RACE_RESUME)
        return NULL;
    uint8_t others = (uint8_t)(WATCH_BIT(w->sent) - 1u) &
                     (uint8_t)~WATCH_BIT(w->voice) & (uint8_t)~w->cancelled;
    return others ? "a loser goes on (R6)" : NULL;
}

static const char *watch_take(struct watch *w, uint8_t over_before)
{
    const struct uns_race_todo todo = uns_race_take(&w->race);
    const char *wrong;
    /* A launch that is wanted no more: its answer would be refused. */
    if (todo.launch || w->race.want == UNS_WHY_NOTHING)
        w->asked = 0;
    wrong = watch_launch(w, &todo);
    wrong = wrong ? wrong : watch_give(w, &todo);
    wrong = wrong ? wrong : watch_cancel(w, &todo);
    wrong = wrong ? wrong : watch_lead(w, over_before, &todo);
    wrong = wrong ? wrong : watch_end(w, &todo);
    return wrong ? wrong : watch_rest(w);
}

/* When a rival is due by R2 or R4, told in other words than the table's. */
static uns_ns watch_trigger(const struct uns_race *race)
{
    const struct uns_race_attempt *lead = NULL;
    uns_ns span_ns = race->rules.stall_after_ns, from_ns = race->launch_ns;
    if (race->state >= UNS_RACE_RESUME || race->none || race->want ||
        race->paused_ns != UNS_NEVER)
        return UNS_NEVER;
    if (race->state == UNS_RACE_COMMITTED &&
        (!race->rules.resume ||
         race->attempt[race->lead].reached != UNS_ATTEMPT_LIVE))
        return UNS_NEVER;
    if (race->state == UNS_RACE_OPEN)
        span_ns = race->rules.after_ns ? race->rules.after_ns : UNS_NEVER;
    else
        lead = &race->attempt[race->lead];
    if (lead && lead->state == UNS_ATTEMPT_FIN)
        return UNS_NEVER;
    if (race->state == UNS_RACE_HELD || race->state == UNS_RACE_COMMITTED)
        from_ns = lead->progress_ns;
    return span_ns == UNS_NEVER ? UNS_NEVER : from_ns + span_ns;
}

static const char *watch_tick(struct watch *w)
{
    uns_race_tick(&w->race, w->now_ns);
    if (uns_race_deadline(&w->race) <= w->now_ns)
        return "due again at once: a busy loop";
    if (watch_trigger(&w->race) < uns_race_deadline(&w->race))
        return "sleeps through a trigger";
    if (w->race.retry_ns <= w->now_ns && w->race.want == UNS_WHY_NOTHING &&
        w->race.paused_ns == UNS_NEVER)
        return "sleeps through a retry";
    return NULL;
}

static void watch_answer(struct watch *w, bool launched)
{
    w->asked = 0;
    if (!launched)
        uns_race_none(&w->race, w->now_ns);
    else if (uns_race_launched(&w->race, w->now_ns) != UNS_RACE_NOBODY)
        w->sent++;
}

/* Only what the application's own request met puts a retry off. */
static void watch_wait(struct watch *w, unsigned a)
{
    bool own = a == 0 || w->race.attempt[a].why == UNS_WHY_RETRY;
    w->race.attempt[a].wait_ns = w->wait_ns;
    if (own && uns_race_alive(&w->race, a))
        w->ready_ns = w->now_ns + w->wait_ns;
}

static void watch_event(struct watch *w, unsigned op)
{
    unsigned a = op / UNS_EV_COUNT;
    enum uns_race_event event = (enum uns_race_event)(op % UNS_EV_COUNT);
    if (event == UNS_EV_PROGRESS && a < w->sent)
        w->race.attempt[a].bytes++;
    if (event == UNS_EV_RETRY)
        watch_wait(w, a);
    uns_race_event(&w->race, event, a, w->now_ns);
    if (event == UNS_EV_COMPLETE || event == UNS_EV_LOST ||
        event == UNS_EV_RETRY)
        w->over |= WATCH_BIT(a);
}

/* Without retries a status that may heal is a loss like any other. */
bool watch_possible(const struct watch *w, unsigned op)
{
    if (op < WATCH_TICK)
        return op / UNS_EV_COUNT < w->sent &&
               (op % UNS_EV_COUNT != UNS_EV_RETRY || w->race.rules.retries);
    return (op != WATCH_ANSWER && op != WATCH_NONE) || w->asked;
}

const char *watch_step(struct watch *w, unsigned op)
{
    static void (*const acts[])(struct uns_race * race, uns_ns now_ns) = {
        uns_race_timeout, uns_race_abort,   uns_race_fault,
        uns_race_pause,   uns_race_unpause,
    };
    uint8_t over_before = w->over;
    const char *wrong = NULL;
    if (op < WATCH_TICK)
        watch_event(w, op);
    else if (op == WATCH_TICK)
        wrong = watch_tick(w);
    else if (op < WATCH_TIMEOUT)
        watch_answer(w, op == WATCH_ANSWER);
    else
        acts[op - WATCH_TIMEOUT](&w->race, w->now_ns);
    return wrong ? wrong : watch_take(w, over_before);
}

/* Nothing more can be sent, not even a retry that was to come. */
static const char *watch_refuse(struct watch *w)
{
    const char *wrong = NULL;
    while (!wrong && w->asked)
        wrong = watch_step(w, WATCH_NONE);
    return wrong;
}

const char *watch_finish(struct watch w)
{
    const char *wrong = NULL;
    for (unsigned a = 0; a < w.sent && !wrong; a++) {
        wrong = watch_step(&w, a * UNS_EV_COUNT + UNS_EV_LOST);
        wrong = wrong ? wrong : watch_refuse(&w);
    }
    uns_race_unpause(&w.race, w.now_ns);
    while (!wrong && w.race.retry_ns != UNS_NEVER) {
        if (w.now_ns < w.race.retry_ns)
            w.now_ns = w.race.retry_ns;
        wrong = watch_step(&w, WATCH_TICK);
        wrong = wrong ? wrong : watch_refuse(&w);
    }
    if (wrong)
        return wrong;
    return w.ended ? NULL : "everybody has ended, but the call has not";
}

const char *watch_start(struct watch *w, const struct uns_race_rules *rules,
                        uns_ns wait_ns)
{
    memset(w, 0, sizeof *w);
    w->wait_ns = wait_ns;
    uns_race_init(&w->race, rules, 0);
    w->sent = 1;
    w->lead = UNS_RACE_NOBODY;
    return watch_take(w, 0);
}
