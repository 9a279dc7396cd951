/* SPDX-License-Identifier: MIT */
/*
 * config_value - one node of the tree into the member that its setting names:
 * a reader for each type.  What is expected is told from the setting's row, so
 * that the message and the check cannot drift apart.
 */
#include "config_parts.h"
#include "core/ascii.h"
#include "core/nearest.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A value on its way. */
struct value {
    struct uns_load *load;
    const struct uns_setting *setting;
    const cJSON *node;
    void *at; /* in the settings */
};

static bool in_range(const struct value *value)
{
    return cJSON_IsNumber(value->node) &&
           value->node->valuedouble >= value->setting->min &&
           value->node->valuedouble <= value->setting->max;
}

static bool is_whole(const struct value *value)
{
    return in_range(value) &&
           floor(value->node->valuedouble) == value->node->valuedouble;
}

static uns_ns span(const struct value *value)
{
    uns_ns unit = strcmp(value->setting->unit, "ms") == 0 ? UNS_MS : UNS_S;

    return (uns_ns)(value->node->valuedouble * (double)unit + 0.5);
}

static bool read_word(const struct value *value)
{
    size_t index;

    if (!cJSON_IsString(value->node))
        return false;
    index = uns_setting_word_index(value->setting->words,
                                   uns_slice_of(value->node->valuestring));
    if (index == SIZE_MAX)
        return false;
    *(unsigned *)value->at = (unsigned)index;
    return true;
}

static bool read_choice(const struct value *value)
{
    unsigned index = 0;
    struct value word = *value;

    word.at = &index;
    if (!read_word(&word))
        return false;
    *(bool *)value->at = index != 0;
    return true;
}

static bool read_bool(const struct value *value)
{
    *(bool *)value->at = cJSON_IsTrue(value->node);
    return cJSON_IsBool(value->node);
}

static bool read_text(const struct value *value)
{
    *(const char **)value->at =
        cJSON_IsString(value->node) ? value->node->valuestring : NULL;
    return cJSON_IsString(value->node) || cJSON_IsNull(value->node);
}

static bool read_number(const struct value *value)
{
    *(double *)value->at = value->node->valuedouble;
    return in_range(value);
}

static bool read_small(const struct value *value)
{
    if (!is_whole(value))
        return false;
    *(uint8_t *)value->at = (uint8_t)value->node->valuedouble;
    return true;
}

static bool read_bytes(const struct value *value)
{
    if (!is_whole(value))
        return false;
    *(uint64_t *)value->at = (uint64_t)value->node->valuedouble;
    return true;
}

static bool read_cap(const struct value *value)
{
    *(int64_t *)value->at = UNS_NULL;
    if (cJSON_IsNull(value->node))
        return true;
    if (!is_whole(value))
        return false;
    *(int64_t *)value->at = (int64_t)value->node->valuedouble;
    return true;
}

static bool read_span(const struct value *value)
{
    if (!in_range(value))
        return false;
    *(uns_ns *)value->at = span(value);
    return true;
}

static bool read_limit(const struct value *value)
{
    *(uns_ns *)value->at = UNS_NEVER;
    return cJSON_IsNull(value->node) || read_span(value);
}

static bool is_string(const cJSON *node, const char *text)
{
    return cJSON_IsString(node) && strcmp(node->valuestring, text) == 0;
}

static bool read_hold(const struct value *value)
{
    *(uns_ns *)value->at = UNS_NEVER;
    return is_string(value->node, "all") || read_span(value);
}

/* "p95", "p99.9" */
static bool read_quantile(const cJSON *node, double *quantile)
{
    char *end;

    if (!cJSON_IsString(node) || node->valuestring[0] != 'p' ||
        node->valuestring[1] < '0' || node->valuestring[1] > '9')
        return false;
    *quantile = strtod(node->valuestring + 1, &end) / 100;
    return *end == '\0' && *quantile > 0 && *quantile < 1;
}

static bool read_delay(const struct value *value)
{
    struct uns_delay *delay = value->at;

    *delay = (struct uns_delay){.how = UNS_DELAY_OFF, .fixed_ns = UNS_NEVER};
    if (cJSON_IsNull(value->node))
        return true;
    if (is_string(value->node, "auto")) {
        delay->how = UNS_DELAY_AUTO;
        return true;
    }
    if (read_quantile(value->node, &delay->quantile)) {
        delay->how = UNS_DELAY_QUANTILE;
        return true;
    }
    delay->how = UNS_DELAY_FIXED;
    delay->fixed_ns = in_range(value) ? span(value) : 0;
    return in_range(value);
}

/* "5xx" */
static bool read_class(const char *text, struct uns_failover *failover)
{
    unsigned first = (unsigned char)text[0] - '0';

    if (first < 1 || first > 5 || strcmp(text + 1, "xx") != 0)
        return false;
    for (unsigned i = 0; i < 100; i++)
        failover->status[first * 100 + i] = true;
    return true;
}

static bool read_failover(const struct value *value)
{
    struct uns_failover *failover = value->at;
    const cJSON *item;
    size_t codes = 0;

    *failover = (struct uns_failover){0};
    cJSON_ArrayForEach(item, value->node)
    {
        struct value status = {value->load, value->setting, item, NULL};

        if (is_whole(&status))
            failover->status[(int)item->valuedouble] = true;
        else if (!cJSON_IsString(item) || item->valuestring[0] == '\0')
            return false;
        else if (read_class(item->valuestring, failover))
            continue;
        else if (codes == UNS_FAILOVER_CODES)
            return false;
        else
            failover->code[codes++] = item->valuestring;
    }
    return cJSON_IsArray(value->node);
}

static bool read_names(const struct value *value)
{
    size_t count = (size_t)cJSON_GetArraySize(value->node);
    const char **names = NULL;
    const cJSON *item;
    size_t i = 0;

    *(const char *const **)value->at = NULL;
    if (cJSON_IsNull(value->node))
        return true;
    if (!cJSON_IsArray(value->node))
        return false;
    names = uns_load_alloc(value->load, count + 1, sizeof *names);
    if (names == NULL)
        return true;
    cJSON_ArrayForEach(item, value->node)
    {
        if (!cJSON_IsString(item))
            return false;
        names[i++] = item->valuestring;
    }
    *(const char *const **)value->at = names;
    return true;
}

/* In `wanted`: %w the words, %r the range with its unit. */
static const struct {
    bool (*read)(const struct value *value);
    const char *wanted;
} types[UNS_SETTING_TYPE_COUNT] = {
  /* clang-format off */
    [UNS_SETTING_WORD] = {read_word, "one of %w"},
    [UNS_SETTING_CHOICE] = {read_choice, "one of %w"},
    [UNS_SETTING_BOOL] = {read_bool, "true or false"},
    [UNS_SETTING_TEXT] = {read_text, "a string or null"},
    [UNS_SETTING_NUMBER] = {read_number, "a number %r"},
    [UNS_SETTING_SMALL] = {read_small, "a whole number %r"},
    [UNS_SETTING_BYTES] = {read_bytes, "a whole number %r"},
    [UNS_SETTING_CAP] = {read_cap, "a whole number %r, or null"},
    [UNS_SETTING_SPAN] = {read_span, "a number %r"},
    [UNS_SETTING_LIMIT] = {read_limit, "a number %r, or null"},
    [UNS_SETTING_HOLD] = {read_hold, "a number %r, or \"all\""},
    [UNS_SETTING_DELAY] = {
        read_delay,
        "a number %r, a quantile like \"p95\", \"auto\" or null"},
    [UNS_SETTING_FAILOVER] = {
        read_failover,
        "a list of statuses (429), classes (\"5xx\") and at most 16 error "
        "codes"},
    [UNS_SETTING_NAMES] = {
        read_names, "a list of names of sources, or null"},
  /* clang-format on */
};

static void print_words(FILE *out, const char *words)
{
    const char *separator = "";

    for (size_t i = 0;; i++) {
        struct uns_slice word = uns_setting_word(words, i);

        if (word.len == 0)
            return;
        fprintf(out, "%s\"%.*s\"", separator, (int)word.len, word.data);
        separator = ", ";
    }
}

static void print_wanted(FILE *out, const struct uns_setting *setting)
{
    const char *wanted = types[setting->type].wanted;

    for (; *wanted != '\0'; wanted++) {
        if (*wanted != '%') {
            fputc(*wanted, out);
        } else if (*++wanted == 'w') {
            print_words(out, setting->words);
        } else {
            fprintf(out, "from %.10g to %.10g%s%s", setting->min, setting->max,
                    *setting->unit ? " " : "", setting->unit);
        }
    }
}

static void tell(struct uns_load *load, const struct uns_setting *setting,
                 const cJSON *node)
{
    char *given = cJSON_PrintUnformatted(node);
    char wanted[256] = "";
    FILE *out = fmemopen(wanted, sizeof wanted, "w");

    if (out != NULL) {
        print_wanted(out, setting);
        fclose(out);
    }
    if (given != NULL && out != NULL)
        uns_load_error(load, node, "%s is %.60s, and must be %s", setting->key,
                       given, wanted);
    else
        load->no_memory = true;
    free(given);
}

bool uns_load_value(struct uns_load *load, const struct uns_setting *setting,
                    const cJSON *node, struct uns_level *level)
{
    size_t count;
    struct value value = {load, setting, node,
                          (char *)&level->settings + setting->offset};

    level->from[setting - uns_settings(&count)] = node;
    if (types[setting->type].read(&value))
        return true;
    tell(load, setting, node);
    return false;
}

bool uns_load_defaults(struct uns_load *load)
{
    struct uns_level *top = &load->config->top;
    size_t count;
    const struct uns_setting *setting = uns_settings(&count);
    bool good = true;

    top->from = uns_load_alloc(load, count, sizeof *top->from);
    load->config->defaults = cJSON_CreateArray();
    if (top->from == NULL || load->config->defaults == NULL)
        return false;
    for (size_t i = 0; i < count && good; i++) {
        cJSON *node = cJSON_Parse(setting[i].fallback);

        good =
            node != NULL && cJSON_AddItemToArray(load->config->defaults, node);
        if (!good)
            break;
        node->valueint = 0;
        good = uns_load_value(load, &setting[i], node, top);
    }
    return good;
}
