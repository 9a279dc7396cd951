/* SPDX-License-Identifier: MIT */
/*
 * config - one load from end to end, and the answers that a loaded config
 * gives.  A load with an error yields none at all: half a configuration is
 * nobody's wish.
 */
#include "config_parts.h"
#include "core/ascii.h"

#include <stdio.h>
#include <stdlib.h>

/* What the top has besides settings. */
static const char own_keys[] = "sources routes";

static bool has_error(const struct uns_messages *messages)
{
    for (size_t i = 0; i < messages->count; i++)
        if (messages->list[i].error)
            return true;
    return false;
}

/* store.path, else the state directory's.  NULL: there is none. */
static char *find_store(struct uns_load *load)
{
    const char *path = load->config->top.settings.store.path;
    const char *state = uns_load_getenv(load, "XDG_STATE_HOME");
    const char *home = uns_load_getenv(load, "HOME");

    if (path != NULL)
        return uns_load_print(load, "%s", path);
    if (state != NULL && *state == '/')
        return uns_load_print(load, "%s/unstall/unstall.db", state);
    if (home != NULL && *home == '/')
        return uns_load_print(load, "%s/.local/state/unstall/unstall.db", home);
    return NULL;
}

/* The program that is run may be in any directory. */
static void check_store(struct uns_load *load)
{
    size_t count;
    const struct uns_setting *setting =
        uns_setting_by_key(uns_slice_of("store.path"));
    const char *path = load->config->top.settings.store.path;

    if (path != NULL && *path != '/')
        uns_load_error(load,
                       load->config->top.from[setting - uns_settings(&count)],
                       "store.path must begin with a slash: give the whole "
                       "path");
}

static bool load_tree(struct uns_load *load)
{
    struct uns_level *top = &load->config->top;

    if (!uns_load_defaults(load) || !uns_load_file(load) || !uns_load_env(load))
        return false;
    uns_load_level(load, load->config->tree, own_keys, top);
    uns_load_sources(load);
    uns_load_resolve(load, top);
    uns_load_check(load, top);
    uns_load_routes(load);
    if (!has_error(load->messages))
        uns_load_check_whole(load);
    check_store(load);
    load->config->store_path = find_store(load);
    return !load->no_memory;
}

enum uns_err uns_config_load(const struct uns_config_where *where,
                             struct uns_messages *messages,
                             struct uns_config **ret_config)
{
    struct uns_load load = {.where = where, .messages = messages};
    bool good;

    load.config = calloc(1, sizeof *load.config);
    if (load.config == NULL)
        return UNS_NOMEM;
    good = load_tree(&load);
    if (good && !has_error(messages)) {
        *ret_config = load.config;
        return UNS_OK;
    }
    uns_config_free(load.config);
    if (has_error(messages) && !load.no_memory)
        return UNS_CONFIG;
    uns_messages_clear(messages);
    return UNS_NOMEM;
}

void uns_config_free(struct uns_config *config)
{
    if (config == NULL)
        return;
    while (config->blocks != NULL) {
        struct uns_block *block = config->blocks;

        config->blocks = block->next;
        free(block);
    }
    cJSON_Delete(config->tree);
    cJSON_Delete(config->defaults);
    free(config->labels);
    free(config->store_path);
    free(config->path);
    free(config->usual);
    free(config);
}

const struct uns_policy *uns_config_policy(const struct uns_config *config,
                                           const struct uns_url *url)
{
    for (size_t i = 0; i < config->route_count; i++) {
        const struct uns_route *route = &config->routes[i];

        if (uns_url_matches(uns_slice_of(route->match), url))
            return route->exclude ? NULL : &route->level.settings.policy;
    }
    return &config->top.settings.policy;
}

const struct uns_policy *uns_config_top(const struct uns_config *config)
{
    return &config->top.settings.policy;
}

static bool names(const struct uns_policy *policy,
                  const struct uns_source *source)
{
    for (size_t i = 0; i < policy->source_count; i++)
        if (policy->sources[i] == source)
            return policy->mode >= UNS_MODE_SHADOW;
    return false;
}

bool uns_config_uses(const struct uns_config *config,
                     const struct uns_source *source)
{
    for (size_t i = 0; i < config->route_count; i++)
        if (!config->routes[i].exclude &&
            names(&config->routes[i].level.settings.policy, source))
            return true;
    return names(&config->top.settings.policy, source);
}

bool uns_config_said(const struct uns_config *config, const char *key)
{
    size_t count;
    size_t i =
        (size_t)(uns_setting_by_key(uns_slice_of(key)) - uns_settings(&count));
    bool said = config->top.from[i]->valueint != 0;

    for (size_t j = 0; j < config->route_count; j++)
        said |= config->routes[j].level.from[i]->valueint != 0;
    return said;
}

bool uns_config_any(const struct uns_config *config,
                    bool (*holds)(const struct uns_policy *policy))
{
    for (size_t i = 0; i < config->route_count; i++)
        if (!config->routes[i].exclude &&
            holds(&config->routes[i].level.settings.policy))
            return true;
    return holds(&config->top.settings.policy);
}

const struct uns_source *uns_config_sources(const struct uns_config *config,
                                            size_t *ret_count)
{
    *ret_count = config->source_count;
    return config->sources;
}

const struct uns_experiment *
uns_config_experiment(const struct uns_config *config)
{
    const struct uns_experiment *experiment = &config->top.settings.experiment;

    return experiment->name ? experiment : NULL;
}

const char *uns_config_path(const struct uns_config *config,
                            const char **ret_usual)
{
    *ret_usual = config->usual;
    return config->path;
}

const char *uns_config_store_path(const struct uns_config *config)
{
    return config->store_path;
}

bool uns_config_store_timeline(const struct uns_config *config)
{
    return config->top.settings.store.timeline;
}

int64_t uns_config_store_retain_days(const struct uns_config *config)
{
    return config->top.settings.store.retain_days;
}
