/* SPDX-License-Identifier: MIT */
#ifndef UNS_RECORD_H
#define UNS_RECORD_H

/*
 * record - what is kept of a call and of its attempts.
 *
 * One row of the lists in metrics.def is one fact: it makes the struct's
 * member, the store's column, the text of `unstall explain`, and the keys of
 * every --json.  Plain data of fixed size: it can lie in a mapped file.
 */

#include "race.h"

#include <stdbool.h>

/* TEXT(name, bytes, definition), INT(name, unit, definition). */
struct uns_call_record {
#define TEXT(name, bytes, text) char name[bytes];
#define INT(name, unit, text)   int64_t name;
#define CALL_FIELDS
#include "metrics.def"
#undef CALL_FIELDS
};

struct uns_attempt_record {
#define ATTEMPT_FIELDS
#include "metrics.def"
#undef ATTEMPT_FIELDS
#undef TEXT
#undef INT
};

enum uns_metric_table {
    UNS_METRIC_CALLS,
    UNS_METRIC_ATTEMPTS,
    UNS_METRIC_STALLS,
    UNS_METRIC_FIGURES /* made of the others (figures.def): in no record */
};

struct uns_metric {
    const char *name;
    const char *unit; /* "ms", "us", "bytes", "count", "" (a name, a flag) */
    const char *text; /* its one definition */
    enum uns_metric_table table;
    bool is_text;
    uint16_t offset; /* in its record; 0 where there is none */
    uint16_t size;   /* bytes in its record */
};

/* Every metric, in the order of the tables; *ret_count of them. */
const struct uns_metric *uns_metrics(size_t *ret_count);

/* The metric of that name, or NULL; of several the first, in the order of
 * uns_metrics(). */
const struct uns_metric *uns_metric_by_name(const char *name);

/* Every INT becomes UNS_NULL and every TEXT "". */
void uns_call_record_clear(struct uns_call_record *record);
void uns_attempt_record_clear(struct uns_attempt_record *record);

#endif
