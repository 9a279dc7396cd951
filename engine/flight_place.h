/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_FLIGHT_PLACE_H
#define UNS_ENGINE_FLIGHT_PLACE_H

/* flight_place - the directories in which flight recorders lie: the user's
 * runtime directory, and the database's own. */

#include "core/err.h"

#include <limits.h>

/* How many there can be. */
#define UNS_FLIGHT_PLACES 3

/* The i-th, in the order in which a writer tries them.  NOTFOUND: it has no
 * name here; TOOBIG. */
UNS_MUST_USE enum uns_err uns_flight_place(const char *store, unsigned i,
                                           char ret_dir[PATH_MAX]);

/* Make it if it is missing, and open it.  Returns a descriptor, or -1: it
 * cannot be made, is a link, or is not this user's alone. */
int uns_flight_place_make(const char *store, unsigned i, const char *dir);

/* Open it as it is; by the same rules. */
int uns_flight_place_open(const char *dir);

#endif
