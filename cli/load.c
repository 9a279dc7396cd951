/* SPDX-License-Identifier: MIT */
/* load - from a command's options to its configuration and database. */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void uns_cli_messages(const struct uns_messages *messages, bool warnings)
{
    for (size_t i = 0; i < messages->count; i++) {
        const struct uns_message *message = &messages->list[i];

        if (message->error || warnings)
            fprintf(stderr, "unstall: %s: %s\n",
                    message->error ? "error" : "warning", message->text);
    }
}

struct uns_config *uns_cli_config(const struct uns_common *common)
{
    struct uns_config_where where = {.path = common->config,
                                     .environment = environ};
    struct uns_messages messages = {0};
    struct uns_config *config = NULL;
    enum uns_err err = uns_config_load(&where, &messages, &config);

    uns_cli_messages(&messages, false);
    uns_messages_clear(&messages);
    if (err == UNS_NOMEM)
        fprintf(stderr, "unstall: %s\n", uns_err_str(err));
    return config;
}

char *uns_cli_store_path(const struct uns_common *common)
{
    struct uns_config *config;
    const char *path;
    char *copy;

    if (common->db != NULL)
        return strdup(common->db);
    config = uns_cli_config(common);
    if (config == NULL)
        return NULL;
    path = uns_config_store_path(config);
    copy = path ? strdup(path) : NULL;
    if (copy == NULL)
        fputs("unstall: no place for the database: set HOME, or name one with "
              "--db\n",
              stderr);
    uns_config_free(config);
    return copy;
}
