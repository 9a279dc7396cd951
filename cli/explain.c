/* SPDX-License-Identifier: MIT */
/* explain - `unstall explain METRIC`: the one definition of a number (P8). */
#include "cli.h"
#include "core/nearest.h"
#include "core/record.h"
#include "report.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct options {
    struct uns_common common;
};

static const char *const tables[] = {
    [UNS_METRIC_CALLS] = "calls",
    [UNS_METRIC_ATTEMPTS] = "attempts",
    [UNS_METRIC_STALLS] = "stalls",
    [UNS_METRIC_FIGURES] = "report",
};

static const struct uns_usage usage = {
    .command = "explain",
    .operands = "[METRIC...] [options]",
    .about = "What a number means, how it is counted and where it is kept; "
             "without a name, all of them. ttft stands for ttft_ms, a word "
             "such as budget_exhausted for what has it, and a label of the "
             "report's such as UNTOLD for its number.",
};

static void print_metric(const struct uns_metric *metric)
{
    int used = printf("%s.%s", tables[metric->table], metric->name);

    if (*metric->unit != '\0')
        used += printf(" (%s)", metric->unit);
    printf("%s    ", used < 0 ? "" : "\n");
    uns_cli_wrap(metric->text, 4);
}

static cJSON *to_json(const struct uns_metric *metric)
{
    cJSON *row = cJSON_CreateObject();

    cJSON_AddStringToObject(row, "table", tables[metric->table]);
    cJSON_AddStringToObject(row, "name", metric->name);
    cJSON_AddStringToObject(row, "unit", metric->unit);
    cJSON_AddStringToObject(row, "definition", metric->text);
    return row;
}

/* "tpot" for "tpot_ms". */
static bool is_without_unit(const struct uns_metric *metric, const char *name)
{
    size_t len = strlen(name);

    return *metric->unit != '\0' && strncmp(metric->name, name, len) == 0 &&
           metric->name[len] == '_' &&
           strcmp(metric->name + len + 1, metric->unit) == 0;
}

/* "calls.ttft_ms" or "ttft_ms", which may stand in several tables. */
static bool is_named(const struct uns_metric *metric, const char *name)
{
    const char *table = tables[metric->table];
    size_t len = strlen(table);

    if (strncmp(name, table, len) == 0 && name[len] == '.')
        name += len + 1;
    return strcmp(metric->name, name) == 0 || is_without_unit(metric, name);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* "budget_exhausted" is a word that calls.hedge_reason may be. */
static bool has_word(const struct uns_metric *metric, const char *word)
{
    const char *at = metric->text;
    size_t len = strlen(word);

    if (len == 0 || *metric->unit != '\0')
        return false;
    while ((at = strstr(at, word)) != NULL) {
        if ((at == metric->text || !is_letter(at[-1])) && !is_letter(at[len]))
            return true;
        at += len;
    }
    return false;
}

static bool has_words(const struct uns_metric *metric)
{
    static const char *const names[] = {"outcome", "hedge_reason", "why"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(metric->name, names[i]) == 0)
            return true;
    return false;
}

static bool is_named_by_word(const struct uns_metric *metric, const char *word)
{
    return has_words(metric) && has_word(metric, word);
}

/* In the report's text.  Its quantities are those of calls. */
static bool is_labelled(const struct uns_metric *metric, const char *label)
{
    return (metric->table == UNS_METRIC_CALLS ||
            metric->table == UNS_METRIC_FIGURES) &&
           uns_report_names(metric->name, label);
}

/* What has been asked for so far; each is told once. */
struct told {
    cJSON *list; /* NULL: for people */
    bool *done;  /* by metric */
};

typedef bool is_meant(const struct uns_metric *metric, const char *name);

static size_t explain_by(is_meant *meant, const char *name, struct told *told)
{
    size_t count;
    size_t found = 0;
    const struct uns_metric *metrics = uns_metrics(&count);

    for (size_t i = 0; i < count; i++) {
        if (name != NULL && !meant(&metrics[i], name))
            continue;
        found++;
        if (told->done[i])
            continue;
        told->done[i] = true;
        if (told->list != NULL)
            cJSON_AddItemToArray(told->list, to_json(&metrics[i]));
        else
            print_metric(&metrics[i]);
    }
    return found;
}

static size_t explain(const char *name, struct told *told)
{
    size_t found = explain_by(is_named, name, told);

    if (found == 0)
        found = explain_by(is_named_by_word, name, told) +
                explain_by(is_labelled, name, told);
    return found;
}

/* "first token", which nobody quotes. */
static bool explain_phrase(int count, char **words, struct told *told)
{
    char phrase[64] = "";

    for (int i = 0; i < count; i++) {
        size_t used = strlen(phrase);

        snprintf(phrase + used, sizeof phrase - used, "%s%s", i ? " " : "",
                 words[i]);
    }
    return count > 1 && explain_by(is_labelled, phrase, told) > 0;
}

static const char *name_at(const void *table, size_t i)
{
    return ((const struct uns_metric *)table)[i].name;
}

static int unknown(const char *name)
{
    size_t count;
    const struct uns_metric *metrics = uns_metrics(&count);
    const char *near = uns_nearest((struct uns_slice){name, strlen(name)},
                                   count, metrics, name_at);

    return near ? uns_args_fail("explain", "no metric %s; did you mean %s?",
                                name, near)
                : uns_args_fail("explain", "no metric %s", name);
}

static void print_list(cJSON *list)
{
    char *text = cJSON_Print(list);

    if (text != NULL)
        puts(text);
    free(text);
}

static int explain_each(int count, char **names, struct told *told)
{
    if (count == 0)
        explain(NULL, told);
    if (explain_phrase(count, names, told))
        return UNS_EXIT_OK;
    for (int i = 0; i < count; i++)
        if (explain(names[i], told) == 0)
            return unknown(names[i]);
    return UNS_EXIT_OK;
}

int uns_cmd_explain(int argc, char **argv)
{
    struct options options = {0};
    struct told told = {0};
    int code = UNS_EXIT_OK;
    int count = uns_args_parse(&usage, argc, argv, &options, &code);
    size_t metrics;

    if (count < 0)
        return code;
    (void)uns_metrics(&metrics);
    told.done = calloc(metrics, sizeof *told.done);
    if (told.done == NULL)
        return UNS_EXIT_FAILED;
    if (options.common.json)
        told.list = cJSON_CreateArray();
    code = explain_each(count, argv + 1, &told);
    if (told.list != NULL && code == UNS_EXIT_OK)
        print_list(told.list);
    cJSON_Delete(told.list);
    free(told.done);
    return code;
}
