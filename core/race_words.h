/* SPDX-License-Identifier: MIT */
#ifndef UNS_RACE_WORDS_H
#define UNS_RACE_WORDS_H

/* The words of a race: its states, what happens in it, why a rival is asked,
 * how it ends; and their names for logs and for the store. */

enum uns_race_state {
    UNS_RACE_OPEN,      /* nobody leads */
    UNS_RACE_HELD,      /* a lead, whose bytes are kept back */
    UNS_RACE_DUEL,      /* a held lead, and a rival that is wanted or runs */
    UNS_RACE_COMMITTED, /* the lead's bytes go to the application */
    UNS_RACE_RESUME, /* committed, and a rival that is wanted or catches up */
    UNS_RACE_ENDED,
    UNS_RACE_STATE_COUNT
};

/* Runs WAIT -> RUN -> LIVE -> FIN, and ends as one of the last three. */
enum uns_attempt_state {
    UNS_ATTEMPT_NONE, /* slot not used yet */
    UNS_ATTEMPT_WAIT, /* sent, no byte yet */
    UNS_ATTEMPT_RUN,  /* bytes, but no content */
    UNS_ATTEMPT_LIVE, /* content or structural event seen */
    UNS_ATTEMPT_FIN,  /* finish seen */
    UNS_ATTEMPT_DONE, /* complete */
    UNS_ATTEMPT_LOST,
    UNS_ATTEMPT_CANCELLED,
    UNS_ATTEMPT_STATE_COUNT
};

enum uns_race_event {
    UNS_EV_BYTES,    /* moves WAIT to RUN; or a sign of life, see the rules */
    UNS_EV_PROGRESS, /* content or structural event */
    UNS_EV_FINISH,
    UNS_EV_COMPLETE,
    UNS_EV_REFUSED, /* attempt 0's status is the answer; a rival's is a loss */
    UNS_EV_LOST,
    UNS_EV_OVERFLOW, /* held too much, or the body cannot be read */
    UNS_EV_REPEAT,   /* a resume rival's content that was given already: it
                        lives, and decides nothing.  Its PROGRESS, FINISH and
                        COMPLETE are what lies beyond. */
    UNS_EV_RETRY,    /* LOST by a status that may heal: its origin can be asked
                        again when attempt[].wait_ns are over (R10) */
    UNS_EV_COUNT
};

/* Why a rival is wanted; stored as hedge_reason. */
enum uns_why {
    UNS_WHY_NOTHING,
    UNS_WHY_FIRST_TOKEN,
    UNS_WHY_STALL,
    UNS_WHY_FAILURE,
    UNS_WHY_TIED,
    UNS_WHY_RETRY,
    UNS_WHY_RESUME,
    UNS_WHY_SHADOW, /* to be measured; the race never hears of it (R12) */
    UNS_WHY_COUNT
};

/* How the call ends, once the driver is told to end it. */
enum uns_race_end {
    UNS_END_NONE,     /* not yet */
    UNS_END_LEAD,     /* with the lead's own bytes and code */
    UNS_END_FALLBACK, /* all failed: todo.lead's own bytes and code (18,
                         CURLE_PARTIAL_FILE, when it was cancelled) */
    UNS_END_TTFT,     /* 28: ttft_timeout_s of todo.lead ran out */
    UNS_END_STALL,    /* 28: stall_timeout_s of todo.lead ran out */
    UNS_END_TIMEOUT,  /* 28: the application's total timeout */
    UNS_END_ABORT,    /* the application's own: libcurl's code for it */
    UNS_END_COUNT
};

/* Lower-case names; "?" when out of range. */
const char *uns_race_state_name(enum uns_race_state state);
const char *uns_attempt_state_name(enum uns_attempt_state state);
const char *uns_race_event_name(enum uns_race_event event);
const char *uns_race_end_name(enum uns_race_end end);

/* As stored in hedge_reason ("first_token"); "" for UNS_WHY_NOTHING. */
const char *uns_why_name(enum uns_why why);

#endif
