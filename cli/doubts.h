/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_DOUBTS_H
#define UNS_CLI_DOUBTS_H

/*
 * doubts - what makes the arms of an experiment incomparable, whatever their
 * numbers say: they were not drawn as they should have been, or something else
 * than the treatment differs.  Only what the records tell; pure.
 */

#include "findings.h"
#include "trial.h"

/* Adds a warning per doubt.  `share`: of the units, that should be in the
 * treatment; calls are in order of time. */
void uns_doubts_find(const struct uns_trial *trial, double share,
                     struct uns_findings *findings);

#endif
