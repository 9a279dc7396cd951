/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_TRIAL_H
#define UNS_CLI_TRIAL_H

/*
 * trial - the calls of one experiment, and what was drawn into its arms: calls
 * or processes.  Which of the two is not recorded but seen: processes were
 * drawn when some made several calls, and none has calls in both arms.
 */

#include "compare.h"

#include <stdbool.h>

struct uns_trial_call {
    uint8_t arm;
    uint32_t unit;    /* of its arm; by uns_trial_divide */
    uint32_t program; /* uns_trial.names */
    uint32_t mode;    /* the same */
    int64_t pid;
    int64_t started_us;
    int64_t wait_ms; /* after which a rival was asked for a first token;
                        UNS_NULL: none was */
    double value[UNS_COLUMN_COUNT];
};

struct uns_trial {
    char *experiment;
    struct uns_trial_call *call; /* in order of time */
    size_t count, cap;
    char **names; /* of programs and modes; an index is one */
    size_t name_count;
    bool by_process;
    size_t units[UNS_ARMS];
};

/* The index of a name; it is copied.  False: no memory. */
bool uns_trial_name(struct uns_trial *trial, const char *name,
                    uint32_t *ret_index);

/* Adds a call after the others.  False: no memory. */
bool uns_trial_add(struct uns_trial *trial, const struct uns_trial_call *call);

/* Number the units, once all calls are there.  False: no memory. */
bool uns_trial_divide(struct uns_trial *trial);

/* uns_compare() the arms.  False: no memory. */
bool uns_trial_compare(const struct uns_trial *trial, uint64_t seed,
                       struct uns_comparison *ret_comparison);

void uns_trial_clear(struct uns_trial *trial);

#endif
