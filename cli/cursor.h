/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_CURSOR_H
#define UNS_CLI_CURSOR_H

/*
 * cursor - how far a destination has got the recorded calls.  It lies in the
 * store itself, so that it goes where the store goes; it holds no secret.
 */

#include "core/err.h"
#include "select.h"

struct uns_cursor {
    const char *store;       /* path of the database */
    const char *destination; /* its name, one cursor for each */
    int64_t after_id;        /* calls.id of the last call that it got; 0 */
};

/* A destination's name: who is given only some of the calls is somebody else.
 * (Since when is no part of it: that would be another one each time.)
 * sqlite3_free() it; NULL: no memory. */
char *uns_cursor_name(const char *place, const struct uns_select *select);

/* Where to go on: sets after_id.  When the store begins anew with its ids, so
 * does the cursor.  Fails where the cursor could not be written later. */
UNS_MUST_USE enum uns_err uns_cursor_load(struct uns_cursor *cursor);

/* It got everything up to the call of that id and uuid. */
UNS_MUST_USE enum uns_err uns_cursor_save(struct uns_cursor *cursor, int64_t id,
                                          const char *uuid);

/* The same two inside of a transaction that does more. */
UNS_MUST_USE enum uns_err uns_cursor_get(sqlite3 *db, const char *destination,
                                         int64_t *ret_after_id);
UNS_MUST_USE enum uns_err uns_cursor_put(sqlite3 *db, const char *destination,
                                         int64_t id, const char *uuid);

/* Inside of a transaction: forget all destinations and what was counted for
 * them, which holds names of models and programs. */
UNS_MUST_USE enum uns_err uns_cursor_purge(sqlite3 *db);

#endif
