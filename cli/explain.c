/* SPDX-License-Identifier: MIT */
/* explain - `unstall explain METRIC`: the one definition of a number (P8). */
#include "cli.h"
#include "core/nearest.h"
#include "core/record.h"

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
             "without a name, all of them. ttft stands for ttft_ms, and a "
             "word such as budget_exhausted for what has it.",
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

typedef bool is_meant(const struct uns_metric *metric, const char *name);

static size_t explain_by(is_meant *meant, const char *name, cJSON *list)
{
    size_t count;
    size_t found = 0;
    const struct uns_metric *metrics = uns_metrics(&count);

    for (size_t i = 0; i < count; i++) {
        if (name != NULL && !meant(&metrics[i], name))
            continue;
        found++;
        if (list != NULL)
            cJSON_AddItemToArray(list, to_json(&metrics[i]));
        else
            print_metric(&metrics[i]);
    }
    return found;
}

static size_t explain(const char *name, cJSON *list)
{
    size_t found = explain_by(is_named, name, list);

    return found ? found : explain_by(is_named_by_word, name, list);
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

int uns_cmd_explain(int argc, char **argv)
{
    struct options options = {0};
    int code = UNS_EXIT_OK;
    int count = uns_args_parse(&usage, argc, argv, &options, &code);
    cJSON *list = options.common.json ? cJSON_CreateArray() : NULL;

    if (count == 0)
        explain(NULL, list);
    for (int i = 1; i <= count && code == UNS_EXIT_OK; i++)
        if (explain(argv[i], list) == 0)
            code = unknown(argv[i]);
    if (list != NULL && count >= 0 && code == UNS_EXIT_OK)
        print_list(list);
    cJSON_Delete(list);
    return code;
}
