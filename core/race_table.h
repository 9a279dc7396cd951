/* SPDX-License-Identifier: MIT */
#ifndef UNS_RACE_TABLE_H
#define UNS_RACE_TABLE_H

/*
 * race_table - what the rows of race.c's table are made of.  Private to
 * race*.c.  An effect does what its row says and never touches race->state;
 * a condition only reads.
 */

#include "race.h"

/* What can happen to a call. */
enum uns_race_on {
    UNS_ON_NOTHING,
    UNS_ON_PROGRESS,
    UNS_ON_COMPLETE,
    UNS_ON_REFUSED,
    UNS_ON_LOST,
    UNS_ON_OVERFLOW,
    UNS_ON_TRIGGER, /* silent for so long that a rival is wanted */
    UNS_ON_WINDOW,  /* held for long enough */
    UNS_ON_FAILED,  /* lost by a status, and worth another try */
    UNS_ON_RETRY,   /* the wait before that is over */
    UNS_ON_NONE,    /* a rival was wanted, and there is none */
    UNS_ON_TOTAL,
    UNS_ON_ABORT,
    UNS_ON_FAULT,
    UNS_ON_COUNT
};

/* What an effect is told: the attempt it happened to, the reason that its row
 * gives for a launch, and the time. */
struct uns_race_step {
    unsigned a;
    enum uns_why why;
    uns_ns now_ns;
};

typedef bool uns_race_when(const struct uns_race *race, unsigned a);

/* Returns what follows from it at once; UNS_ON_NOTHING as a rule. */
typedef enum uns_race_on uns_race_act(struct uns_race *race,
                                      const struct uns_race_step *step);

/* Conditions. */
uns_race_when uns_race_is_lead;         /* `a` leads */
uns_race_when uns_race_lead_alive;      /* the lead has not ended */
uns_race_when uns_race_rival_alive;     /* anybody but the lead has not */
uns_race_when uns_race_lead_with_rival; /* `a` leads, and a rival lives */
uns_race_when uns_race_front_alive;     /* the lead, or attempt 0, lives */
uns_race_when uns_race_holds_nothing;   /* hold 0 */
uns_race_when uns_race_may_resume;      /* what was given can be continued */
uns_race_when uns_race_may_retry;       /* `a`'s origin is worth the wait */
uns_race_when uns_race_awaits;          /* a rival lives, or a retry is due */

/* Effects. */
uns_race_act uns_race_act_stay;        /* nothing */
uns_race_act uns_race_act_keep_lead;   /* the lead was heard: rivals go */
uns_race_act uns_race_act_lead;        /* `a` leads, its window opens */
uns_race_act uns_race_act_commit;      /* `a` leads and is given */
uns_race_act uns_race_act_commit_lead; /* the lead is given */
uns_race_act uns_race_act_win;         /* `a` is given, and complete */
uns_race_act uns_race_act_cut;         /* the given lead broke off */
uns_race_act uns_race_act_launch;      /* a rival is wanted */
uns_race_act uns_race_act_defer;       /* `a` is asked again, later */
uns_race_act uns_race_act_retry;       /* now */
uns_race_act uns_race_act_join;        /* `a` goes on where the lead stopped */
uns_race_act uns_race_act_join_whole;  /* the same, and it is complete */
uns_race_act uns_race_act_drop;        /* `a` is of no use: another one */
uns_race_act uns_race_act_pass_lead;   /* a lost lead may have a successor */
uns_race_act uns_race_act_replace;     /* the same, and failover */
uns_race_act uns_race_act_fall_back;   /* all failed */
uns_race_act uns_race_act_time_out;    /* R9 */
uns_race_act uns_race_act_abort;       /* P6 */
uns_race_act uns_race_act_fault;       /* no more than pass on what comes */

/* Whose bytes pass when nothing is decided: the lead, else attempt 0. */
unsigned uns_race_front(const struct uns_race *race);

/* Cancel `a`, once; a living one becomes CANCELLED. */
void uns_race_stop(struct uns_race *race, unsigned a);

/* The next deadline.  killed is set when a watchdog of `a` is due, `on` says
 * what happens else.  at_ns UNS_NEVER: there is none. */
struct uns_race_due {
    uns_ns at_ns;
    enum uns_race_on on;
    enum uns_race_end killed;
    unsigned a;
};

struct uns_race_due uns_race_due(const struct uns_race *race);

#endif
