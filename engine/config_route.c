/* SPDX-License-Identifier: MIT */
/*
 * config_route - the routes: which calls have settings of their own, are left
 * alone, or are LLM calls though their URL does not look like it.
 */
#include "config_parts.h"
#include "core/ascii.h"

#include <stdio.h>
#include <stdlib.h>

/* What a route has besides settings. */
static const char own_keys[] = "match sources exclude dialect";

static const cJSON *own(const cJSON *node, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(node, name);
}

static void read_match(struct uns_load *load, struct uns_route *route,
                       const cJSON *node)
{
    const cJSON *match = own(node, "match");

    if (!cJSON_IsString(match) || match->valuestring[0] == '\0')
        uns_load_error(load, match ? match : node,
                       "a route needs \"match\", a URL pattern like "
                       "\"https://api.openai.com/*\"");
    else if (strpbrk(match->valuestring, " \t\r\n") != NULL)
        uns_load_error(load, match, "match must have no space in it");
    else
        route->match = match->valuestring;
    if (route->match != NULL && !uns_url_can_match(uns_slice_of(route->match)))
        uns_load_warn(load, match,
                      "match \"%s\" can match no URL: write it like "
                      "\"https://api.openai.com/*\", or begin and end it "
                      "with *",
                      route->match);
}

static void read_exclude(struct uns_load *load, struct uns_route *route,
                         const cJSON *node)
{
    const cJSON *exclude = own(node, "exclude");

    if (exclude != NULL && !cJSON_IsBool(exclude))
        uns_load_error(load, exclude, "exclude must be true or false");
    route->exclude = cJSON_IsTrue(exclude);
}

static void read_dialect(struct uns_load *load, struct uns_route *route,
                         const cJSON *node)
{
    const cJSON *dialect = own(node, "dialect");

    if (dialect == NULL || cJSON_IsNull(dialect))
        return;
    if (cJSON_IsString(dialect))
        route->dialect = uns_dialect_by_name(dialect->valuestring,
                                             strlen(dialect->valuestring));
    if (route->dialect == UNS_DIALECT_NONE)
        uns_load_error(load, dialect,
                       "dialect must be the name of one, like \"chat\", "
                       "\"anthropic\", \"gemini\" or \"ollama\"");
}

/* A route's "sources" is its hedge.sources. */
static void read_sources(struct uns_load *load, struct uns_route *route,
                         const cJSON *node)
{
    size_t count;
    const struct uns_setting *setting =
        uns_setting_by_key(uns_slice_of("hedge.sources"));
    size_t i = (size_t)(setting - uns_settings(&count));
    const cJSON *sources = own(node, "sources");

    if (sources != NULL && load->config->top.from[i]->valueint >= 0)
        (void)uns_load_value(load, setting, sources, &route->level);
}

static void read_route(struct uns_load *load, struct uns_route *route,
                       const cJSON *node)
{
    struct uns_level *level = &route->level;
    size_t count;

    if (!cJSON_IsObject(node)) {
        uns_load_error(load, node, "a route must be an object");
        return;
    }
    (void)uns_settings(&count);
    level->settings = load->config->top.settings;
    level->from = uns_load_alloc(load, count, sizeof *level->from);
    if (level->from == NULL)
        return;
    memcpy(level->from, load->config->top.from, count * sizeof *level->from);
    read_match(load, route, node);
    read_exclude(load, route, node);
    read_dialect(load, route, node);
    read_sources(load, route, node);
    uns_load_level(load, node, own_keys, level);
    level->settings.policy.route = route->match;
    uns_load_resolve(load, level);
    uns_load_check(load, level);
}

void uns_load_routes(struct uns_load *load)
{
    struct uns_config *config = load->config;
    const cJSON *list = own(config->tree, "routes");
    const cJSON *node;

    if (list == NULL)
        return;
    if (!cJSON_IsArray(list)) {
        uns_load_error(load, list, "routes must be a list: put [ ] around it");
        return;
    }
    config->routes = uns_load_alloc(load, (size_t)cJSON_GetArraySize(list),
                                    sizeof *config->routes);
    if (config->routes == NULL)
        return;
    cJSON_ArrayForEach(node, list)
    {
        read_route(load, &config->routes[config->route_count++], node);
    }
}

char *uns_config_match(const struct uns_config *config)
{
    char *text = NULL;
    size_t len;
    FILE *out = open_memstream(&text, &len);
    const char *separator = "";

    if (out == NULL)
        return NULL;
    for (size_t i = 0; i < config->route_count; i++) {
        const struct uns_route *route = &config->routes[i];

        if (route->exclude)
            fprintf(out, "%s!%s", separator, route->match);
        else if (route->dialect != UNS_DIALECT_NONE)
            fprintf(out, "%s%s=%s", separator, uns_dialect_name(route->dialect),
                    route->match);
        else
            continue;
        separator = " ";
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
