/* SPDX-License-Identifier: MIT */

/* race_words - names of the enums in race_words.h, one table each. */

#include "race_words.h"

#include <stddef.h>

static const char *const states[UNS_RACE_STATE_COUNT] = {
    [UNS_RACE_OPEN] = "open",     [UNS_RACE_HELD] = "held",
    [UNS_RACE_DUEL] = "duel",     [UNS_RACE_COMMITTED] = "committed",
    [UNS_RACE_RESUME] = "resume", [UNS_RACE_ENDED] = "ended",
};

static const char *const attempts[UNS_ATTEMPT_STATE_COUNT] = {
    [UNS_ATTEMPT_NONE] = "none", [UNS_ATTEMPT_WAIT] = "wait",
    [UNS_ATTEMPT_RUN] = "run",   [UNS_ATTEMPT_LIVE] = "live",
    [UNS_ATTEMPT_FIN] = "fin",   [UNS_ATTEMPT_DONE] = "done",
    [UNS_ATTEMPT_LOST] = "lost", [UNS_ATTEMPT_CANCELLED] = "cancelled",
};

static const char *const events[UNS_EV_COUNT] = {
    [UNS_EV_BYTES] = "bytes",       [UNS_EV_PROGRESS] = "progress",
    [UNS_EV_FINISH] = "finish",     [UNS_EV_COMPLETE] = "complete",
    [UNS_EV_REFUSED] = "refused",   [UNS_EV_LOST] = "lost",
    [UNS_EV_OVERFLOW] = "overflow", [UNS_EV_REPEAT] = "repeat",
    [UNS_EV_RETRY] = "retry",
};

static const char *const reasons[UNS_WHY_COUNT] = {
    [UNS_WHY_NOTHING] = "",      [UNS_WHY_FIRST_TOKEN] = "first_token",
    [UNS_WHY_STALL] = "stall",   [UNS_WHY_FAILURE] = "failure",
    [UNS_WHY_TIED] = "tied",     [UNS_WHY_RETRY] = "retry",
    [UNS_WHY_RESUME] = "resume", [UNS_WHY_SHADOW] = "shadow",
};

static const char *const ends[UNS_END_COUNT] = {
    [UNS_END_NONE] = "none",         [UNS_END_LEAD] = "lead",
    [UNS_END_FALLBACK] = "fallback", [UNS_END_TTFT] = "ttft",
    [UNS_END_STALL] = "stall",       [UNS_END_TIMEOUT] = "timeout",
    [UNS_END_ABORT] = "abort",
};

static const char *name(const char *const *names, size_t count, unsigned i)
{
    return i < count && names[i] ? names[i] : "?";
}

const char *uns_race_state_name(enum uns_race_state state)
{
    return name(states, UNS_RACE_STATE_COUNT, (unsigned)state);
}

const char *uns_attempt_state_name(enum uns_attempt_state state)
{
    return name(attempts, UNS_ATTEMPT_STATE_COUNT, (unsigned)state);
}

const char *uns_race_event_name(enum uns_race_event event)
{
    return name(events, UNS_EV_COUNT, (unsigned)event);
}

const char *uns_race_end_name(enum uns_race_end end)
{
    return name(ends, UNS_END_COUNT, (unsigned)end);
}

const char *uns_why_name(enum uns_why why)
{
    return name(reasons, UNS_WHY_COUNT, (unsigned)why);
}
