/* SPDX-License-Identifier: MIT */
/*
 * config_source - the sources: a table of their members, and what makes one
 * usable.  A URL with a user name or a key in it is refused: keys come from
 * the environment or from a file that is the owner's alone.
 */
#include "config_parts.h"
#include "core/ascii.h"
#include "core/nearest.h"
#include "key.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum kind {
    TEXT,
    AUTH,
    DIALECTS,
    PAIRS,
    PREFILL
};

static const struct member {
    const char *name;
    enum kind kind;
    size_t offset;
    size_t count_offset; /* of PAIRS */
} members[] = {
  /* clang-format off */
    {"base_url", TEXT, offsetof(struct uns_source, base_url), 0},
    {"dialects", DIALECTS, offsetof(struct uns_source, dialects), 0},
    {"auth", AUTH, offsetof(struct uns_source, auth), 0},
    {"api_key_env", TEXT, offsetof(struct uns_source, api_key_env), 0},
    {"api_key_file", TEXT, offsetof(struct uns_source, api_key_file), 0},
    {"models", PAIRS, offsetof(struct uns_source, models),
     offsetof(struct uns_source, model_count)},
    {"headers", PAIRS, offsetof(struct uns_source, headers),
     offsetof(struct uns_source, header_count)},
    {"ca_file", TEXT, offsetof(struct uns_source, ca_file), 0},
    {"prefill", PREFILL, offsetof(struct uns_source, prefill), 0},
  /* clang-format on */
};

#define MEMBERS (sizeof members / sizeof *members)

static const char *member_at(const void *table, size_t i)
{
    return ((const struct member *)table)[i].name;
}

/* One member of one source on its way. */
struct value {
    struct uns_load *load;
    struct uns_source *source;
    const cJSON *node;
    const struct member *member;
};

static void *place_of(const struct value *value, size_t offset)
{
    return (char *)value->source + offset;
}

static bool is_text_or_null(const cJSON *node)
{
    return cJSON_IsNull(node) ||
           (cJSON_IsString(node) && node->valuestring[0] != '\0');
}

static const char *read_text(const struct value *value)
{
    if (!is_text_or_null(value->node))
        return "a string or null";
    *(const char **)place_of(value, value->member->offset) =
        value->node->valuestring;
    return NULL;
}

static const char *read_auth(const struct value *value)
{
    size_t index = SIZE_MAX;

    if (cJSON_IsString(value->node))
        index = uns_setting_word_index(uns_auth_words,
                                       uns_slice_of(value->node->valuestring));
    if (index == SIZE_MAX)
        return "one of \"auto\", \"bearer\", \"x-api-key\", \"api-key\", "
               "\"x-goog-api-key\", \"none\"";
    value->source->auth = (enum uns_auth)index;
    return NULL;
}

static const char *read_prefill(const struct value *value)
{
    size_t index = cJSON_IsNull(value->node) ? UNS_PREFILL_NONE : SIZE_MAX;

    if (cJSON_IsString(value->node))
        index = uns_setting_word_index(uns_prefill_words,
                                       uns_slice_of(value->node->valuestring));
    if (index == SIZE_MAX)
        return "one of \"assistant\", \"prefix\", \"partial\", "
               "\"continue_final_message\", or null";
    value->source->prefill = (enum uns_prefill)index;
    return NULL;
}

static const char *read_dialects(const struct value *value)
{
    static const char wanted[] = "a list of dialects like [\"chat\"]";
    const cJSON *item;

    if (!cJSON_IsArray(value->node))
        return wanted;
    cJSON_ArrayForEach(item, value->node)
    {
        enum uns_dialect dialect = UNS_DIALECT_NONE;

        if (cJSON_IsString(item))
            dialect = uns_dialect_by_name(item->valuestring,
                                          strlen(item->valuestring));
        if (dialect == UNS_DIALECT_NONE)
            return wanted;
        value->source->dialects |= UINT32_C(1) << dialect;
    }
    return NULL;
}

static const char *read_pairs(const struct value *value)
{
    size_t count = (size_t)cJSON_GetArraySize(value->node);
    struct uns_pair *pairs;
    const cJSON *item;
    size_t i = 0;

    if (cJSON_IsNull(value->node))
        return NULL;
    if (!cJSON_IsObject(value->node))
        return "an object of names and texts";
    pairs = uns_load_alloc(value->load, count + 1, sizeof *pairs);
    if (pairs == NULL)
        return NULL;
    cJSON_ArrayForEach(item, value->node)
    {
        if (!cJSON_IsString(item))
            return "an object of names and texts";
        if (strpbrk(item->valuestring, "\r\n") != NULL ||
            strpbrk(item->string, "\r\n") != NULL)
            return "without line breaks";
        pairs[i++] = (struct uns_pair){item->string, item->valuestring};
    }
    *(const struct uns_pair **)place_of(value, value->member->offset) = pairs;
    *(size_t *)place_of(value, value->member->count_offset) = count;
    return NULL;
}

/* By kind; they return what was expected instead, or NULL. */
static const char *(*const readers[])(const struct value *value) = {
    [TEXT] = read_text,   [AUTH] = read_auth,       [DIALECTS] = read_dialects,
    [PAIRS] = read_pairs, [PREFILL] = read_prefill,
};

/* What people call the key itself; its value is not for messages. */
static bool is_key(const char *name)
{
    static const char *const names[] = {"api_key", "api-key", "apikey", "key",
                                        "token"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i], name) == 0)
            return true;
    return false;
}

static void tell_unknown(struct uns_load *load, const struct uns_source *source,
                         const cJSON *node)
{
    const char *near =
        uns_nearest(uns_slice_of(node->string), MEMBERS, members, member_at);

    if (is_key(node->string))
        uns_load_error(load, node,
                       "source %s: no source has \"%s\": keep the key in a "
                       "variable and name that in api_key_env, or in a file "
                       "for api_key_file",
                       source->name, node->string);
    else if (near != NULL)
        uns_load_error(load, node,
                       "source %s: no source has \"%s\"; did you mean %s?",
                       source->name, node->string, near);
    else
        uns_load_error(load, node, "source %s: no source has \"%s\": remove it",
                       source->name, node->string);
}

static void read_member(struct uns_load *load, struct uns_source *source,
                        const cJSON *node)
{
    struct value value = {load, source, node, NULL};
    const char *wanted;

    for (size_t i = 0; i < MEMBERS; i++)
        if (strcmp(members[i].name, node->string) == 0)
            value.member = &members[i];
    if (value.member == NULL) {
        tell_unknown(load, source, node);
        return;
    }
    wanted = readers[value.member->kind](&value);
    if (wanted != NULL)
        uns_load_error(load, node, "source %s: %s must be %s", source->name,
                       node->string, wanted);
}

static void check_url(struct uns_load *load, const struct uns_source *source,
                      const cJSON *node)
{
    struct uns_url url;
    const cJSON *said = cJSON_GetObjectItemCaseSensitive(node, "base_url");

    if (source->base_url == NULL)
        uns_load_error(load, node,
                       "source %s has no base_url: add one like "
                       "\"https://api.openai.com/v1\"",
                       source->name);
    else if (strstr(source->base_url, "://") == NULL ||
             !uns_url_split(source->base_url, strlen(source->base_url), &url))
        uns_load_error(load, said,
                       "source %s: base_url must be an http:// or https:// "
                       "URL",
                       source->name);
    else if (url.userinfo.len > 0)
        uns_load_error(load, said,
                       "source %s: base_url has a user name in it: use "
                       "api_key_env or api_key_file",
                       source->name);
}

static void check_ca(struct uns_load *load, const struct uns_source *source,
                     const cJSON *node)
{
    if (source->ca_file != NULL && access(source->ca_file, R_OK) != 0)
        uns_load_error(load, cJSON_GetObjectItemCaseSensitive(node, "ca_file"),
                       "source %s: ca_file %s cannot be read (%s): %s",
                       source->name, source->ca_file, strerror(errno),
                       uns_key_file_advice(source->ca_file));
}

static void read_source(struct uns_load *load, struct uns_source *source,
                        const cJSON *node)
{
    const cJSON *member;

    source->name = node->string;
    if (strcmp(source->name, "self") == 0) {
        uns_load_error(load, node,
                       "\"self\" is the program's own endpoint: choose "
                       "another name (how it continues an answer is "
                       "hedge.self_prefill)");
        return;
    }
    if (!cJSON_IsObject(node)) {
        uns_load_error(load, node, "source %s must be an object", source->name);
        return;
    }
    cJSON_ArrayForEach(member, node)
    {
        read_member(load, source, member);
    }
    check_url(load, source, node);
    uns_load_key(load, source, node);
    check_ca(load, source, node);
}

void uns_load_sources(struct uns_load *load)
{
    struct uns_config *config = load->config;
    const cJSON *list =
        cJSON_GetObjectItemCaseSensitive(config->tree, "sources");
    const cJSON *node;

    if (list != NULL && !cJSON_IsObject(list))
        uns_load_error(load, list,
                       "sources must be an object of sources by name");
    config->sources = uns_load_alloc(load, 1 + (size_t)cJSON_GetArraySize(list),
                                     sizeof *config->sources);
    if (config->sources == NULL)
        return;
    config->sources[config->source_count++].name = "self";
    if (!cJSON_IsObject(list))
        return;
    cJSON_ArrayForEach(node, list)
    {
        read_source(load, &config->sources[config->source_count++], node);
    }
}
