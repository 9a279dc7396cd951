/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_CONFIG_H
#define UNS_ENGINE_CONFIG_H

/*
 * config - reads the settings: a JSON file with comments, overridden by the
 * environment (UNSTALL__HEDGE__AFTER_S=3), and says where each value came
 * from.  Every fault is a message that names file, line, key and remedy.
 */

#include "core/arm.h"
#include "core/config.h"

/* Where to look.  NULL members take the documented default. */
struct uns_config_where {
    const char *path;              /* --config; else $UNSTALL_CONFIG, else
                                      $XDG_CONFIG_HOME/unstall/config.json, else
                                      /etc/unstall/config.json */
    char *const *environment;      /* NULL: none is read */
    const struct uns_pair *labels; /* variable -> what messages call it */
    size_t label_count;
};

struct uns_config; /* immutable once loaded; safe to share between threads */

/* Messages of a load, in order.  Owned by the list. */
struct uns_messages {
    struct uns_message {
        bool error; /* else a warning */
        char *text; /* "config.json:12: hedge.stall_after_s ...: remedy" */
    } * list;

    size_t count;
};

/* Load and check.  CONFIG: messages has at least one error.  NOMEM: it has
 * none, since they might be wrong.  *ret_config is untouched by both.  Without
 * any file the defaults (and the environment) hold. */
UNS_MUST_USE enum uns_err uns_config_load(const struct uns_config_where *where,
                                          struct uns_messages *messages,
                                          struct uns_config **ret_config);

void uns_config_free(struct uns_config *config);
void uns_messages_clear(struct uns_messages *messages);

/* Add a message, once.  False: there is no memory for it. */
bool uns_messages_add(struct uns_messages *messages, bool error,
                      const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The policy for a call to `url`: the first route that matches, else the top
 * level.  NULL: a route excludes it.  Borrowed until free. */
const struct uns_policy *uns_config_policy(const struct uns_config *config,
                                           const struct uns_url *url);

/* The policy of the calls that no route matches.  Borrowed until free. */
const struct uns_policy *uns_config_top(const struct uns_config *config);

/* The sources by name, "self" first; *ret_count of them. */
const struct uns_source *uns_config_sources(const struct uns_config *config,
                                            size_t *ret_count);

/* May calls be sent to it: does a policy that hedges or shadows name it? */
bool uns_config_uses(const struct uns_config *config,
                     const struct uns_source *source);

/* The system's file, read when the user has none. */
#define UNS_CONFIG_SYSTEM "/etc/unstall/config.json"

/* The file that was read; NULL: there is none.  *ret_usual: where the user's
 * own would be, had none been named; NULL: nowhere (HOME is not set). */
const char *uns_config_path(const struct uns_config *config,
                            const char **ret_usual);

/* Did somebody say that setting, at the top or in a route?  False: its default
 * holds everywhere. */
bool uns_config_said(const struct uns_config *config, const char *key);

/* Does it hold for any policy: the top's, or that of a route that excludes
 * nothing? */
bool uns_config_any(const struct uns_config *config,
                    bool (*holds)(const struct uns_policy *policy));

/* UNSTALL_MATCH for these routes (malloc'd; "" when they add nothing), NULL:
 * no memory. */
char *uns_config_match(const struct uns_config *config);

/* Everything that holds, as a JSON array of {"key", "value", "origin"}
 * (malloc'd); NULL: no memory. */
char *uns_config_dump(const struct uns_config *config);

/* The experiment that calls are divided by; NULL: there is none. */
const struct uns_experiment *
uns_config_experiment(const struct uns_config *config);

/* The database file, or NULL when no place could be told. */
const char *uns_config_store_path(const struct uns_config *config);
bool uns_config_store_timeline(const struct uns_config *config);

/* Calls are kept for so many days; UNS_NULL: for ever. */
int64_t uns_config_store_retain_days(const struct uns_config *config);

#endif
