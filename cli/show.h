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

/* Why an attempt ended that did not end well: the error that it named, else
 * libcurl's code in words, else its status; "": there is nothing to tell. */
#define UNS_SHOW_ERROR 64
const char *uns_show_error(const struct uns_attempt_record *attempt,
                           char room[UNS_SHOW_ERROR]);

/* An array of one object: the call's columns, `attempt_list` (each with its
 * `timeline`) and `stall_list`. */
int uns_show_json(const struct uns_show *show);

#endif
