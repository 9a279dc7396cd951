/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STORE_DELETE_H
#define UNS_ENGINE_STORE_DELETE_H

/* store_delete - takes calls out of the store with all that belongs to them,
 * a bounded number at a time: nobody waits long for the lock. */

#include "sql.h"
#include "store.h"

/* Calls that one step takes at most: in a host, in a command. */
#define UNS_DELETE_HOST    64
#define UNS_DELETE_COMMAND 512

/* Which calls, and how many went. */
struct uns_delete {
    int64_t before_us; /* began before that, since the epoch */
    size_t most;       /* at most so many now, the oldest first */
    size_t gone;       /* output */
};

/* The start of the first day that is kept, for a store whose newest call began
 * at now_us: whole days (UTC), so that there is nothing to do for most of
 * them.  UNS_NULL: everything is kept. */
int64_t uns_delete_before(int64_t now_us, int64_t retain_days);

/* Is there such a call?  One look into an index; false as well when that
 * cannot be told. */
bool uns_delete_is_due(sqlite3 *db, int64_t before_us);

/* Inside a transaction (uns_store_change), `arg` being a struct uns_delete. */
UNS_MUST_USE enum uns_err uns_delete_old(sqlite3 *db, void *arg);

/* The same for the calls whose ids `which` gives, as its first column. */
UNS_MUST_USE enum uns_err uns_delete_these(sqlite3 *db, sqlite3_stmt *which,
                                           size_t most, size_t *ret_gone);

#endif
