/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_FLIGHT_OWNER_H
#define UNS_ENGINE_FLIGHT_OWNER_H

/*
 * flight_owner - which process is that, and does it still live?  A number of a
 * process is used again, so it counts together with the process's start, and
 * only within one pid namespace of one boot.
 */

#include "core/err.h"
#include "core/flight.h"

struct uns_flight_owner {
    int32_t pid;
    uint64_t pid_ns;
    uint64_t start;
    char boot[UNS_FLIGHT_BOOT];
};

/* This process.  UNSUPPORTED: there is no /proc to tell by. */
UNS_MUST_USE enum uns_err uns_flight_owner_self(struct uns_flight_owner *ret);

/* Is there a process of that number and start, and not only what waits to be
 * reaped? */
bool uns_flight_owner_lives(int32_t pid, uint64_t start);

/* Has the process mapped a file of that name?  After exec() it has not, though
 * it is the same process.  True as well when that cannot be told. */
bool uns_flight_owner_maps(int32_t pid, const char *name);

#endif
