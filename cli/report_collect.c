/* SPDX-License-Identifier: MIT */
/*
 * report_collect - one pass over the calls, which come group by group: one
 * tally of all of them and one of the group at hand.
 */
#include "reader.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* What the history is made of, when the time that it spans is known. */
struct past {
    int64_t at_us, stalls, stall_ms;
    bool silent;
};

struct collect {
    const struct uns_report_plan *plan;
    struct uns_report *report;
    struct uns_reader *reader;
    struct uns_tally *all, *group;
    bool grouped; /* a group has begun ... */
    char *key;    /* ... with this key */
    struct past *past;
    size_t count, cap;
    int64_t slow_ms[UNS_REPORT_SLOW];
};

static bool grow_past(struct collect *collect)
{
    size_t cap = collect->cap ? collect->cap * 2 : 256;
    struct past *past = realloc(collect->past, cap * sizeof *past);

    if (past == NULL)
        return false;
    collect->past = past;
    collect->cap = cap;
    return true;
}

static bool add_past(struct collect *collect,
                     const struct uns_call_record *call)
{
    const struct uns_entry *entry = uns_reader_entry(collect->reader);
    struct past past = {.at_us = uns_figures_began(call),
                        .silent = uns_figures_is_silent(entry, call)};

    if (past.at_us == UNS_NULL)
        return true;
    if (collect->count == collect->cap && !grow_past(collect))
        return false;
    if (call->stall_count > 0 && call->stall_ms < UNS_FIGURES_MOST) {
        past.stalls = call->stall_count;
        past.stall_ms = call->stall_ms;
    }
    collect->past[collect->count++] = past;
    return true;
}

/* Into the list of the slowest; of equal ones the earlier stays in front. */
static void add_slow(struct collect *collect, int64_t id, int64_t wall_ms)
{
    struct uns_report *report = collect->report;
    size_t i = report->slow;

    if (wall_ms == UNS_NULL)
        return;
    if (i == UNS_REPORT_SLOW && collect->slow_ms[--i] >= wall_ms)
        return;
    if (report->slow < UNS_REPORT_SLOW)
        report->slow++;
    for (; i > 0 && collect->slow_ms[i - 1] < wall_ms; i--) {
        collect->slow_ms[i] = collect->slow_ms[i - 1];
        report->slow_id[i] = report->slow_id[i - 1];
    }
    collect->slow_ms[i] = wall_ms;
    report->slow_id[i] = id;
}

static bool is_same(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The group at hand is whole. */
static bool end_group(struct collect *collect)
{
    struct uns_report *report = collect->report;
    size_t size = (report->groups + 1) * sizeof *report->group;
    struct uns_report_group *group;

    if (!collect->grouped)
        return true;
    group = realloc(report->group, size);
    if (group == NULL)
        return false;
    report->group = group;
    group += report->groups;
    if (!uns_tally_close(collect->group, &group->figures))
        return false;
    group->key = collect->key;
    collect->key = NULL;
    collect->grouped = false;
    report->groups++;
    return true;
}

static bool begin_group(struct collect *collect, const char *key)
{
    uns_tally_clear(collect->group);
    collect->key = key ? strdup(key) : NULL;
    collect->grouped = true;
    return key == NULL || collect->key != NULL;
}

static bool add_call(struct collect *collect)
{
    const struct uns_entry *entry = uns_reader_entry(collect->reader);
    const char *key = uns_reader_key(collect->reader);
    struct uns_call_record call = entry->call;

    if (collect->grouped && !is_same(key, collect->key) && !end_group(collect))
        return false;
    if (!collect->grouped && !begin_group(collect, key))
        return false;
    if (collect->plan->threshold_ns != UNS_NEVER)
        uns_figures_set_threshold(entry, collect->plan->threshold_ns, &call);
    uns_tally_add(collect->all, entry, &call);
    uns_tally_add(collect->group, entry, &call);
    add_slow(collect, uns_reader_id(collect->reader), call.wall_ms);
    return add_past(collect, &call);
}

static int read_all(struct collect *collect)
{
    int rc;

    while ((rc = uns_reader_next(collect->reader)) == SQLITE_ROW)
        if (!add_call(collect))
            return SQLITE_NOMEM;
    return rc;
}

/* The least of these that needs no more spans than there can be. */
static int64_t span_for(int64_t length_us)
{
    static const int64_t seconds[] = {
        1,      5,      10,     30,      60,      120,     300,      600,
        1200,   1800,   3600,   7200,    10800,   21600,   43200,    86400,
        172800, 345600, 604800, 1209600, 2592000, 7776000, 31536000, 315360000,
    };
    const size_t count = sizeof seconds / sizeof *seconds;
    size_t i = 0;

    while (i + 1 < count &&
           length_us / (seconds[i] * 1000000) + 2 > UNS_REPORT_SPANS)
        i++;
    return seconds[i] * 1000000;
}

static void make_history(const struct collect *collect)
{
    struct uns_report *report = collect->report;
    int64_t first_us = report->all.first_us;

    if (collect->count == 0)
        return;
    report->span_us = span_for(report->all.last_us - first_us);
    report->from_us = first_us - first_us % report->span_us;
    for (size_t i = 0; i < collect->count; i++) {
        const struct past *past = &collect->past[i];
        int64_t at = (past->at_us - report->from_us) / report->span_us;
        size_t last = UNS_REPORT_SPANS - 1;
        size_t n = at < (int64_t)last ? (size_t)at : last;
        struct uns_report_span *span = &report->span[n];

        span->calls++;
        span->stalled_calls += past->stalls > 0;
        span->silent_calls += past->silent;
        span->stalls += past->stalls;
        span->stall_ms += past->stall_ms;
        if (n >= report->spans)
            report->spans = n + 1;
    }
}

static int compare_groups(const void *a, const void *b)
{
    const struct uns_report_group *x = a, *y = b;
    int64_t more =
        y->figures.count[UNS_COUNT_calls] - x->figures.count[UNS_COUNT_calls];

    if (more != 0)
        return more > 0 ? 1 : -1;
    return strcmp(x->key ? x->key : "", y->key ? y->key : "");
}

static int finish(struct collect *collect)
{
    struct uns_report *report = collect->report;

    if (!end_group(collect) || !uns_tally_close(collect->all, &report->all))
        return SQLITE_NOMEM;
    make_history(collect);
    if (!report->by->in_order && report->groups > 1)
        qsort(report->group, report->groups, sizeof *report->group,
              compare_groups);
    return SQLITE_DONE;
}

int uns_report_collect(sqlite3 *db, const struct uns_report_plan *plan,
                       struct uns_report *ret_report)
{
    struct collect collect = {
        .plan = plan,
        .report = ret_report,
        .reader = uns_reader_open(db, &plan->select, plan->by->key),
        .all = uns_tally_new(),
        .group = uns_tally_new(),
    };
    int rc = SQLITE_ERROR;

    *ret_report =
        (struct uns_report){.by = plan->by, .threshold_ns = plan->threshold_ns};
    uns_select_words(&plan->select, ret_report->filters);
    if (collect.all == NULL || collect.group == NULL)
        rc = SQLITE_NOMEM;
    else if (collect.reader != NULL)
        rc = read_all(&collect);
    if (rc == SQLITE_DONE)
        rc = finish(&collect);
    uns_reader_close(collect.reader);
    uns_tally_free(collect.all);
    uns_tally_free(collect.group);
    free(collect.key);
    free(collect.past);
    return rc;
}

void uns_report_clear(struct uns_report *report)
{
    for (size_t i = 0; i < report->groups; i++)
        free(report->group[i].key);
    free(report->group);
    *report = (struct uns_report){0};
}
