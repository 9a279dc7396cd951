/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_CONFIG_LOAD_H
#define UNS_TESTS_CONFIG_LOAD_H

/* config_load - a config.json in a directory of its own, loaded from there, so
 * that messages begin with "config.json:LINE". */

#include "check.h"
#include "engine/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char config_dir[] = "/tmp/unstall-test-XXXXXX";

/* Group set-up and tear-down. */
static inline int config_enter(void **state)
{
    (void)state;
    return mkdtemp(config_dir) == NULL || chdir(config_dir) != 0;
}

static inline int config_leave(void **state)
{
    (void)state;
    unlink("config.json");
    unlink("key");
    return chdir("/") != 0 || rmdir(config_dir) != 0;
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* What a load said, one message a line with "error " or "warning " before it;
 * and what it gave. */
struct loaded {
    struct uns_config *config;
    enum uns_err err;
    char said[4000];
};

static inline void load_where(const struct uns_config_where *where,
                              struct loaded *loaded)
{
    struct uns_messages messages = {0};
    size_t used = 0;

    memset(loaded, 0, sizeof *loaded);
    loaded->err = uns_config_load(where, &messages, &loaded->config);
    for (size_t i = 0; i < messages.count; i++)
        used += (size_t)snprintf(loaded->said + used,
                                 sizeof loaded->said - used, "%s %s\n",
                                 messages.list[i].error ? "error" : "warning",
                                 messages.list[i].text);
    uns_messages_clear(&messages);
}

/* Literals as the environment that a program has. */
static inline char *const *as_environment(const char *const *literals)
{
    union {
        const char *const *from;
        char *const *to;
    } both = {literals};

    return both.to;
}

/* `text` NULL: no file is named.  `variables` NULL: no environment. */
static inline void load_text(const char *text, const char *const *variables,
                             struct loaded *loaded)
{
    struct uns_config_where where = {.path = text ? "config.json" : NULL,
                                     .environment = as_environment(variables)};

    if (text != NULL)
        write_file("config.json", text);
    load_where(&where, loaded);
}

static inline void unload(struct loaded *loaded)
{
    uns_config_free(loaded->config);
    loaded->config = NULL;
}

static inline const struct uns_policy *policy_at(const struct loaded *loaded,
                                                 const char *address)
{
    struct uns_url url;

    assert_non_null(loaded->config);
    assert_true(uns_url_split(address, strlen(address), &url));
    return uns_config_policy(loaded->config, &url);
}

#endif
