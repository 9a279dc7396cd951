/* SPDX-License-Identifier: MIT */
/* simulate - a driver without transfers: the next event or the next deadline,
 * whichever comes first; at one moment the event, as in a pass of the engine.
 */
#include "simulate.h"

#include <string.h>

struct run {
    struct uns_race race;
    const struct uns_lineup *lineup;
    size_t heard[UNS_RACE_ATTEMPTS]; /* events that were fed */
    uns_ns start_ns[UNS_RACE_ATTEMPTS];
    uns_ns stop_ns[UNS_RACE_ATTEMPTS]; /* UNS_NEVER: it ran to its end */
    unsigned attempts;
    bool ended;
    struct uns_outcome *outcome;
};

/* Events of a trace: its points, its finish with the last, its end. */
static bool event_at(const struct uns_trace *trace, size_t i,
                     enum uns_race_event *ret_event, uns_ns *ret_at)
{
    size_t last = trace->points ? trace->points - 1 : 0;

    if (i > trace->points + 1)
        return false;
    *ret_event = i < trace->points    ? UNS_EV_PROGRESS
                 : i == trace->points ? UNS_EV_FINISH
                                      : UNS_EV_COMPLETE;
    *ret_at = i < trace->points                         ? trace->at_ns[i]
              : i == trace->points && trace->points > 0 ? trace->at_ns[last]
                                                        : trace->end_ns;
    return true;
}

/* The next event of anyone; ties by attempt number.  UNS_RACE_NOBODY: none. */
static unsigned next_event(const struct run *run,
                           enum uns_race_event *ret_event, uns_ns *ret_at)
{
    unsigned first = UNS_RACE_NOBODY;

    *ret_at = UNS_NEVER;
    for (unsigned a = 0; a < run->attempts; a++) {
        enum uns_race_event event;
        uns_ns at;

        if (!uns_race_alive(&run->race, a) ||
            !event_at(run->lineup->trace[a], run->heard[a], &event, &at) ||
            run->start_ns[a] + at >= *ret_at)
            continue;
        first = a;
        *ret_event = event;
        *ret_at = run->start_ns[a] + at;
    }
    return first;
}

static void launch(struct run *run, uns_ns now_ns)
{
    unsigned a = run->attempts;

    if (a >= run->lineup->count) {
        uns_race_none(&run->race, now_ns);
        return;
    }
    if (uns_race_launched(&run->race, now_ns) == UNS_RACE_NOBODY)
        return;
    run->start_ns[a] = now_ns;
    run->stop_ns[a] = UNS_NEVER;
    run->attempts++;
}

static void stop(struct run *run, uint8_t cancel, uns_ns now_ns)
{
    for (unsigned a = 0; a < run->attempts; a++)
        if (cancel & 1u << a)
            run->stop_ns[a] = now_ns;
}

/* Do what the race wants, and what it wants upon that. */
static void obey(struct run *run, uns_ns now_ns)
{
    bool more = true;

    while (more) {
        struct uns_race_todo todo = uns_race_take(&run->race);

        stop(run, todo.cancel, now_ns);
        if (todo.give)
            run->outcome->first_ns = now_ns;
        if (todo.end != UNS_END_NONE) {
            run->outcome->wall_ns = now_ns;
            run->outcome->winner = todo.lead;
            run->ended = true;
        }
        more = todo.launch;
        if (more)
            launch(run, now_ns);
    }
}

/* False: nothing will ever happen any more. */
static bool go_on(struct run *run)
{
    uns_ns deadline_ns = uns_race_deadline(&run->race);
    enum uns_race_event event = UNS_EV_COUNT;
    uns_ns at_ns;
    unsigned a = next_event(run, &event, &at_ns);

    if (a != UNS_RACE_NOBODY && at_ns <= deadline_ns) {
        run->heard[a]++;
        uns_race_event(&run->race, event, a, at_ns);
    } else if (deadline_ns != UNS_NEVER) {
        at_ns = deadline_ns;
        uns_race_tick(&run->race, at_ns);
    } else {
        return false;
    }
    obey(run, at_ns);
    return true;
}

static double wasted(const struct run *run)
{
    double tokens = 0;

    for (unsigned a = 0; a < run->attempts; a++) {
        const struct uns_trace *trace = run->lineup->trace[a];
        uns_ns until_ns = run->stop_ns[a] < run->outcome->wall_ns
                              ? run->stop_ns[a]
                              : run->outcome->wall_ns;

        if (a != run->outcome->winner)
            tokens += trace->tokens *
                      uns_trace_written(trace, until_ns - run->start_ns[a]);
    }
    return tokens;
}

void uns_simulate(const struct uns_race_rules *rules,
                  const struct uns_lineup *lineup,
                  struct uns_outcome *ret_outcome)
{
    struct run run = {.lineup = lineup, .attempts = 1, .outcome = ret_outcome};

    *ret_outcome = (struct uns_outcome){0};
    run.stop_ns[0] = UNS_NEVER;
    uns_race_init(&run.race, rules, 0);
    obey(&run, 0);
    while (!run.ended && go_on(&run))
        continue;
    ret_outcome->requests = run.attempts;
    ret_outcome->wasted = wasted(&run);
}
