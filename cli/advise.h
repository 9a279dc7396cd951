/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_ADVISE_H
#define UNS_CLI_ADVISE_H

/* advise - the command's parts: the calls out of the store, and what is said.
 */

#include "grid.h"
#include "select.h"

/* Fewer primaries whose times are known are no ground for advice: five of a
 * hundred lie beyond the 95th percentile. */
#define UNS_ADVISE_LEAST 100

/* The newest ones count. */
#define UNS_ADVISE_CALLS 4000

struct uns_advise_calls {
    struct uns_pool pool;
    size_t known;   /* primaries that ran to their end */
    size_t skipped; /* they failed or were refused: no wait is to be learned */
    size_t untimed; /* without a timeline: their stalls are not known */
    int64_t first_us, last_us;
};

/* Fills cleared ones.  SQLITE_DONE, or what went wrong. */
int uns_advise_load(sqlite3 *db, const struct uns_select *select,
                    struct uns_advise_calls *ret_calls);

/* What a recorded primary is worth. */
enum uns_advise_use {
    UNS_ADVISE_SKIP, /* nothing */
    UNS_ADVISE_CUT,  /* "longer than" */
    UNS_ADVISE_WHOLE,
    UNS_ADVISE_USES
};

enum uns_advise_use uns_advise_use_of(const struct uns_call_record *call,
                                      const struct uns_attempt_record *primary);

struct uns_advice {
    const struct uns_advise_calls *calls;
    const struct uns_grid *grid; /* NULL: too few calls */
    struct uns_grid_limits limits;
    struct uns_grid_choice choice;
};

void uns_advise_print(const struct uns_advice *advice);
void uns_advise_json(const struct uns_advice *advice);

#endif
