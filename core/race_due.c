/* SPDX-License-Identifier: MIT */

/*
 * race_due - when a race has to act although nothing happens.  The one source
 * of deadlines: what is announced and what fires cannot differ.
 */

#include "race_table.h"

/* from + span, where UNS_NEVER stays UNS_NEVER. */
static uns_ns later(uns_ns from_ns, uns_ns span_ns)
{
    return span_ns > UNS_NEVER - from_ns ? UNS_NEVER : from_ns + span_ns;
}

static bool is_paused(const struct uns_race *race)
{
    return race->paused_ns != UNS_NEVER;
}

/* R8.  A committed attempt without content is a refusal, or a body that cannot
 * be read: nothing is known of its tokens. */
static struct uns_race_due watchdog(const struct uns_race *race, unsigned a)
{
    const struct uns_race_attempt *attempt = &race->attempt[a];
    struct uns_race_due due = {UNS_NEVER, UNS_ON_LOST, UNS_END_NONE, a};
    bool stands_still = is_paused(race) && a == uns_race_front(race);

    if (stands_still || !uns_race_alive(race, a))
        return due;
    if (attempt->state == UNS_ATTEMPT_LIVE) {
        due.at_ns = later(attempt->alive_ns, race->rules.stall_timeout_ns);
        due.killed = UNS_END_STALL;
    } else if (attempt->state != UNS_ATTEMPT_FIN &&
               race->state != UNS_RACE_COMMITTED) {
        due.at_ns = later(attempt->alive_ns, race->rules.ttft_timeout_ns);
        due.killed = UNS_END_TTFT;
    }
    return due;
}

/* R2; with after_s 0 the tied rival was all. */
static uns_ns trigger_open(const struct uns_race *race)
{
    return race->rules.after_ns == 0
               ? UNS_NEVER
               : later(race->launch_ns, race->rules.after_ns);
}

static bool lead_finished(const struct uns_race *race)
{
    return race->attempt[race->lead].state == UNS_ATTEMPT_FIN;
}

/* R4. */
static uns_ns trigger_held(const struct uns_race *race)
{
    return lead_finished(race) ? UNS_NEVER
                               : later(race->attempt[race->lead].progress_ns,
                                       race->rules.stall_after_ns);
}

static uns_ns trigger_duel(const struct uns_race *race)
{
    return lead_finished(race)
               ? UNS_NEVER
               : later(race->launch_ns, race->rules.stall_after_ns);
}

/* What was given can only be continued. */
static uns_ns trigger_committed(const struct uns_race *race)
{
    return uns_race_may_resume(race, race->lead) ? trigger_held(race)
                                                 : UNS_NEVER;
}

/* NULL: no rival is ever wanted by the clock in that state. */
static uns_ns (*const triggers[UNS_RACE_STATE_COUNT])(
    const struct uns_race *race) = {
    [UNS_RACE_OPEN] = trigger_open,
    [UNS_RACE_HELD] = trigger_held,
    [UNS_RACE_DUEL] = trigger_duel,
    [UNS_RACE_COMMITTED] = trigger_committed,
};

static uns_ns trigger(const struct uns_race *race)
{
    bool asks = !race->none && race->want == UNS_WHY_NOTHING;
    if (!asks || is_paused(race) || !triggers[race->state])
        return UNS_NEVER;
    return triggers[race->state](race);
}

/* R10.  While another launch is being answered it may take the place. */
static uns_ns retry(const struct uns_race *race)
{
    return is_paused(race) || race->want != UNS_WHY_NOTHING ? UNS_NEVER
                                                            : race->retry_ns;
}

/* R5.  In a duel the duel decides. */
static uns_ns window(const struct uns_race *race)
{
    return race->state == UNS_RACE_HELD
               ? later(race->window_ns, race->rules.hold_ns)
               : UNS_NEVER;
}

static uns_ns total(const struct uns_race *race)
{
    return later(race->begin_ns, race->rules.total_ns);
}

static struct uns_race_due sooner(struct uns_race_due a, struct uns_race_due b)
{
    return b.at_ns < a.at_ns ? b : a;
}

/* Of several at one moment the first listed comes first. */
struct uns_race_due uns_race_due(const struct uns_race *race)
{
    const struct uns_race_due clocks[] = {
        {total(race),   UNS_ON_TOTAL,   UNS_END_NONE, UNS_RACE_NOBODY},
        {window(race),  UNS_ON_WINDOW,  UNS_END_NONE, UNS_RACE_NOBODY},
        {retry(race),   UNS_ON_RETRY,   UNS_END_NONE, UNS_RACE_NOBODY},
        {trigger(race), UNS_ON_TRIGGER, UNS_END_NONE, UNS_RACE_NOBODY},
    };
    struct uns_race_due due = {UNS_NEVER, UNS_ON_NOTHING, UNS_END_NONE,
                               UNS_RACE_NOBODY};
    if (race->state == UNS_RACE_ENDED)
        return due;
    due = sooner(due, clocks[0]);
    for (unsigned a = 0; a < race->attempts; a++)
        due = sooner(due, watchdog(race, a));
    for (size_t i = 1; i < sizeof clocks / sizeof *clocks; i++)
        due = sooner(due, clocks[i]);
    return due;
}

uns_ns uns_race_deadline(const struct uns_race *race)
{
    return uns_race_due(race).at_ns;
}
