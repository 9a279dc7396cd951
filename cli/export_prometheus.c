/* SPDX-License-Identifier: MIT */
/*
 * export_prometheus - counters, histograms and a gauge in the text format that
 * a textfile collector reads.  The samples of one metric have to stand
 * together, so all groups are counted before anything is written.  A counter
 * must not fall, though old calls are deleted: what goes to a file are sums
 * over all runs (totals.h).
 */
#include "cursor.h"
#include "export.h"
#include "groups.h"
#include "totals.h"

#include <inttypes.h>
#include <string.h>

#define PREFIX "unstall_"

/* One that stands at `count`, or `size` of them from there on, told apart by
 * `label`: its values are their names behind the first underscore. */
struct counter {
    const char *name, *metric; /* which defines it */
    enum uns_count count;
    const char *label;
    unsigned size;
};

/* clang-format off */
static const struct counter counters[] = {
    {"calls_total",            "outcome",        UNS_COUNT_calls_ok,
     "outcome", 7},
    {"failures_total",         "failures",       UNS_COUNT_failed_connect,
     "phase", 7},
    {"rescued_calls_total",    "rescued",        UNS_COUNT_rescued,  NULL, 1},
    {"stalled_calls_total",    "stalled_calls",  UNS_COUNT_stalled_calls,
     NULL, 1},
    {"stalls_total",           "stalls",         UNS_COUNT_stalls,   NULL, 1},
    {"silent_calls_total",     "silent_calls",   UNS_COUNT_silent_calls,
     NULL, 1},
    {"calls_without_first_token_total", "calls_without_first_token",
     UNS_COUNT_calls_without_first_token, NULL, 1},
    {"hedges_fired_total",     "hedges_fired",   UNS_COUNT_hedges_fired,
     NULL, 1},
    {"hedges_won_total",       "hedges_won",     UNS_COUNT_hedges_won, NULL, 1},
    {"hedges_wasted_total",    "hedges_wasted",  UNS_COUNT_hedges_wasted,
     NULL, 1},
    {"hedges_wasted_by_reason_total", "hedges_wasted", UNS_COUNT_lost_late,
     "reason", 7},
    {"rivals_unsent_total",    "unsent",
     UNS_COUNT_unsent_budget_exhausted, "reason", 15},
    {"extra_requests_total",   "extra_requests", UNS_COUNT_extra_requests,
     NULL, 1},
    {"extra_tokens_in_total",  "extra_tokens_in",
     UNS_COUNT_extra_tokens_in,  NULL, 1},
    {"extra_tokens_out_total", "extra_tokens_out",
     UNS_COUNT_extra_tokens_out, NULL, 1},
};

/* As in uns_group_sums and uns_group_times. */
static const char *const sums[UNS_GROUP_SUMS] = {
    "tokens_in_total", "tokens_out_total", "content_chunks_total",
    "body_bytes_total",
};

static const char *const times[UNS_GROUP_TIMES] = {
    "ttft_seconds", "stall_seconds", "max_gap_seconds", "wall_seconds",
};
/* clang-format on */

#define COUNTERS (sizeof counters / sizeof *counters)

static void put_family(FILE *out, const char *name, const char *type,
                       const char *metric)
{
    const struct uns_metric *known = uns_metric_by_name(metric);

    fprintf(out, "# HELP " PREFIX "%s ", name);
    for (const char *c = known ? known->text : ""; *c != '\0'; c++)
        fprintf(out, *c == '\\' ? "\\\\" : "%c", *c);
    fprintf(out, "\n# TYPE " PREFIX "%s %s\n", name, type);
}

static void put_counter(FILE *out, const struct counter *counter,
                        const struct uns_group *group)
{
    for (unsigned i = 0; i < counter->size; i++) {
        enum uns_count which = (enum uns_count)(counter->count + i);
        const char *value = strchr(uns_tally_count_name(which), '_');

        fprintf(out, PREFIX "%s{%s", counter->name, group->labels);
        if (counter->label != NULL)
            fprintf(out, ",%s=\"%s\"", counter->label, value ? value + 1 : "");
        fprintf(out, "} %" PRId64 "\n", group->number[which]);
    }
}

static void put_histogram(FILE *out, const char *name,
                          const struct uns_group *group, const int64_t *classes)
{
    int64_t sum_ms = classes[UNS_GROUP_CLASSES];
    int64_t count = 0;

    for (int i = 0; i < UNS_GROUP_CLASSES; i++) {
        count += classes[i];
        fprintf(out, PREFIX "%s_bucket{%s,le=\"%s\"} %" PRId64 "\n", name,
                group->labels, uns_group_classes[i].le, count);
    }
    fprintf(out, PREFIX "%s_sum{%s} %" PRId64 ".%03d\n", name, group->labels,
            sum_ms / 1000, (int)(sum_ms % 1000));
    fprintf(out, PREFIX "%s_count{%s} %" PRId64 "\n", name, group->labels,
            count);
}

static void put_sum(FILE *out, size_t i, const struct uns_group *group)
{
    fprintf(out, PREFIX "%s{%s} %" PRId64 "\n", sums[i], group->labels,
            group->number[UNS_GROUP_SUM + i]);
}

static void put_all(FILE *out, const struct uns_groups *groups)
{
    const struct uns_group *end = groups->list + groups->count;
    const struct uns_group *group;
    size_t at = UNS_GROUP_TIME;

    for (size_t i = 0; i < COUNTERS; i++) {
        put_family(out, counters[i].name, "counter", counters[i].metric);
        for (group = groups->list; group < end; group++)
            put_counter(out, &counters[i], group);
    }
    for (size_t i = 0; i < UNS_GROUP_SUMS; i++) {
        put_family(out, sums[i], "counter", uns_group_sums[i]);
        for (group = groups->list; group < end; group++)
            put_sum(out, i, group);
    }
    for (size_t i = 0; i < UNS_GROUP_TIMES; i++) {
        put_family(out, times[i], "histogram", uns_group_times[i]);
        for (group = groups->list; group < end; group++)
            put_histogram(out, times[i], group, group->number + at);
        at += UNS_GROUP_CLASSES + 1;
    }
}

/* What is left of each budget; without the table there is none. */
static void put_budgets(FILE *out, sqlite3 *db)
{
    static const char sql[] =
        "SELECT route, max(0, tokens) FROM budget ORDER BY route";
    sqlite3_stmt *stmt = NULL;

    put_family(out, "budget_tokens", "gauge", "budget_tokens");
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
        return;
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        const char *route = (const char *)sqlite3_column_text(stmt, 0);

        fputs(PREFIX "budget_tokens{", out);
        uns_groups_label(out, "route", route ? route : "");
        fprintf(out, "} %.9g\n", sqlite3_column_double(stmt, 1));
    }
    sqlite3_finalize(stmt);
}

/* What is new is added to what was there. */
static enum uns_err add_new(sqlite3 *db, struct uns_cursor *cursor,
                            const struct uns_export *export,
                            struct uns_groups *groups)
{
    struct uns_select select = export->select;
    enum uns_err err =
        export->again ? uns_totals_forget(cursor) : uns_cursor_load(cursor);

    if (err != UNS_OK)
        return err;
    select.after_id = cursor->after_id;
    if (uns_groups_collect(db, &select, groups) != SQLITE_DONE)
        return UNS_CORRUPT;
    return uns_totals_add(cursor, groups);
}

/* Sums over all runs; they are the same for every file. */
static int collect_totals(sqlite3 *db, const struct uns_export *export,
                          struct uns_groups *groups)
{
    struct uns_cursor cursor = {.store = sqlite3_db_filename(db, "main")};
    char *name = uns_cursor_name("prometheus", &export->select);
    enum uns_err err = name ? UNS_OK : UNS_NOMEM;

    cursor.destination = name;
    if (err == UNS_OK && cursor.store != NULL && *cursor.store != '\0')
        err = add_new(db, &cursor, export, groups);
    sqlite3_free(name);
    if (err == UNS_OK)
        return SQLITE_DONE;
    fprintf(stderr, "unstall export: the sums cannot be kept: %s\n",
            err == UNS_BUSY ? "another run is at it" : uns_err_str(err));
    return UNS_EXPORT_TOLD;
}

int uns_export_prometheus(sqlite3 *db, const struct uns_export *export,
                          FILE *out)
{
    struct uns_groups groups = {0};
    int rc = export->to != NULL
                 ? collect_totals(db, export, &groups)
                 : uns_groups_collect(db, &export->select, &groups);

    if (rc == SQLITE_DONE) {
        put_all(out, &groups);
        put_budgets(out, db);
    }
    uns_groups_clear(&groups);
    return rc;
}
