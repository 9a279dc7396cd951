/* SPDX-License-Identifier: MIT */
/*
 * config_env - UNSTALL__HEDGE__AFTER_S=3 is hedge.after_s.  Values are JSON if
 * they can be, else strings; what is a string anyway is taken as it stands.
 * An object is merged into the one that is there, anything else replaces it.
 * Wide variables come before narrow ones (UNSTALL__SOURCES before
 * UNSTALL__SOURCES__X__AUTH).
 */
#include "config_parts.h"
#include "core/ascii.h"
#include "core/walk.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX    "UNSTALL__"
#define KEY_MAX   128
#define LEVEL_MAX 5

/* "HEDGE__AFTER_S" to "hedge.after_s".  Returns how many levels it has; 0:
 * it is no key. */
static size_t read_key(const char *name, size_t len, char key[KEY_MAX])
{
    size_t used = 0;
    size_t levels = 1;

    if (len == 0 || len >= KEY_MAX)
        return 0;
    for (size_t i = 0; i < len; i++) {
        if (i + 1 < len && name[i] == '_' && name[i + 1] == '_') {
            key[used++] = '.';
            levels++;
            i++;
        } else {
            key[used++] = uns_lower(name[i]);
        }
    }
    key[used] = '\0';
    return levels;
}

static bool is_json(const char *text)
{
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, text, strlen(text), false);
    while (uns_walk_next(&walk, &value))
        ;
    return walk.ok;
}

/* NULL: no memory.  cJSON does not tell that from a text that is no JSON. */
static cJSON *read_value(const char *key, const char *text)
{
    const struct uns_setting *setting = uns_setting_by_key(uns_slice_of(key));
    bool as_it_is = setting != NULL && setting->type == UNS_SETTING_TEXT;

    if (!as_it_is && is_json(text))
        return cJSON_ParseWithOpts(text, NULL, true);
    return cJSON_CreateString(text);
}

static void note_origin(cJSON *node, int place)
{
    for (; node != NULL; node = node->next) {
        node->valueint = place;
        note_origin(node->child, place);
    }
}

/* The member that one level of a key means; made when missing.  NULL: no
 * memory. */
static cJSON *enter(cJSON *object, const char *name, int place)
{
    cJSON *child = cJSON_GetObjectItem(object, name);

    if (child != NULL)
        return child;
    child = cJSON_AddObjectToObject(object, name);
    if (child != NULL)
        child->valueint = place;
    return child;
}

/* Owns the value.  Not cJSON_ReplaceItemInObject: without memory it leaves a
 * member that has no name. */
static bool put(cJSON *object, const char *name, cJSON *value)
{
    cJSON_DeleteItemFromObject(object, name);
    if (cJSON_AddItemToObject(object, name, value))
        return true;
    cJSON_Delete(value);
    return false;
}

static bool merge(cJSON *into, cJSON *value)
{
    bool good = true;

    while (value->child != NULL && good) {
        char *name = strdup(value->child->string);

        good = name != NULL &&
               put(into, name, cJSON_DetachItemViaPointer(value, value->child));
        free(name);
    }
    cJSON_Delete(value);
    return good;
}

/* Put `value` at `key`; owns it.  False: no memory. */
static bool set(struct uns_load *load, char *key, cJSON *value, int place)
{
    cJSON *object = load->config->tree;
    cJSON *there;
    char *dot;

    for (; (dot = strchr(key, '.')) != NULL && object != NULL; key = dot + 1) {
        *dot = '\0';
        object = cJSON_IsObject(object) ? enter(object, key, place) : object;
    }
    if (object == NULL) {
        cJSON_Delete(value);
        return false;
    }
    if (!cJSON_IsObject(object)) {
        uns_load_error(load, value, "there is nothing that has a %s", key);
        cJSON_Delete(value);
        return true;
    }
    there = cJSON_GetObjectItem(object, key);
    if (cJSON_IsObject(there) && cJSON_IsObject(value))
        return merge(there, value);
    return put(object, key, value);
}

static const char *label_of(const struct uns_load *load, const char *name)
{
    for (size_t i = 0; i < load->where->label_count; i++)
        if (strcmp(load->where->labels[i].key, name) == 0)
            return load->where->labels[i].value;
    return name;
}

static bool add_label(struct uns_load *load, struct uns_slice name)
{
    char *copy = uns_load_alloc(load, name.len + 1, 1);
    struct uns_config *config = load->config;
    const char **grown;

    if (copy == NULL)
        return false;
    memcpy(copy, name.data, name.len);
    grown = realloc(config->labels, (config->label_count + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    grown[config->label_count++] = label_of(load, copy);
    config->labels = grown;
    return true;
}

/* One entry of the environment, if its key has `levels` levels. */
static bool take(struct uns_load *load, const char *entry, size_t levels)
{
    size_t len = strcspn(entry, "=");
    char key[KEY_MAX];
    cJSON *value;
    int place;

    if (strncmp(entry, PREFIX, strlen(PREFIX)) != 0 || entry[len] == '\0' ||
        read_key(entry + strlen(PREFIX), len - strlen(PREFIX), key) != levels)
        return true;
    if (!add_label(load, (struct uns_slice){entry, len}))
        return false;
    value = read_value(key, entry + len + 1);
    if (value == NULL)
        return false;
    place = -(int)load->config->label_count;
    note_origin(value, place);
    return set(load, key, value, place);
}

bool uns_load_env(struct uns_load *load)
{
    char *const *environment = load->where->environment;

    if (load->config->tree == NULL)
        load->config->tree = cJSON_CreateObject();
    if (load->config->tree == NULL)
        return false;
    for (size_t levels = 1; levels <= LEVEL_MAX; levels++)
        for (size_t i = 0; environment != NULL && environment[i]; i++)
            if (!take(load, environment[i], levels))
                return false;
    return true;
}
