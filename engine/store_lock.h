/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_STORE_LOCK_H
#define UNS_ENGINE_STORE_LOCK_H

/*
 * store_lock - who in this process may use SQLite.  A database that is open
 * while another thread forks breaks the child: it inherits the bookkeeping of
 * locks that the kernel gave to its parent alone.  So SQLite is used by one
 * thread at a time, and fork() waits for it.
 */

#include <stdbool.h>

/* Waits at most *left_ms, and takes off what it has waited.  False: somebody
 * else still has it, or this process was forked off in the middle of a use and
 * must never begin one.  Call it inside a uns_quiet stretch. */
bool uns_store_lock(int *left_ms);

void uns_store_unlock(void);

#endif
