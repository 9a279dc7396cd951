/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STORE_TIMES_H
#define UNS_ENGINE_STORE_TIMES_H

/* store_times - the first-token times of the newest primaries, for learned
 * delays. */

#include "core/delay.h"
#include "core/err.h"

/* Whose.  A process that keeps its own times has only the others' to read. */
struct uns_times_of {
    const char *origin, *model; /* as in a record; "": the call names none */
    bool streaming;
    int64_t after_id;   /* only calls that were recorded later */
    int64_t except_pid; /* not of this process; 0: of all */
};

struct uns_times {
    int64_t last_id; /* of the newest call that was looked at */
    size_t count;

    struct {
        int64_t us;
        bool censored;       /* it had no content until then */
    } time[UNS_DELAY_TIMES]; /* newest first */
};

/* NOTFOUND: there is no store.  Waits at most `wait_ms` for locks. */
UNS_MUST_USE enum uns_err uns_store_times(const char *path,
                                          const struct uns_times_of *whose,
                                          int wait_ms,
                                          struct uns_times *ret_times);

#endif
