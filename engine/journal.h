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

/* Hand over a finished call; takes ownership.  `may_wait`: false inside an
 * application's event loop, where a lock is not waited for. */
void uns_journal_put(const char *path, struct uns_entry *entry, bool may_wait);

/* Write what waits: at exit, and before the engine is unloaded. */
void uns_journal_flush(void);

#endif
