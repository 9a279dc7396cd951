/* SPDX-License-Identifier: MIT */

/*
 * race - the tables of race.h.
 *
 * Two tables decide.  `moves` says what an event makes of its attempt, and
 * drops the events of attempts that have ended.  `table` says what it makes
 * of the call: of a cell's rows the first whose condition holds is taken.  A
 * rule is a row; step() alone changes the state of the call.
 */

#include "race_table.h"

#include <string.h>

/* Rows of a cell, the empty one that ends it included. */
enum {
    CELL = 4
};

struct row {
    uns_race_when *when; /* NULL: always */
    uns_race_act *act;   /* NULL: the cell ends here */
    enum uns_race_state next;
    enum uns_why why;
};

/* clang-format off */
#define IF(condition, act, next, why) \
    {uns_race_##condition, uns_race_act_##act, UNS_RACE_##next, UNS_WHY_##why}
#define DO(act, next, why) \
    {NULL, uns_race_act_##act, UNS_RACE_##next, UNS_WHY_##why}

/* R9, P6: in every state. */
#define ENDS                                                  \
    [UNS_ON_TOTAL] = {DO(time_out, ENDED, NOTHING)},          \
    [UNS_ON_ABORT] = {DO(abort, ENDED, NOTHING)}

/* Fail open, too. */
#define ALWAYS ENDS,                                          \
    [UNS_ON_FAULT] = {IF(front_alive, fault, COMMITTED, NOTHING), \
                      DO(fall_back, ENDED, NOTHING)}

static const struct row table[UNS_RACE_STATE_COUNT][UNS_ON_COUNT][CELL] = {
    [UNS_RACE_OPEN] = {
        ALWAYS,
        [UNS_ON_PROGRESS] = {IF(holds_nothing, commit, COMMITTED, NOTHING),
                             DO(lead, HELD, NOTHING)},
        [UNS_ON_COMPLETE] = {DO(win, ENDED, NOTHING)},
        [UNS_ON_REFUSED]  = {DO(commit, COMMITTED, NOTHING)},
        [UNS_ON_LOST]     = {DO(replace, OPEN, FAILURE)},
        [UNS_ON_OVERFLOW] = {DO(commit, COMMITTED, NOTHING)},
        [UNS_ON_TRIGGER]  = {DO(launch, OPEN, FIRST_TOKEN)},
        [UNS_ON_FAILED]   = {DO(defer, OPEN, NOTHING)},
        [UNS_ON_RETRY]    = {DO(retry, OPEN, RETRY)},
        [UNS_ON_NONE]     = {IF(awaits, stay, OPEN, NOTHING),
                             DO(fall_back, ENDED, NOTHING)},
    },
    [UNS_RACE_HELD] = {
        ALWAYS,
        [UNS_ON_PROGRESS] = {IF(is_lead, keep_lead, HELD, NOTHING)},
        [UNS_ON_COMPLETE] = {DO(win, ENDED, NOTHING)},
        [UNS_ON_LOST]     = {IF(is_lead, replace, DUEL, FAILURE)},
        [UNS_ON_OVERFLOW] = {DO(commit_lead, COMMITTED, NOTHING)},
        [UNS_ON_TRIGGER]  = {DO(launch, DUEL, STALL)},
        [UNS_ON_WINDOW]   = {DO(commit_lead, COMMITTED, NOTHING)},
    },
    /* A duel begins when the rival is asked for; without one it is over. */
    [UNS_RACE_DUEL] = {
        ALWAYS,
        [UNS_ON_PROGRESS] = {IF(is_lead, keep_lead, HELD, NOTHING),
                             DO(lead, HELD, NOTHING)},
        [UNS_ON_COMPLETE] = {DO(win, ENDED, NOTHING)},
        [UNS_ON_LOST]     = {IF(lead_with_rival, pass_lead, DUEL, NOTHING),
                             DO(replace, DUEL, FAILURE)},
        [UNS_ON_OVERFLOW] = {IF(lead_alive, commit_lead, COMMITTED, NOTHING),
                             DO(commit, COMMITTED, NOTHING)},
        [UNS_ON_TRIGGER]  = {DO(launch, DUEL, STALL)},
        [UNS_ON_NONE]     = {IF(rival_alive, stay, DUEL, NOTHING),
                             IF(lead_alive, stay, HELD, NOTHING),
                             DO(fall_back, ENDED, NOTHING)},
    },
    [UNS_RACE_COMMITTED] = {
        ALWAYS,
        [UNS_ON_PROGRESS] = {DO(keep_lead, COMMITTED, NOTHING)},
        [UNS_ON_COMPLETE] = {DO(win, ENDED, NOTHING)},
        [UNS_ON_LOST]     = {IF(may_resume, launch, RESUME, RESUME),
                             DO(cut, ENDED, NOTHING)},
        [UNS_ON_TRIGGER]  = {DO(launch, RESUME, RESUME)},
    },
    /* The lead may have ended; its bytes were given, so it stays the lead. */
    [UNS_RACE_RESUME] = {
        ENDS,
        [UNS_ON_FAULT]    = {IF(lead_alive, fault, COMMITTED, NOTHING),
                             DO(cut, ENDED, NOTHING)},
        [UNS_ON_PROGRESS] = {IF(is_lead, commit_lead, COMMITTED, NOTHING),
                             DO(join, COMMITTED, NOTHING)},
        [UNS_ON_COMPLETE] = {IF(is_lead, win, ENDED, NOTHING),
                             DO(join_whole, ENDED, NOTHING)},
        [UNS_ON_LOST]     = {IF(lead_with_rival, stay, RESUME, NOTHING),
                             IF(is_lead, launch, RESUME, RESUME),
                             DO(drop, RESUME, RESUME)},
        [UNS_ON_OVERFLOW] = {IF(is_lead, stay, RESUME, NOTHING),
                             DO(drop, RESUME, RESUME)},
        [UNS_ON_NONE]     = {IF(rival_alive, stay, RESUME, NOTHING),
                             IF(lead_alive, stay, COMMITTED, NOTHING),
                             DO(cut, ENDED, NOTHING)},
    },
};

/* A new state for the attempt; NONE: the event means nothing now. */
#define GOES(b, p, f) {                                                    \
    [UNS_EV_REPEAT] = UNS_ATTEMPT_##p,                                        \
    [UNS_EV_BYTES] = UNS_ATTEMPT_##b,    [UNS_EV_PROGRESS] = UNS_ATTEMPT_##p, \
    [UNS_EV_FINISH] = UNS_ATTEMPT_##f,   [UNS_EV_COMPLETE] = UNS_ATTEMPT_DONE, \
    [UNS_EV_REFUSED] = UNS_ATTEMPT_##b,  [UNS_EV_LOST] = UNS_ATTEMPT_LOST, \
    [UNS_EV_OVERFLOW] = UNS_ATTEMPT_##b, [UNS_EV_RETRY] = UNS_ATTEMPT_LOST}

static const uint8_t moves[UNS_ATTEMPT_STATE_COUNT][UNS_EV_COUNT] = {
    [UNS_ATTEMPT_WAIT] = GOES(RUN,  LIVE, FIN),
    [UNS_ATTEMPT_RUN]  = GOES(RUN,  LIVE, FIN),
    [UNS_ATTEMPT_LIVE] = GOES(LIVE, LIVE, FIN),
    [UNS_ATTEMPT_FIN]  = GOES(FIN,  FIN,  FIN),
};

static const uint8_t meanings[UNS_EV_COUNT] = {
    [UNS_EV_PROGRESS] = UNS_ON_PROGRESS, [UNS_EV_FINISH] = UNS_ON_PROGRESS,
    [UNS_EV_COMPLETE] = UNS_ON_COMPLETE, [UNS_EV_REFUSED] = UNS_ON_REFUSED,
    [UNS_EV_LOST] = UNS_ON_LOST,         [UNS_EV_OVERFLOW] = UNS_ON_OVERFLOW,
    [UNS_EV_RETRY] = UNS_ON_FAILED,
};

/* clang-format on */

static const struct row *find(const struct uns_race *race, enum uns_race_on on,
                              unsigned a)
{
    for (const struct row *row = table[race->state][on]; row->act; row++)
        if (!row->when || row->when(race, a))
            return row;
    return NULL;
}

static void step(struct uns_race *race, enum uns_race_on on, unsigned a,
                 uns_ns now_ns)
{
    while (on != UNS_ON_NOTHING) {
        const struct row *row = find(race, on, a);
        if (!row)
            return;
        const struct uns_race_step what = {a, row->why, now_ns};
        on = row->act(race, &what);
        race->state = row->next;
    }
}

static void start(struct uns_race *race, enum uns_why why, uns_ns now_ns)
{
    struct uns_race_attempt *attempt = &race->attempt[race->attempts++];
    attempt->state = attempt->reached = UNS_ATTEMPT_WAIT;
    attempt->why = why;
    attempt->start_ns = attempt->progress_ns = now_ns;
    attempt->alive_ns = now_ns;
    race->launch_ns = now_ns;
    race->retry_ns = UNS_NEVER; /* whoever was sent stands in for it */
}

void uns_race_init(struct uns_race *race, const struct uns_race_rules *rules,
                   uns_ns now_ns)
{
    memset(race, 0, sizeof *race);
    race->rules = *rules;
    if (race->rules.max_attempts > UNS_RACE_ATTEMPTS)
        race->rules.max_attempts = UNS_RACE_ATTEMPTS;
    race->lead = UNS_RACE_NOBODY;
    race->begin_ns = now_ns;
    race->paused_ns = UNS_NEVER;
    start(race, UNS_WHY_NOTHING, now_ns);
    if (rules->after_ns == 0) {
        const struct uns_race_step tied = {0, UNS_WHY_TIED, now_ns};
        uns_race_act_launch(race, &tied);
    }
}

/* Only attempt 0 can refuse on the application's behalf, and only while no
 * other one answers already.  A retry that cannot be is a loss. */
static enum uns_race_event in_place(const struct uns_race *race,
                                    enum uns_race_event event, unsigned a)
{
    bool stands = a == 0 && (race->lead == UNS_RACE_NOBODY || race->lead == 0);
    bool lost = (event == UNS_EV_REFUSED && !stands) ||
                (event == UNS_EV_RETRY && !uns_race_may_retry(race, a));
    return lost ? UNS_EV_LOST : event;
}

void uns_race_event(struct uns_race *race, enum uns_race_event event,
                    unsigned a, uns_ns now_ns)
{
    if (a >= race->attempts || (unsigned)event >= UNS_EV_COUNT ||
        race->state == UNS_RACE_ENDED ||
        (event == UNS_EV_REPEAT && race->state != UNS_RACE_RESUME))
        return;
    struct uns_race_attempt *attempt = &race->attempt[a];
    event = in_place(race, event, a);
    enum uns_attempt_state next = moves[attempt->state][event];
    if (next == UNS_ATTEMPT_NONE)
        return;
    attempt->state = next;
    if (next <= UNS_ATTEMPT_FIN)
        attempt->reached = next;
    if (event == UNS_EV_PROGRESS || event == UNS_EV_REPEAT)
        attempt->progress_ns = attempt->alive_ns = now_ns;
    if (event == UNS_EV_BYTES && race->rules.alive_by_bytes)
        attempt->alive_ns = now_ns;
    if (next == UNS_ATTEMPT_LOST)
        race->lost = (uint8_t)a;
    step(race, meanings[event], a, now_ns);
}

void uns_race_limit(struct uns_race *race, uns_ns total_ns)
{
    race->rules.total_ns = total_ns;
}

static void kill(struct uns_race *race, const struct uns_race_due *due,
                 uns_ns now_ns)
{
    race->attempt[due->a].killed = due->killed;
    uns_race_event(race, UNS_EV_LOST, due->a, now_ns);
    uns_race_stop(race, due->a);
}

/* Ends, because whatever fires disarms itself. */
void uns_race_tick(struct uns_race *race, uns_ns now_ns)
{
    struct uns_race_due due = uns_race_due(race);
    while (due.at_ns <= now_ns && due.at_ns != UNS_NEVER) {
        if (due.killed != UNS_END_NONE)
            kill(race, &due, now_ns);
        else
            step(race, due.on, due.a, now_ns);
        due = uns_race_due(race);
    }
}

unsigned uns_race_launched(struct uns_race *race, uns_ns now_ns)
{
    if (race->want == UNS_WHY_NOTHING)
        return UNS_RACE_NOBODY;
    start(race, race->want, now_ns);
    race->want = UNS_WHY_NOTHING;
    return race->attempts - 1u;
}

/* Where no retry can be sent the failure is answered as any other. */
void uns_race_none(struct uns_race *race, uns_ns now_ns)
{
    bool retry = race->want == UNS_WHY_RETRY;
    if (race->want == UNS_WHY_NOTHING)
        return;
    race->want = UNS_WHY_NOTHING;
    race->none = !retry;
    step(race, retry ? UNS_ON_LOST : UNS_ON_NONE, race->lost, now_ns);
}

void uns_race_forgo(struct uns_race *race, uns_ns now_ns)
{
    if (race->retry_ns == UNS_NEVER)
        return;
    race->retry_ns = UNS_NEVER;
    step(race, UNS_ON_LOST, race->lost, now_ns);
}

bool uns_race_wants(const struct uns_race *race)
{
    return race->want != UNS_WHY_NOTHING;
}

void uns_race_timeout(struct uns_race *race, uns_ns now_ns)
{
    step(race, UNS_ON_TOTAL, UNS_RACE_NOBODY, now_ns);
}

void uns_race_abort(struct uns_race *race, uns_ns now_ns)
{
    step(race, UNS_ON_ABORT, UNS_RACE_NOBODY, now_ns);
}

void uns_race_fault(struct uns_race *race, uns_ns now_ns)
{
    step(race, UNS_ON_FAULT, UNS_RACE_NOBODY, now_ns);
}

void uns_race_pause(struct uns_race *race, uns_ns now_ns)
{
    if (race->paused_ns == UNS_NEVER)
        race->paused_ns = now_ns;
}

/* A clock that started during the pause stood still from then on. */
static void thaw(uns_ns *clock_ns, uns_ns paused_ns, uns_ns now_ns)
{
    *clock_ns += now_ns - (*clock_ns > paused_ns ? *clock_ns : paused_ns);
}

void uns_race_unpause(struct uns_race *race, uns_ns now_ns)
{
    uns_ns paused_ns = race->paused_ns;
    struct uns_race_attempt *front = &race->attempt[uns_race_front(race)];
    if (paused_ns == UNS_NEVER)
        return;
    race->paused_ns = UNS_NEVER;
    thaw(&front->start_ns, paused_ns, now_ns);
    thaw(&front->progress_ns, paused_ns, now_ns);
    thaw(&front->alive_ns, paused_ns, now_ns);
    thaw(&race->launch_ns, paused_ns, now_ns);
}

struct uns_race_todo uns_race_take(struct uns_race *race)
{
    struct uns_race_todo todo = race->todo;
    todo.lead = race->lead;
    memset(&race->todo, 0, sizeof race->todo);
    return todo;
}

unsigned uns_race_lead(const struct uns_race *race)
{
    return race->lead;
}

bool uns_race_truncated(const struct uns_race *race)
{
    return race->truncated;
}
