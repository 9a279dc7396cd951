/* SPDX-License-Identifier: MIT */
/*
 * config_key - where a source's key is said to be: a variable that is set, or
 * a file that is the owner's alone.  People paste the key itself into either;
 * what looks like one is in no message, since those are kept in journals.
 */
#include "config_parts.h"
#include "core/ascii.h"
#include "key.h"

#include <string.h>

#define KEY_LEAST 16 /* shorter ones are names */

static bool is_name(const char *text)
{
    if (*text >= '0' && *text <= '9')
        return false;
    for (const char *c = text; *c != '\0'; c++)
        if (!(uns_lower(*c) >= 'a' && uns_lower(*c) <= 'z') &&
            !(*c >= '0' && *c <= '9') && *c != '_')
            return false;
    return *text != '\0';
}

/* Long, with small letters and digits, and no path. */
static bool looks_like_key(const char *text)
{
    bool letter = false;
    bool digit = false;

    for (const char *c = text; *c != '\0'; c++) {
        letter |= *c >= 'a' && *c <= 'z';
        digit |= *c >= '0' && *c <= '9';
    }
    return strlen(text) >= KEY_LEAST && letter && digit &&
           strchr(text, '/') == NULL;
}

static const char *shown(const char *text)
{
    return looks_like_key(text) ? "(not shown: it looks like a key)" : text;
}

static void check_file(struct uns_load *load, const struct uns_source *source,
                       const cJSON *node)
{
    const char *path = source->api_key_file;
    char why[192];

    if (!uns_key_file_is_private(path, (struct uns_room){why, sizeof why}))
        uns_load_error(load, node, "source %s: api_key_file %s %s",
                       source->name, shown(path), why);
    else if (*path != '/')
        uns_load_warn(load, node,
                      "source %s: api_key_file %s is not an absolute path: a "
                      "program in another directory will not find it; give "
                      "the whole path",
                      source->name, shown(path));
}

static void check_variable(struct uns_load *load,
                           const struct uns_source *source, const cJSON *node)
{
    const char *name = source->api_key_env;
    const char *key;

    if (!is_name(name)) {
        uns_load_error(load, node,
                       "source %s: api_key_env takes the name of a variable, "
                       "and this is none; was it the key? Put that into a "
                       "variable, and name it here",
                       source->name);
        return;
    }
    if (source->auth == UNS_AUTH_NONE || load->where->environment == NULL)
        return;
    key = uns_load_getenv(load, name);
    if (key == NULL || *key == '\0')
        uns_load_warn(load, node,
                      "source %s cannot be used: %s is not set in the "
                      "environment",
                      source->name, shown(name));
}

void uns_load_key(struct uns_load *load, const struct uns_source *source,
                  const cJSON *node)
{
    if (source->api_key_env != NULL && source->api_key_file != NULL)
        uns_load_error(load, node,
                       "source %s has both api_key_env and api_key_file: "
                       "remove one",
                       source->name);
    else if (source->api_key_file != NULL)
        check_file(load, source,
                   cJSON_GetObjectItemCaseSensitive(node, "api_key_file"));
    if (source->api_key_env != NULL)
        check_variable(load, source,
                       cJSON_GetObjectItemCaseSensitive(node, "api_key_env"));
}
