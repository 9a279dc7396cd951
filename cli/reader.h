/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_READER_H
#define UNS_CLI_READER_H

/*
 * reader - the selected calls one after another, each as an entry with its
 * attempts and timelines: for whatever goes through many calls.  One entry is
 * in memory at a time; in front of them only their ids are sorted.
 */

#include "engine/store_load.h"
#include "select.h"

struct uns_reader;

/* `key` is an SQL expression over the columns of calls: calls of one key come
 * together, in the order of the keys, and among themselves as they began.
 * NULL: all as they began.  NULL is returned when it cannot be done:
 * sqlite3_errmsg() tells. */
struct uns_reader *uns_reader_open(sqlite3 *db, const struct uns_select *select,
                                   const char *key);

/* SQLITE_ROW with the next call, SQLITE_DONE, or what went wrong. */
int uns_reader_next(struct uns_reader *reader);

/* The call that the reader stands on, until the next step.  Its threshold is
 * not set; an attempt without a timeline has one of no bytes. */
const struct uns_entry *uns_reader_entry(const struct uns_reader *reader);

/* Its calls.id. */
int64_t uns_reader_id(const struct uns_reader *reader);

/* Its key, NULL if that is; until the next step. */
const char *uns_reader_key(const struct uns_reader *reader);

void uns_reader_close(struct uns_reader *reader);

#endif
