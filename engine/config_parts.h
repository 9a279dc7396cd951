/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_CONFIG_PARTS_H
#define UNS_ENGINE_CONFIG_PARTS_H

/*
 * config_parts - what the parts of config share, private to them.
 *
 *   file -> tree <- environment      config_file, config_env
 *            |
 *            v
 *   levels (top, routes), sources    config_value, config_source, config_key,
 *            |                      config_route
 *            v
 *   checks across settings           config_check
 *
 * One tree of cJSON nodes holds what was said and owns all texts.  Where a
 * node comes from is kept in its `valueint`, which nothing else uses (numbers
 * are read from valuedouble): a line of the file (> 0), a variable of the
 * environment (< 0: -1 - index), or 0, a default.
 */

#include "config.h"
#include "core/setting.h"

#include <cjson/cJSON.h>

/* Memory that lives as long as the config. */
struct uns_block {
    struct uns_block *next;
    _Alignas(max_align_t) char bytes[];
};

/* The settings at the top, or within a route, and who said each. */
struct uns_level {
    struct uns_settings settings;
    const cJSON **from; /* per setting, in the table's order */
};

struct uns_route {
    const char *match;
    bool exclude;
    enum uns_dialect dialect; /* NONE: as detected */
    struct uns_level level;
};

struct uns_config {
    char *path;  /* NULL: there is no file */
    char *usual; /* where the user's own would be; NULL: nowhere, or unasked */
    cJSON *tree, *defaults;
    const char **labels; /* of the variables, by index */
    size_t label_count;
    struct uns_source *sources; /* [0] is "self" */
    size_t source_count;
    struct uns_level top;
    struct uns_route *routes;
    size_t route_count;
    char *store_path;
    struct uns_block *blocks;
};

/* A load under way. */
struct uns_load {
    const struct uns_config_where *where;
    struct uns_messages *messages;
    struct uns_config *config;
    bool no_memory; /* something is missing: nothing can be said of the rest */
};

/* Zeroed memory of the config's; NULL: none, and load->no_memory is set. */
void *uns_load_alloc(struct uns_load *load, size_t count, size_t size);

/* A text (malloc'd).  NULL: as above. */
char *uns_load_print(struct uns_load *load, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A variable of the environment that is read; NULL: it is not set. */
const char *uns_load_getenv(const struct uns_load *load, const char *name);

/* "config.json:12: text", "UNSTALL__MODE: text" */
void uns_load_error(struct uns_load *load, const cJSON *node,
                    const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void uns_load_warn(struct uns_load *load, const cJSON *node, const char *format,
                   ...) __attribute__((format(printf, 3, 4)));

/* Where a node comes from, for people. */
void uns_config_origin(const struct uns_config *config, const cJSON *node,
                       struct uns_room out);

/* Into config->tree, each with its messages.  False: nothing usable, which is
 * for want of memory if no message says why. */
bool uns_load_file(struct uns_load *load);
bool uns_load_env(struct uns_load *load);

/* Every setting's default. */
bool uns_load_defaults(struct uns_load *load);

/* One value of the tree into its place.  False: it was wrong, and told so. */
bool uns_load_value(struct uns_load *load, const struct uns_setting *setting,
                    const cJSON *node, struct uns_level *level);

/* All settings below `object`; `skip` holds words that are others' to read.
 * `known` completes what can be meant by an unknown key. */
void uns_load_level(struct uns_load *load, const cJSON *object,
                    const char *skip, struct uns_level *level);

void uns_load_sources(struct uns_load *load);

/* Is the key of the source that `node` says where it is said to be? */
void uns_load_key(struct uns_load *load, const struct uns_source *source,
                  const cJSON *node);

void uns_load_routes(struct uns_load *load);

/* The names of hedge.sources to sources. */
void uns_load_resolve(struct uns_load *load, struct uns_level *level);

/* Settings that make no sense together, or do nothing. */
void uns_load_check(struct uns_load *load, const struct uns_level *level);

/* The same for what depends on all levels: is anything hedged at all? */
void uns_load_check_whole(struct uns_load *load);

/* "key; did you mean near?" for a key that nobody knows. */
void uns_load_unknown(struct uns_load *load, const cJSON *node, const char *key,
                      const char *near);

#endif
