/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_SHOW_H
#define UNS_CLI_SHOW_H

/* show - the two ways to print one call. */

#include "engine/store_load.h"
#include "term.h"

struct uns_show {
    sqlite3 *db;
    int64_t id;
    const struct uns_entry *entry; /* that call */
    struct uns_term term;
};

/* For people.  Returns SQLITE_DONE, or what went wrong. */
int uns_show_text(const struct uns_show *show);

/* An array of one object: the call's columns, `attempt_list` (each with its
 * `timeline`) and `stall_list`. */
int uns_show_json(const struct uns_show *show);

#endif
