/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_GROUPS_H
#define UNS_CLI_GROUPS_H

/*
 * groups - what is counted of the calls that have the same host, model and
 * program: whole numbers that can be added up over runs, each with a name that
 * stays the same over versions.
 *
 *   number[]   counts (tally.h) | sums | times: classes, then their sum
 */

#include "select.h"
#include "tally.h"

#include <stdio.h>

#define UNS_GROUP_LABELS  2048 /* names that triple: each byte no UTF-8 */
#define UNS_GROUP_SUMS    4
#define UNS_GROUP_TIMES   4
#define UNS_GROUP_CLASSES 14

/* Where they begin in number[]. */
#define UNS_GROUP_SUM  UNS_COUNTS
#define UNS_GROUP_TIME (UNS_GROUP_SUM + UNS_GROUP_SUMS)
#define UNS_GROUP_NUMBERS \
    (UNS_GROUP_TIME + UNS_GROUP_TIMES * (UNS_GROUP_CLASSES + 1))

/* Fields of the calls that are added up; that are sorted into classes. */
extern const char *const uns_group_sums[UNS_GROUP_SUMS];
extern const char *const uns_group_times[UNS_GROUP_TIMES];

/* Upper bounds of the classes, which belong to them; the last has none. */
struct uns_group_class {
    int64_t ms;
    const char *le; /* the same in seconds, as Prometheus writes it */
};

extern const struct uns_group_class uns_group_classes[UNS_GROUP_CLASSES];

struct uns_group {
    char labels[UNS_GROUP_LABELS]; /* host="...",model="...",program="..." */
    int64_t number[UNS_GROUP_NUMBERS];
};

/* All zero: none.  Clear it in the end. */
struct uns_groups {
    struct uns_group *list;
    size_t count;
    int64_t last_id; /* the highest calls.id of them, and its uuid; 0: none */
    char last_uuid[sizeof((struct uns_call_record *)NULL)->uuid];
    size_t cap; /* private */
};

/* name="text", as the text format wants it: three characters escaped, all of
 * it UTF-8. */
void uns_groups_label(FILE *out, const char *name, const char *text);

/* Count the selected calls.  Returns SQLITE_DONE, or what went wrong. */
int uns_groups_collect(sqlite3 *db, const struct uns_select *select,
                       struct uns_groups *groups);

/* The group of these labels, made when there is none; NULL: no memory.  Moves
 * the list. */
struct uns_group *uns_groups_at(struct uns_groups *groups, const char *labels);

/* The numbers' names, "calls_ok", "tokens_in", "ttft_ms<=0.5". */
#define UNS_GROUP_NAME 48
const char *uns_groups_name(char ret_name[UNS_GROUP_NAME], size_t number);

void uns_groups_clear(struct uns_groups *groups);

#endif
