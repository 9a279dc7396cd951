/* SPDX-License-Identifier: MIT */
/*
 * config_level - the settings of one level of the tree: the top, or a route.
 * A route starts as a copy of the top, and what the environment says holds for
 * every route: it is the nearest word.
 */
#include "config_parts.h"
#include "core/ascii.h"
#include "core/nearest.h"

#include <stdio.h>

#define KEY_MAX 128

/* Where we are in the tree. */
struct place {
    struct uns_load *load;
    struct uns_level *level;
    const char *skip;
};

static void read_object(const struct place *place, const cJSON *object,
                        const char *prefix);

static const char *key_at(const void *table, size_t i)
{
    return ((const struct uns_setting *)table)[i].key;
}

/* Do keys of settings begin with "key."? */
static bool is_group(const char *key)
{
    size_t count;
    const struct uns_setting *settings = uns_settings(&count);
    size_t len = strlen(key);

    for (size_t i = 0; i < count; i++)
        if (strncmp(settings[i].key, key, len) == 0 &&
            settings[i].key[len] == '.')
            return true;
    return false;
}

/* What may be meant: a key that is in the wrong group, or a near one. */
static const char *guess(const char *key)
{
    size_t count;
    const struct uns_setting *settings = uns_settings(&count);
    const char *dot = strrchr(key, '.');
    const char *last = dot ? dot + 1 : key;

    for (size_t i = 0; i < count; i++) {
        const char *other = strrchr(settings[i].key, '.');

        if (other != NULL && strcmp(other + 1, last) == 0)
            return settings[i].key;
    }
    return uns_nearest(uns_slice_of(key), count, settings, key_at);
}

static bool is_top(const struct place *place)
{
    return place->level == &place->load->config->top;
}

static void read_setting(const struct place *place, const cJSON *node,
                         const struct uns_setting *setting)
{
    struct uns_load *load = place->load;
    size_t count;
    size_t i = (size_t)(setting - uns_settings(&count));

    if (!is_top(place) && !setting->per_route) {
        uns_load_error(load, node,
                       "%s cannot differ between routes: move it to the top",
                       setting->key);
        return;
    }
    if (!is_top(place) && load->config->top.from[i]->valueint < 0)
        return;
    (void)uns_load_value(load, setting, node, place->level);
}

static void read_group(const struct place *place, const cJSON *node,
                       const char *key)
{
    if (cJSON_IsObject(node))
        read_object(place, node, key);
    else
        uns_load_error(place->load, node,
                       "%s must be an object: put { } "
                       "around its settings",
                       key);
}

static void read_member(const struct place *place, const cJSON *node,
                        const char *prefix)
{
    char key[KEY_MAX];
    const struct uns_setting *setting;

    snprintf(key, sizeof key, "%s%s%s", prefix, *prefix ? "." : "",
             node->string);
    setting = uns_setting_by_key(uns_slice_of(key));
    if (setting != NULL)
        read_setting(place, node, setting);
    else if (is_group(key))
        read_group(place, node, key);
    else if (*prefix != '\0' ||
             uns_setting_word_index(place->skip, uns_slice_of(key)) == SIZE_MAX)
        uns_load_unknown(place->load, node, key, guess(key));
}

/* The tree is as deep as the longest key: other nesting is unknown. */
static void read_object(const struct place *place, const cJSON *object,
                        const char *prefix)
{
    const cJSON *node;

    cJSON_ArrayForEach(node, object)
    {
        read_member(place, node, prefix);
    }
}

void uns_load_level(struct uns_load *load, const cJSON *object,
                    const char *skip, struct uns_level *level)
{
    struct place place = {load, level, skip};

    read_object(&place, object, "");
}

static const struct uns_source *find_source(const struct uns_config *config,
                                            const char *name)
{
    for (size_t i = 0; i < config->source_count; i++)
        if (strcmp(config->sources[i].name, name) == 0)
            return &config->sources[i];
    return NULL;
}

static const char *source_at(const void *table, size_t i)
{
    return ((const struct uns_source *)table)[i].name;
}

static void tell_no_source(struct uns_load *load, const struct uns_level *level,
                           const char *name)
{
    size_t count;
    size_t i = (size_t)(uns_setting_by_key(uns_slice_of("hedge.sources")) -
                        uns_settings(&count));
    const char *near =
        uns_nearest(uns_slice_of(name), load->config->source_count,
                    load->config->sources, source_at);

    if (near != NULL)
        uns_load_error(load, level->from[i],
                       "no source is called %s; did you mean %s?", name, near);
    else
        uns_load_error(load, level->from[i],
                       "no source is called %s: add it to \"sources\"", name);
}

void uns_load_resolve(struct uns_load *load, struct uns_level *level)
{
    static const char *const self[] = {"self", NULL};
    const char *const *names =
        level->settings.names ? level->settings.names : self;
    const struct uns_source **sources;
    size_t count = 0;

    while (names[count] != NULL)
        count++;
    sources = uns_load_alloc(load, count + 1, sizeof *sources);
    if (sources == NULL)
        return;
    level->settings.policy.sources = sources;
    level->settings.policy.source_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct uns_source *source = find_source(load->config, names[i]);

        if (source == NULL)
            tell_no_source(load, level, names[i]);
        else
            sources[level->settings.policy.source_count++] = source;
    }
}
