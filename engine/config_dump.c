/* SPDX-License-Identifier: MIT */
/* config_dump - all that holds, with the place where each value was said. */
#include "config_parts.h"

#include <stdio.h>
#include <string.h>

#define KEY_MAX 256

struct dump {
    const struct uns_config *config;
    cJSON *list;
    bool failed;
};

/* What holds: for the database, the place that was found for it. */
static cJSON *copy_value(const struct uns_config *config, const char *key,
                         const cJSON *node)
{
    if (strcmp(key, "store.path") == 0 && config->store_path != NULL)
        return cJSON_CreateString(config->store_path);
    return cJSON_Duplicate(node, true);
}

static void add(struct dump *dump, const char *key, const cJSON *node)
{
    char origin[512];
    cJSON *row = cJSON_CreateObject();
    cJSON *value = copy_value(dump->config, key, node);

    uns_config_origin(dump->config, node,
                      (struct uns_room){origin, sizeof origin});
    if (row == NULL || value == NULL ||
        cJSON_AddStringToObject(row, "key", key) == NULL ||
        !cJSON_AddItemToObject(row, "value", value)) {
        cJSON_Delete(value);
        cJSON_Delete(row);
        dump->failed = true;
        return;
    }
    if (cJSON_AddStringToObject(row, "origin", origin) == NULL ||
        !cJSON_AddItemToArray(dump->list, row)) {
        cJSON_Delete(row);
        dump->failed = true;
    }
}

static bool has_members(const cJSON *node)
{
    return cJSON_IsObject(node) && node->child != NULL;
}

/* Members of objects one by one; lists and all else in one row.  The depth is
 * bounded by what the checks accept. */
static void add_members(struct dump *dump, const char *key, const cJSON *node)
{
    const cJSON *child;
    char name[KEY_MAX];

    if (!has_members(node)) {
        add(dump, key, node);
        return;
    }
    cJSON_ArrayForEach(child, node)
    {
        snprintf(name, sizeof name, "%s.%s", key, child->string);
        add_members(dump, name, child);
    }
}

static void add_routes(struct dump *dump, const cJSON *routes)
{
    const cJSON *route;
    char name[KEY_MAX];
    int i = 0;

    cJSON_ArrayForEach(route, routes)
    {
        snprintf(name, sizeof name, "routes.%d", i++);
        add_members(dump, name, route);
    }
}

char *uns_config_dump(const struct uns_config *config)
{
    struct dump dump = {config, cJSON_CreateArray(), false};
    size_t count;
    const struct uns_setting *settings = uns_settings(&count);
    const cJSON *sources =
        cJSON_GetObjectItemCaseSensitive(config->tree, "sources");
    char *text = NULL;

    if (dump.list == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        add(&dump, settings[i].key, config->top.from[i]);
    if (has_members(sources))
        add_members(&dump, "sources", sources);
    add_routes(&dump, cJSON_GetObjectItemCaseSensitive(config->tree, "routes"));
    if (!dump.failed)
        text = cJSON_PrintUnformatted(dump.list);
    cJSON_Delete(dump.list);
    return text;
}
