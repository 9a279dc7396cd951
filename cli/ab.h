/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_AB_H
#define UNS_CLI_AB_H

/* ab - the command's parts: the calls out of the store, and what is said. */

#include "findings.h"
#include "select.h"
#include "trial.h"

/* Fills a cleared trial with the selected calls of `experiment`.  SQLITE_DONE,
 * or what went wrong. */
int uns_ab_load(sqlite3 *db, const struct uns_select *select,
                const char *experiment, struct uns_trial *ret_trial);

/* The verdict in one sentence. */
void uns_ab_say(const struct uns_comparison *comparison, char **ret_sentence);

struct uns_ab_report {
    const struct uns_trial *trial;
    const struct uns_comparison *comparison;
    const struct uns_findings *doubts; /* and the sentence */
};

void uns_ab_print(const struct uns_ab_report *report);
void uns_ab_json(const struct uns_ab_report *report);

#endif
