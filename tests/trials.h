/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_TRIALS_H
#define UNS_TESTS_TRIALS_H

/* trials - experiments written as a text: a letter a call, in order of time.
 * Lower case is the control, upper case the treatment. */

#include "cli/trial.h"
#include "core/units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define TRIAL_MINUTE INT64_C(60000000)

static inline uint32_t trial_name(struct uns_trial *trial, const char *name)
{
    uint32_t index = 0;

    if (!uns_trial_name(trial, name, &index))
        abort();
    return index;
}

/* One call, a minute after the one before. */
static inline struct uns_trial_call *trial_call(struct uns_trial *trial,
                                                char letter)
{
    const char name[] = {(char)tolower(letter), '\0'};
    const struct uns_trial_call call = {
        .arm = isupper(letter) ? UNS_TREATMENT : UNS_CONTROL,
        .program = trial_name(trial, name),
        .mode = trial_name(trial, isupper(letter) ? "hedge" : "observe"),
        .pid = (int64_t)trial->count + 1,
        .started_us = TRIAL_MINUTE * (int64_t)trial->count,
        .wait_ms = UNS_NULL,
    };

    if (!uns_trial_add(trial, &call))
        abort();
    return &trial->call[trial->count - 1];
}

/* The letters, so many times over. */
static inline void trial_make(struct uns_trial *trial, const char *letters,
                              size_t times)
{
    *trial = (struct uns_trial){0};
    for (size_t i = 0; i < times; i++)
        for (size_t k = 0; letters[k]; k++)
            (void)trial_call(trial, letters[k]);
}

#endif
