/* SPDX-License-Identifier: MIT */
/*
 * export_prometheus - counters and histograms in the text format that a
 * textfile collector reads.  Calls come group by group, a group being what has
 * the same labels; the samples of one metric have to stand together, so all
 * groups are counted before anything is written.
 */
#include "export.h"
#include "reader.h"
#include "tally.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX  "unstall_"
#define BUCKETS 14
#define LABELS  1024

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
     "phase", 6},
    {"rescued_calls_total",    "rescued",        UNS_COUNT_rescued,  NULL, 1},
    {"stalled_calls_total",    "stalled_calls",  UNS_COUNT_stalled_calls,
     NULL, 1},
    {"stalls_total",           "stalls",         UNS_COUNT_stalls,   NULL, 1},
    {"hedges_fired_total",     "hedges_fired",   UNS_COUNT_hedges_fired,
     NULL, 1},
    {"hedges_won_total",       "hedges_won",     UNS_COUNT_hedges_won, NULL, 1},
    {"hedges_wasted_total",    "hedges_wasted",  UNS_COUNT_hedges_wasted,
     NULL, 1},
    {"extra_requests_total",   "extra_requests", UNS_COUNT_extra_requests,
     NULL, 1},
    {"extra_tokens_in_total",  "extra_tokens_in",
     UNS_COUNT_extra_tokens_in,  NULL, 1},
    {"extra_tokens_out_total", "extra_tokens_out",
     UNS_COUNT_extra_tokens_out, NULL, 1},
};

/* Numbers of the calls that are added up. */
static const struct {
    const char *name, *metric;
    size_t offset;
} sums[] = {
#define SUM(name, metric) \
    {name, #metric, offsetof(struct uns_call_record, metric)}
    SUM("tokens_in_total",      tokens_in),
    SUM("tokens_out_total",     tokens_out),
    SUM("content_chunks_total", chunk_count),
    SUM("body_bytes_total",     bytes),
#undef SUM
};

/* Times of the calls, by class. */
static const struct {
    const char *name, *metric;
    size_t offset;
} histograms[] = {
#define TIME(name, metric) \
    {name, #metric, offsetof(struct uns_call_record, metric)}
    TIME("ttft_seconds",    ttft_ms),
    TIME("stall_seconds",   stall_ms),
    TIME("max_gap_seconds", max_gap_ms),
    TIME("wall_seconds",    wall_ms),
#undef TIME
};
/* clang-format on */

#define COUNTERS   (sizeof counters / sizeof *counters)
#define SUMS       (sizeof sums / sizeof *sums)
#define HISTOGRAMS (sizeof histograms / sizeof *histograms)

/* Upper bounds, included.  First tokens take from a tenth of a second to
 * minutes; whole calls ten times that. */
static const struct {
    int64_t ms;
    const char *le;
} buckets[BUCKETS] = {
    {100,       "0.1"  },
    {250,       "0.25" },
    {500,       "0.5"  },
    {1000,      "1.0"  },
    {2500,      "2.5"  },
    {5000,      "5.0"  },
    {10000,     "10.0" },
    {20000,     "20.0" },
    {30000,     "30.0" },
    {60000,     "60.0" },
    {120000,    "120.0"},
    {300000,    "300.0"},
    {600000,    "600.0"},
    {INT64_MAX, "+Inf" },
};

struct histogram {
    int64_t bucket[BUCKETS]; /* each in its own class alone */
    int64_t sum_ms;
};

struct group {
    char labels[LABELS]; /* host="...",model="...",program="..." */
    int64_t count[UNS_COUNTS];
    int64_t sum[SUMS];
    struct histogram histogram[HISTOGRAMS];
};

struct groups {
    struct group *list;
    size_t count, cap;
    struct uns_tally *tally; /* of the calls of the group at hand */
};

/* --- counting --------------------------------------------------------------
 */

/* In the text format a label's value escapes these three, and is UTF-8. */
static void put_label(FILE *out, const char *name, const char *text)
{
    const char *from = text;
    int32_t c;

    fprintf(out, "%s=\"", name);
    while ((c = uns_text_next(&text)) != 0) {
        if (c < 0)
            fputs("\xef\xbf\xbd", out);
        else if (c == '\n')
            fputs("\\n", out);
        else
            fprintf(out, "%s%.*s", c == '"' || c == '\\' ? "\\" : "",
                    (int)(text - from), from);
        from = text;
    }
    fputc('"', out);
}

static void make_labels(const struct uns_call_record *call,
                        char ret_labels[LABELS])
{
    FILE *out = fmemopen(ret_labels, LABELS, "w");
    const char *host = strstr(call->endpoint, "://");
    char name[sizeof call->endpoint];

    ret_labels[0] = '\0';
    if (out == NULL)
        return;
    host = host ? host + 3 : "";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(host, "/"), host);
    put_label(out, "host", name);
    put_label(out, ",model", call->model);
    put_label(out, ",program", call->program);
    fclose(out);
}

/* The group of these labels.  Different keys can have the same ones, where
 * names are no UTF-8.  NULL: no memory. */
static struct group *group_of(struct groups *groups, const char *labels)
{
    size_t cap = groups->cap ? groups->cap * 2 : 16;
    struct group *list;

    for (size_t i = groups->count; i-- > 0;)
        if (strcmp(groups->list[i].labels, labels) == 0)
            return &groups->list[i];
    if (groups->count == groups->cap) {
        list = realloc(groups->list, cap * sizeof *list);
        if (list == NULL)
            return NULL;
        groups->list = list;
        groups->cap = cap;
    }
    list = &groups->list[groups->count++];
    memset(list, 0, sizeof *list);
    memcpy(list->labels, labels, strlen(labels) + 1);
    return list;
}

static int64_t value_at(const struct uns_call_record *call, size_t offset)
{
    int64_t value;

    memcpy(&value, (const char *)call + offset, sizeof value);
    return value >= 0 && value < UNS_FIGURES_MOST ? value : UNS_NULL;
}

static void observe(struct histogram *histogram, int64_t ms)
{
    unsigned i = 0;

    while (ms > buckets[i].ms)
        i++;
    histogram->bucket[i]++;
    histogram->sum_ms += ms;
}

static void add_numbers(struct group *group, const struct uns_call_record *call)
{
    int64_t value;

    for (size_t i = 0; i < SUMS; i++)
        if ((value = value_at(call, sums[i].offset)) != UNS_NULL)
            group->sum[i] += value;
    for (size_t i = 0; i < HISTOGRAMS; i++)
        if ((value = value_at(call, histograms[i].offset)) != UNS_NULL)
            observe(&group->histogram[i], value);
}

/* What the tally has counted belongs to `labels`. */
static bool close_group(struct groups *groups, const char *labels)
{
    struct group *group = group_of(groups, labels);
    struct uns_figures figures;

    if (group == NULL || !uns_tally_close(groups->tally, &figures))
        return false;
    for (int i = 0; i < UNS_COUNTS; i++)
        group->count[i] += figures.count[i];
    uns_tally_clear(groups->tally);
    return true;
}

/* `labels`: of the calls in the tally; "": there are none. */
static bool add_call(struct groups *groups, const struct uns_entry *entry,
                     char labels[LABELS])
{
    char own[LABELS];
    struct group *group;

    make_labels(&entry->call, own);
    if (*labels && strcmp(own, labels) != 0 && !close_group(groups, labels))
        return false;
    memcpy(labels, own, sizeof own);
    group = group_of(groups, labels);
    if (group == NULL)
        return false;
    add_numbers(group, &entry->call);
    uns_tally_add(groups->tally, entry, &entry->call);
    return true;
}

static int collect(struct uns_reader *reader, struct groups *groups)
{
    char labels[LABELS] = "";
    int rc;

    while ((rc = uns_reader_next(reader)) == SQLITE_ROW)
        if (!add_call(groups, uns_reader_entry(reader), labels))
            return SQLITE_NOMEM;
    if (rc == SQLITE_DONE && *labels && !close_group(groups, labels))
        return SQLITE_NOMEM;
    return rc;
}

/* --- writing ---------------------------------------------------------------
 */

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
                        const struct group *group)
{
    for (unsigned i = 0; i < counter->size; i++) {
        enum uns_count which = (enum uns_count)(counter->count + i);
        const char *value = strchr(uns_tally_count_name(which), '_');

        fprintf(out, PREFIX "%s{%s", counter->name, group->labels);
        if (counter->label != NULL)
            fprintf(out, ",%s=\"%s\"", counter->label, value ? value + 1 : "");
        fprintf(out, "} %" PRId64 "\n", group->count[which]);
    }
}

static void put_histogram(FILE *out, const char *name,
                          const struct group *group,
                          const struct histogram *histogram)
{
    int64_t count = 0;

    for (int i = 0; i < BUCKETS; i++) {
        count += histogram->bucket[i];
        fprintf(out, PREFIX "%s_bucket{%s,le=\"%s\"} %" PRId64 "\n", name,
                group->labels, buckets[i].le, count);
    }
    fprintf(out, PREFIX "%s_sum{%s} %" PRId64 ".%03d\n", name, group->labels,
            histogram->sum_ms / 1000, (int)(histogram->sum_ms % 1000));
    fprintf(out, PREFIX "%s_count{%s} %" PRId64 "\n", name, group->labels,
            count);
}

static void put_all(FILE *out, const struct groups *groups)
{
    const struct group *end = groups->list + groups->count;
    const struct group *group;

    for (size_t i = 0; i < COUNTERS; i++) {
        put_family(out, counters[i].name, "counter", counters[i].metric);
        for (group = groups->list; group < end; group++)
            put_counter(out, &counters[i], group);
    }
    for (size_t i = 0; i < SUMS; i++) {
        put_family(out, sums[i].name, "counter", sums[i].metric);
        for (group = groups->list; group < end; group++)
            fprintf(out, PREFIX "%s{%s} %" PRId64 "\n", sums[i].name,
                    group->labels, group->sum[i]);
    }
    for (size_t i = 0; i < HISTOGRAMS; i++) {
        put_family(out, histograms[i].name, "histogram", histograms[i].metric);
        for (group = groups->list; group < end; group++)
            put_histogram(out, histograms[i].name, group, &group->histogram[i]);
    }
}

int uns_export_prometheus(sqlite3 *db, const struct uns_export *export,
                          FILE *out)
{
    static const char key[] = "ifnull(host_of(endpoint), '') || char(10) ||"
                              " ifnull(model, '') || char(10) ||"
                              " ifnull(program, '')";
    struct groups groups = {.tally = uns_tally_new()};
    struct uns_reader *reader = uns_reader_open(db, &export->select, key);
    int rc = SQLITE_NOMEM;

    if (reader == NULL)
        rc = SQLITE_ERROR;
    else if (groups.tally != NULL)
        rc = collect(reader, &groups);
    if (rc == SQLITE_DONE)
        put_all(out, &groups);
    uns_reader_close(reader);
    uns_tally_free(groups.tally);
    free(groups.list);
    return rc;
}
