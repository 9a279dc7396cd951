/* SPDX-License-Identifier: MIT */
/*
 * groups - calls come group by group, so one tally is enough.  Names of models
 * come out of requests and may be no UTF-8: in labels they are, and what then
 * looks the same is one group.
 */
#include "groups.h"

#include "reader.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

const char *const uns_group_sums[UNS_GROUP_SUMS] = {
    "tokens_in",
    "tokens_out",
    "chunk_count",
    "bytes",
};

const char *const uns_group_times[UNS_GROUP_TIMES] = {
    "ttft_ms",
    "stall_ms",
    "max_gap_ms",
    "wall_ms",
};

/* First tokens take from a tenth of a second to minutes; whole calls ten times
 * that. */
/* clang-format off */
const struct uns_group_class uns_group_classes[UNS_GROUP_CLASSES] = {
    {100,    "0.1"},   {250,    "0.25"},  {500,       "0.5"},
    {1000,   "1.0"},   {2500,   "2.5"},   {5000,      "5.0"},
    {10000,  "10.0"},  {20000,  "20.0"},  {30000,     "30.0"},
    {60000,  "60.0"},  {120000, "120.0"}, {300000,    "300.0"},
    {600000, "600.0"}, {INT64_MAX, "+Inf"},
};

/* clang-format on */

const char *uns_groups_name(char ret_name[UNS_GROUP_NAME], size_t number)
{
    size_t time = (number - UNS_GROUP_TIME) / (UNS_GROUP_CLASSES + 1);
    size_t class = (number - UNS_GROUP_TIME) % (UNS_GROUP_CLASSES + 1);

    if (number < UNS_GROUP_SUM)
        snprintf(ret_name, UNS_GROUP_NAME, "%s",
                 uns_tally_count_name((enum uns_count)number));
    else if (number < UNS_GROUP_TIME)
        snprintf(ret_name, UNS_GROUP_NAME, "%s",
                 uns_group_sums[number - UNS_GROUP_SUM]);
    else if (class < UNS_GROUP_CLASSES)
        snprintf(ret_name, UNS_GROUP_NAME, "%s<=%s", uns_group_times[time],
                 uns_group_classes[class].le);
    else
        snprintf(ret_name, UNS_GROUP_NAME, "%s", uns_group_times[time]);
    return ret_name;
}

void uns_groups_clear(struct uns_groups *groups)
{
    free(groups->list);
    *groups = (struct uns_groups){0};
}

void uns_groups_label(FILE *out, const char *name, const char *text)
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
                        char ret_labels[UNS_GROUP_LABELS])
{
    FILE *out = fmemopen(ret_labels, UNS_GROUP_LABELS, "w");
    const char *host = strstr(call->endpoint, "://");
    char name[sizeof call->endpoint];

    ret_labels[0] = '\0';
    if (out == NULL)
        return;
    host = host ? host + 3 : "";
    snprintf(name, sizeof name, "%.*s", (int)strcspn(host, "/"), host);
    uns_groups_label(out, "host", name);
    uns_groups_label(out, ",model", call->model);
    uns_groups_label(out, ",program", call->program);
    fclose(out);
}

static bool grow(struct uns_groups *groups)
{
    size_t cap = groups->cap ? groups->cap * 2 : 16;
    struct uns_group *list = realloc(groups->list, cap * sizeof *list);

    if (list == NULL)
        return false;
    groups->list = list;
    groups->cap = cap;
    return true;
}

struct uns_group *uns_groups_at(struct uns_groups *groups, const char *labels)
{
    struct uns_group *group;

    for (size_t i = groups->count; i-- > 0;)
        if (strcmp(groups->list[i].labels, labels) == 0)
            return &groups->list[i];
    if (groups->count == groups->cap && !grow(groups))
        return NULL;
    group = &groups->list[groups->count++];
    memset(group, 0, sizeof *group);
    snprintf(group->labels, sizeof group->labels, "%s", labels);
    return group;
}

/* UNS_NULL: it is not known, or cannot be. */
static int64_t value_of(const struct uns_call_record *call, const char *metric)
{
    size_t offset = uns_metric_by_name(metric)->offset;
    int64_t value;

    memcpy(&value, (const char *)call + offset, sizeof value);
    return value >= 0 && value < UNS_FIGURES_MOST ? value : UNS_NULL;
}

static void add_time(int64_t *classes, int64_t ms)
{
    unsigned i = 0;

    while (ms > uns_group_classes[i].ms)
        i++;
    classes[i]++;
    classes[UNS_GROUP_CLASSES] += ms;
}

static void add_numbers(struct uns_group *group,
                        const struct uns_call_record *call)
{
    int64_t *classes = group->number + UNS_GROUP_TIME;
    int64_t value;

    for (size_t i = 0; i < UNS_GROUP_SUMS; i++)
        if ((value = value_of(call, uns_group_sums[i])) != UNS_NULL)
            group->number[UNS_GROUP_SUM + i] += value;
    for (size_t i = 0; i < UNS_GROUP_TIMES; i++) {
        if ((value = value_of(call, uns_group_times[i])) != UNS_NULL)
            add_time(classes, value);
        classes += UNS_GROUP_CLASSES + 1;
    }
}

struct collect {
    struct uns_groups *groups;
    struct uns_reader *reader;
    struct uns_tally *tally;       /* of the calls that have ... */
    char labels[UNS_GROUP_LABELS]; /* ... these; "": there are none */
};

/* What the tally has counted becomes the group's. */
static bool end_group(struct collect *collect)
{
    struct uns_group *group;
    struct uns_figures figures;

    if (*collect->labels == '\0')
        return true;
    group = uns_groups_at(collect->groups, collect->labels);
    if (group == NULL || !uns_tally_close(collect->tally, &figures))
        return false;
    for (int i = 0; i < UNS_COUNTS; i++)
        group->number[i] += figures.count[i];
    uns_tally_clear(collect->tally);
    return true;
}

static bool add_call(struct collect *collect)
{
    const struct uns_entry *entry = uns_reader_entry(collect->reader);
    int64_t id = uns_reader_id(collect->reader);
    char labels[UNS_GROUP_LABELS];
    struct uns_group *group;

    make_labels(&entry->call, labels);
    if (strcmp(labels, collect->labels) != 0 && !end_group(collect))
        return false;
    memcpy(collect->labels, labels, sizeof labels);
    group = uns_groups_at(collect->groups, labels);
    if (group == NULL)
        return false;
    add_numbers(group, &entry->call);
    uns_tally_add(collect->tally, entry, &entry->call);
    if (id > collect->groups->last_id) {
        collect->groups->last_id = id;
        memcpy(collect->groups->last_uuid, entry->call.uuid,
               sizeof entry->call.uuid);
    }
    return true;
}

static int read_all(struct collect *collect)
{
    int rc;

    while ((rc = uns_reader_next(collect->reader)) == SQLITE_ROW)
        if (!add_call(collect))
            return SQLITE_NOMEM;
    if (rc == SQLITE_DONE && !end_group(collect))
        return SQLITE_NOMEM;
    return rc;
}

int uns_groups_collect(sqlite3 *db, const struct uns_select *select,
                       struct uns_groups *groups)
{
    static const char key[] = "ifnull(host_of(endpoint), '') || char(10) ||"
                              " ifnull(model, '') || char(10) ||"
                              " ifnull(program, '')";
    struct collect collect = {
        .groups = groups,
        .reader = uns_reader_open(db, select, key),
        .tally = uns_tally_new(),
    };
    int rc = SQLITE_NOMEM;

    if (collect.reader == NULL)
        rc = SQLITE_ERROR;
    else if (collect.tally != NULL)
        rc = read_all(&collect);
    uns_reader_close(collect.reader);
    uns_tally_free(collect.tally);
    return rc;
}
