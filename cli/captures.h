/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_CAPTURES_H
#define UNS_CLI_CAPTURES_H

/*
 * captures - the files that `unstall run --capture` has kept of recorded calls,
 * in a directory that the user names: the store does not know where they are.
 * A capture names its call (calls.uuid), and only by that is it a call's.
 */

#include "select.h"

struct uns_captures {
    size_t gone;   /* deleted */
    size_t others; /* that are there and stay: of no selected call, or they do
                      not say of which */
    size_t failed; /* that should have gone and could not */
};

/* A descriptor of the directory, which has to be this user's own and no
 * symbolic link.  -1: it cannot be, which errno tells. */
int uns_captures_open(const char *dir);

/* Delete those of the selected calls.  `db` is of uns_db_open().  False:
 * sqlite3_errmsg() tells. */
bool uns_captures_delete(int dir, sqlite3 *db, const struct uns_select *select,
                         struct uns_captures *ret_captures);

#endif
