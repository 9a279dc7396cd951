/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_RECORDER_H
#define UNS_ENGINE_RECORDER_H

/*
 * recorder - the slots of this process, in one file, and in larger ones when
 * more calls are in flight than it holds.  A forked child has none of its
 * parent's: what it still writes there goes into memory of its own, and its
 * first call begins a file.  Safe to use from any thread; errno is kept.
 */

#include "core/flight.h"

/* A slot for a call that goes into the database `store`.  NULL: there is no
 * place for one; the call goes on without. */
struct uns_flight_slot *uns_recorder_slot(const char *store);

/* It is free again; takes NULL. */
void uns_recorder_free(struct uns_flight_slot *slot);

/* Is this the path of a file of this process, as it is now (and not as it was
 * before an exec)? */
bool uns_recorder_is_own(const char *path);

/* The process ends: files in which nothing is left are removed, no more slots
 * are given. */
void uns_recorder_close(void);

/* How many calls went without. */
uint64_t uns_recorder_missed(void);

#endif
