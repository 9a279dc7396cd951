/* SPDX-License-Identifier: MIT */
#include "tell.h"

#include "limit.h"
#include "resume.h"
#include "roster.h"

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
    if (todo.join)
        uns_resume_join(call, todo.lead);
    if (todo.launch)
        call->todo.launch = todo.why;
    if (todo.spent)
        call->none = "max_attempts";
    call->todo.cancel |= todo.cancel;
    if (todo.end != UNS_END_NONE) {
        call->todo.end = todo.end;
        call->todo.end_of = todo.lead;
        uns_resume_release(call);
    }
    if (todo.give || todo.launch || todo.cancel || todo.end != UNS_END_NONE)
        uns_roster_touch(call);
}

void uns_tell_event(struct uns_call *call, enum uns_race_event event,
                    unsigned a, uns_ns now_ns)
{
    enum uns_attempt_state before = call->race.attempt[a].state;

    if (call->solo)
        return;
    if (a == 0)
        uns_limit_connected(call, now_ns);
    uns_race_event(&call->race, event, a, now_ns);
    absorb(call);
    /* Another state has other deadlines, which may come sooner. */
    if (call->race.attempt[a].state != before)
        uns_roster_touch(call);
}

void uns_tell_timeout(struct uns_call *call, uns_ns now_ns)
{
    uns_race_timeout(&call->race, now_ns);
    absorb(call);
}

void uns_tell_abort(struct uns_call *call, uns_ns now_ns)
{
    uns_race_abort(&call->race, now_ns);
    absorb(call);
}

void uns_tell_forgo(struct uns_call *call, uns_ns now_ns)
{
    uns_race_forgo(&call->race, now_ns);
    absorb(call);
}

void uns_tell_time(struct uns_call *call, uns_ns now_ns)
{
    uns_race_tick(&call->race, now_ns);
    absorb(call);
}

void uns_tell_launched(struct uns_call *call, uns_ns now_ns)
{
    (void)uns_race_launched(&call->race, now_ns);
    absorb(call);
}

void uns_tell_none(struct uns_call *call, uns_ns now_ns)
{
    uns_race_none(&call->race, now_ns);
    absorb(call);
}
