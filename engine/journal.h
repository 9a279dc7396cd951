/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_JOURNAL_H
#define UNS_ENGINE_JOURNAL_H

/*
 * journal - finished calls on their way into the store.  The first of a
 * process is written at once, then in batches: at most every 250 ms or 64
 * calls, and at exit.  What the store cannot take now stays here and is tried
 * again.  A forked child starts with an empty journal: its parent's entries
 * are its parent's to write.  Safe to use from any thread.
 */

#include "store.h"

/* What may wait in memory; beyond it the oldest calls are dropped and the loss
 * is logged. */
#ifdef UNS_HOSTILE
#    define UNS_JOURNAL_ENTRIES 2
#else
#    define UNS_JOURNAL_ENTRIES 4096
#endif
#define UNS_JOURNAL_BYTES ((size_t)32 << 20)

/* Hand over a finished call; takes ownership (NULL: nothing).  `path` is the
 * database of the process: the last one given holds for all that waits.
 * `may_wait`: false inside an application's event loop, where a lock is not
 * waited for.  errno is kept. */
void uns_journal_put(const char *path, struct uns_entry *entry, bool may_wait);

/* Write what waits: at exit, and before the engine is unloaded.  Called by
 * itself then. */
void uns_journal_flush(void);

/* How many wait, and how many were dropped since the process began. */
struct uns_journal_state {
    size_t waiting;
    uint64_t dropped;
};

struct uns_journal_state uns_journal_state(void);

/* The journal's clock (CLOCK_MONOTONIC).  Weak: tests put their own. */
uns_ns uns_journal_now(void);

#endif
