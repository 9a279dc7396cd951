/* SPDX-License-Identifier: MIT */

/*
 * race_act - conditions and effects of the race's table.  Which of them is
 * taken when is the table's business (race.c); here is only what each does to
 * the leads, the attempts and the todo.
 */

#include "race_table.h"

bool uns_race_alive(const struct uns_race *race, unsigned a)
{
    return a < race->attempts && race->attempt[a].state >= UNS_ATTEMPT_WAIT &&
           race->attempt[a].state <= UNS_ATTEMPT_FIN;
}

unsigned uns_race_front(const struct uns_race *race)
{
    return race->lead == UNS_RACE_NOBODY ? 0 : race->lead;
}

static bool has_content(const struct uns_race *race, unsigned a)
{
    return race->attempt[a].reached >= UNS_ATTEMPT_LIVE;
}

static bool was_killed(const struct uns_race *race, unsigned a)
{
    return race->attempt[a].killed != UNS_END_NONE;
}

/* Attempt 0 failed without our doing: its result is the application's. */
static bool own_result(const struct uns_race *race)
{
    return race->attempt[0].state == UNS_ATTEMPT_LOST && !was_killed(race, 0);
}

/* Most bytes among those with content; UNS_RACE_NOBODY when none has any. */
static unsigned fullest(const struct uns_race *race, bool living_only)
{
    unsigned best = UNS_RACE_NOBODY;
    for (unsigned a = 0; a < race->attempts; a++) {
        if (!has_content(race, a) || (living_only && !uns_race_alive(race, a)))
            continue;
        if (best == UNS_RACE_NOBODY ||
            race->attempt[a].bytes > race->attempt[best].bytes)
            best = a;
    }
    return best;
}

bool uns_race_is_lead(const struct uns_race *race, unsigned a)
{
    return a == race->lead;
}

bool uns_race_lead_alive(const struct uns_race *race, unsigned a)
{
    (void)a;
    return uns_race_alive(race, race->lead);
}

bool uns_race_rival_alive(const struct uns_race *race, unsigned a)
{
    (void)a;
    for (unsigned i = 0; i < race->attempts; i++)
        if (i != race->lead && uns_race_alive(race, i))
            return true;
    return false;
}

bool uns_race_lead_with_rival(const struct uns_race *race, unsigned a)
{
    return uns_race_is_lead(race, a) && uns_race_rival_alive(race, a);
}

bool uns_race_front_alive(const struct uns_race *race, unsigned a)
{
    (void)a;
    return uns_race_alive(race, uns_race_front(race));
}

bool uns_race_holds_nothing(const struct uns_race *race, unsigned a)
{
    (void)a;
    return race->rules.hold_ns == 0;
}

/* Only an answer that has begun, and whose finish was not seen. */
bool uns_race_may_resume(const struct uns_race *race, unsigned a)
{
    (void)a;
    return race->rules.resume &&
           race->attempt[race->lead].reached == UNS_ATTEMPT_LIVE;
}

static unsigned retries(const struct uns_race *race)
{
    unsigned count = 0;
    for (unsigned a = 1; a < race->attempts; a++)
        count += race->attempt[a].why == UNS_WHY_RETRY;
    return count;
}

unsigned uns_race_retries_left(const struct uns_race *race)
{
    unsigned sent = retries(race);
    unsigned left = race->rules.retries > sent ? race->rules.retries - sent : 0;
    unsigned room = race->rules.max_attempts > race->attempts
                        ? (unsigned)race->rules.max_attempts - race->attempts
                        : 0;
    return left < room ? left : room;
}

/* Somebody else would not be there before it. */
uns_ns uns_race_patience(const struct uns_race *race)
{
    uns_ns after_ns = race->rules.after_ns;
    return after_ns == UNS_NEVER ? UNS_RACE_PATIENCE : after_ns;
}

/* R10: attempt 0, or a retry of it. */
bool uns_race_may_retry(const struct uns_race *race, unsigned a)
{
    bool own = a == 0 || race->attempt[a].why == UNS_WHY_RETRY;
    return own && race->state == UNS_RACE_OPEN &&
           uns_race_retries_left(race) > 0 &&
           race->attempt[a].wait_ns < uns_race_patience(race);
}

bool uns_race_awaits(const struct uns_race *race, unsigned a)
{
    return race->retry_ns != UNS_NEVER || uns_race_rival_alive(race, a);
}

void uns_race_stop(struct uns_race *race, unsigned a)
{
    uint8_t bit = (uint8_t)(1u << a);
    race->todo.cancel |= (uint8_t)(bit & ~race->stopped);
    race->stopped |= bit;
    if (uns_race_alive(race, a))
        race->attempt[a].state = UNS_ATTEMPT_CANCELLED;
}

/* `keep` may be UNS_RACE_NOBODY. */
static void stop_all_but(struct uns_race *race, unsigned keep)
{
    for (unsigned a = 0; a < race->attempts; a++)
        if (a != keep)
            uns_race_stop(race, a);
}

static void want_nobody(struct uns_race *race)
{
    race->want = UNS_WHY_NOTHING;
    race->todo.why = UNS_WHY_NOTHING;
    race->todo.launch = false;
    race->retry_ns = UNS_NEVER;
}

static void give(struct uns_race *race)
{
    race->todo.give = race->todo.give || !race->given;
    race->given = true;
}

static void end(struct uns_race *race, enum uns_race_end how, unsigned keep)
{
    race->todo.end = how;
    want_nobody(race);
    stop_all_but(race, keep);
}

enum uns_race_on uns_race_act_stay(struct uns_race *race,
                                   const struct uns_race_step *step)
{
    (void)race;
    (void)step;
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_keep_lead(struct uns_race *race,
                                        const struct uns_race_step *step)
{
    (void)step;
    want_nobody(race);
    race->none = false;
    if (!race->rules.first_complete)
        stop_all_but(race, race->lead);
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_lead(struct uns_race *race,
                                   const struct uns_race_step *step)
{
    race->lead = (uint8_t)step->a;
    race->window_ns = step->now_ns;
    return uns_race_act_keep_lead(race, step);
}

static void commit(struct uns_race *race, unsigned a)
{
    race->lead = (uint8_t)a;
    race->none = false;
    want_nobody(race);
    stop_all_but(race, a);
    give(race);
}

enum uns_race_on uns_race_act_commit(struct uns_race *race,
                                     const struct uns_race_step *step)
{
    commit(race, step->a);
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_commit_lead(struct uns_race *race,
                                          const struct uns_race_step *step)
{
    (void)step;
    commit(race, race->lead);
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_win(struct uns_race *race,
                                  const struct uns_race_step *step)
{
    commit(race, step->a);
    end(race, UNS_END_LEAD, step->a);
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_cut(struct uns_race *race,
                                  const struct uns_race_step *step)
{
    (void)step;
    race->truncated = true;
    end(race,
        was_killed(race, race->lead) ? race->attempt[race->lead].killed
                                     : UNS_END_LEAD,
        race->lead);
    return UNS_ON_NOTHING;
}

/* What was given stays; from here on the voice is another's. */
enum uns_race_on uns_race_act_join(struct uns_race *race,
                                   const struct uns_race_step *step)
{
    commit(race, step->a);
    race->todo.join = true;
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_join_whole(struct uns_race *race,
                                         const struct uns_race_step *step)
{
    uns_race_act_join(race, step);
    end(race, UNS_END_LEAD, step->a);
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_drop(struct uns_race *race,
                                   const struct uns_race_step *step)
{
    uns_race_stop(race, step->a);
    return uns_race_act_launch(race, step);
}

/* One at a time: what is wanted while a launch is being answered is met by
 * that launch. */
enum uns_race_on uns_race_act_launch(struct uns_race *race,
                                     const struct uns_race_step *step)
{
    if (race->attempts >= race->rules.max_attempts) {
        race->todo.spent = true;
        race->none = true;
        return UNS_ON_NONE;
    }
    if (race->want != UNS_WHY_NOTHING && !race->todo.launch)
        return UNS_ON_NOTHING;
    race->want = step->why;
    race->todo.why = step->why;
    race->todo.launch = true;
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_defer(struct uns_race *race,
                                    const struct uns_race_step *step)
{
    race->retry_ns = step->now_ns + race->attempt[step->a].wait_ns;
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_retry(struct uns_race *race,
                                    const struct uns_race_step *step)
{
    race->retry_ns = UNS_NEVER;
    return uns_race_act_launch(race, step);
}

/* Only decide: first_complete lets others with content live beside a lead. */
enum uns_race_on uns_race_act_pass_lead(struct uns_race *race,
                                        const struct uns_race_step *step)
{
    unsigned next = fullest(race, true);
    if (step->a == race->lead && next != UNS_RACE_NOBODY)
        race->lead = (uint8_t)next;
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_replace(struct uns_race *race,
                                      const struct uns_race_step *step)
{
    uns_race_act_pass_lead(race, step);
    if (!race->rules.failover)
        return UNS_ON_NONE;
    return uns_race_act_launch(race, step);
}

/* Whose result it is when all failed.  A watchdog's end is named (R8) unless
 * attempt 0 has a result of its own, or only another one has content. */
static unsigned last_resort(const struct uns_race *race)
{
    unsigned full = fullest(race, false);
    if (own_result(race))
        return 0;
    if (was_killed(race, race->lost) &&
        (full == UNS_RACE_NOBODY || has_content(race, race->lost)))
        return race->lost;
    return full == UNS_RACE_NOBODY ? 0 : full;
}

enum uns_race_on uns_race_act_fall_back(struct uns_race *race,
                                        const struct uns_race_step *step)
{
    (void)step;
    unsigned who = last_resort(race);
    bool killed = was_killed(race, who);
    race->lead = (uint8_t)who;
    race->truncated = race->attempt[who].reached == UNS_ATTEMPT_LIVE;
    end(race, killed ? race->attempt[who].killed : UNS_END_FALLBACK, who);
    if (!killed || has_content(race, who))
        give(race);
    return UNS_ON_NOTHING;
}

/* Without a lead, what came of attempt 0: libcurl would have given that. */
enum uns_race_on uns_race_act_time_out(struct uns_race *race,
                                       const struct uns_race_step *step)
{
    unsigned who = uns_race_front(race);
    bool led = race->lead != UNS_RACE_NOBODY;
    if (!led && own_result(race))
        return uns_race_act_fall_back(race, step);
    if (led || uns_race_alive(race, who)) {
        race->lead = (uint8_t)who;
        race->truncated = race->attempt[who].reached == UNS_ATTEMPT_LIVE;
        give(race);
    }
    end(race, UNS_END_TIMEOUT, UNS_RACE_NOBODY);
    return UNS_ON_NOTHING;
}

enum uns_race_on uns_race_act_abort(struct uns_race *race,
                                    const struct uns_race_step *step)
{
    (void)step;
    race->todo.give = false;
    end(race, UNS_END_ABORT, UNS_RACE_NOBODY);
    return UNS_ON_NOTHING;
}

/* After a fault content may not be recognised any more, so the watchdogs
 * would bite a healthy stream. */
enum uns_race_on uns_race_act_fault(struct uns_race *race,
                                    const struct uns_race_step *step)
{
    (void)step;
    race->rules.ttft_timeout_ns = UNS_NEVER;
    race->rules.stall_timeout_ns = UNS_NEVER;
    race->rules.resume = false;
    commit(race, uns_race_front(race));
    return UNS_ON_NOTHING;
}
