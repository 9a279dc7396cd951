/* SPDX-License-Identifier: MIT */

/*
 * record - the lists of metrics.def and figures.def as one array, in their
 * order, so that nobody who stores, prints or explains a fact has to name it.
 */

#include "record.h"

#include <string.h>

/* clang-format off */
/* NOLINTBEGIN(bugprone-macro-parentheses): names of types and members */
#define ROW(record, name, unit, text, table, is_text) \
    {#name, unit, text, table, is_text, offsetof(struct record, name), \
     sizeof(((struct record *)NULL)->name)},

static const struct uns_metric metrics[] = {
#define TEXT(name, bytes, text) \
    ROW(uns_call_record, name, "", text, UNS_METRIC_CALLS, true)
#define INT(name, unit, text) \
    ROW(uns_call_record, name, unit, text, UNS_METRIC_CALLS, false)
#define CALL_FIELDS
#include "metrics.def"
#undef CALL_FIELDS
#undef TEXT
#undef INT
#define TEXT(name, bytes, text) \
    ROW(uns_attempt_record, name, "", text, UNS_METRIC_ATTEMPTS, true)
#define INT(name, unit, text) \
    ROW(uns_attempt_record, name, unit, text, UNS_METRIC_ATTEMPTS, false)
#define ATTEMPT_FIELDS
#include "metrics.def"
#undef ATTEMPT_FIELDS
#undef TEXT
#undef INT
#define INT(name, unit, text) \
    {#name, unit, text, UNS_METRIC_STALLS, false, 0, 0},
#define STALL_FIELDS
#include "metrics.def"
#undef STALL_FIELDS
#undef INT
#define FIGURE(name, unit, text) \
    {#name, unit, text, UNS_METRIC_FIGURES, false, 0, 0},
#include "figures.def"
#undef FIGURE
};
/* NOLINTEND(bugprone-macro-parentheses) */
/* clang-format on */

enum {
    METRICS = sizeof metrics / sizeof *metrics
};

const struct uns_metric *uns_metrics(size_t *ret_count)
{
    *ret_count = METRICS;
    return metrics;
}

const struct uns_metric *uns_metric_by_name(const char *name)
{
    size_t len = strlen(name);
    for (size_t i = 0; i < METRICS; i++)
        if (strlen(metrics[i].name) == len &&
            memcmp(metrics[i].name, name, len) == 0)
            return &metrics[i];
    return NULL;
}

static void clear(void *record, size_t size, enum uns_metric_table table)
{
    const int64_t null = UNS_NULL;
    memset(record, 0, size);
    for (size_t i = 0; i < METRICS; i++)
        if (metrics[i].table == table && !metrics[i].is_text)
            memcpy((char *)record + metrics[i].offset, &null, sizeof null);
}

void uns_call_record_clear(struct uns_call_record *record)
{
    clear(record, sizeof *record, UNS_METRIC_CALLS);
}

void uns_attempt_record_clear(struct uns_attempt_record *record)
{
    clear(record, sizeof *record, UNS_METRIC_ATTEMPTS);
}
