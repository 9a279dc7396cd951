/* SPDX-License-Identifier: MIT */
/* run_inject - the faults that `unstall run --inject` plays: checked before
 * anything starts, and never played without a word. */
#include "run.h"

#include "core/ascii.h"
#include "core/inject.h"

#include <stdio.h>
#include <stdlib.h>

bool uns_run_inject_check(const char *faults)
{
    struct uns_inject inject;
    struct uns_slice word;
    const char *wrong = uns_inject_read(uns_slice_of(faults), &inject, &word);

    if (wrong)
        uns_args_fail("run", "--inject: \"%.*s\" %s", (int)word.len, word.data,
                      wrong);
    return wrong == NULL;
}

bool uns_run_inject_announce(bool quiet)
{
    const char *faults = getenv(UNS_RUN_INJECT);

    if (!faults || !*faults)
        return true;
    if (!uns_run_inject_check(faults))
        return false;
    if (!quiet)
        fprintf(
            stderr,
            "unstall: a fault is played on every LLM call: %s (" UNS_RUN_INJECT
            ")\n",
            faults);
    return true;
}
