/* SPDX-License-Identifier: MIT */
/* config - `unstall config check` and `unstall config show`. */
#include "load.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COLUMN 28 /* of a key, and of a value */

struct options {
    struct uns_common common;
};

static const struct uns_usage usage = {
    .command = "config",
    .operands = "check|show [options]",
    .about = "check tells every mistake in the configuration and what to do "
             "about it; its exit code is 0 when there is none, else 2. show "
             "prints every setting that holds and where it was said. The file "
             "is $UNSTALL_CONFIG, else $XDG_CONFIG_HOME/unstall/config.json, "
             "else /etc/unstall/config.json; UNSTALL__HEDGE__AFTER_S=3 in the "
             "environment overrides hedge.after_s.",
};

static void print_json(const struct uns_messages *messages)
{
    cJSON *list = cJSON_CreateArray();
    char *text;

    for (size_t i = 0; i < messages->count; i++) {
        cJSON *row = cJSON_CreateObject();

        cJSON_AddStringToObject(row, "level",
                                messages->list[i].error ? "error" : "warning");
        cJSON_AddStringToObject(row, "message", messages->list[i].text);
        cJSON_AddItemToArray(list, row);
    }
    text = cJSON_Print(list);
    if (text != NULL)
        puts(text);
    free(text);
    cJSON_Delete(list);
}

static void print_file(const struct uns_config *config)
{
    const char *usual;
    const char *path = uns_config_path(config, &usual);

    if (path != NULL)
        printf("file: %s\n", path);
    else if (usual != NULL)
        printf("no file: neither %s nor " UNS_CONFIG_SYSTEM " is there\n",
               usual);
    else
        puts("no file: HOME is not set, and " UNS_CONFIG_SYSTEM " is not "
             "there");
}

static int check(const struct options *options)
{
    struct uns_config_where where = {.path = options->common.config,
                                     .environment = environ};
    struct uns_messages messages = {0};
    struct uns_config *config = NULL;
    enum uns_err err = uns_config_load(&where, &messages, &config);

    if (options->common.json) {
        print_json(&messages);
    } else {
        uns_cli_messages(&messages, true);
        if (err == UNS_OK) {
            print_file(config);
            puts(messages.count ? "no errors" : "no errors, no warnings");
        }
    }
    uns_messages_clear(&messages);
    uns_config_free(config);
    return err == UNS_OK ? UNS_EXIT_OK : UNS_EXIT_USAGE;
}

static const char *text_of(const cJSON *row, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(row, name));
}

/* Behind a value that is too long the origin has a line of its own. */
static void print_row(const cJSON *row)
{
    char *text =
        cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(row, "value"));
    const char *value = text ? text : "?";

    printf("%-*s %-*s", COLUMN, text_of(row, "key"), COLUMN, value);
    if (strlen(value) > COLUMN)
        printf("\n%*s", 2 * COLUMN + 1, "");
    printf(" %s\n", text_of(row, "origin"));
    free(text);
}

static int show(const struct options *options)
{
    struct uns_config *config = uns_cli_config(&options->common);
    char *text;
    cJSON *list;
    const cJSON *row;

    if (config == NULL)
        return UNS_EXIT_USAGE;
    text = uns_config_dump(config);
    list = text ? cJSON_Parse(text) : NULL;
    if (options->common.json && text != NULL)
        puts(text);
    else
        cJSON_ArrayForEach(row, list)
        {
            print_row(row);
        }
    cJSON_Delete(list);
    free(text);
    uns_config_free(config);
    return list ? UNS_EXIT_OK : UNS_EXIT_FAILED;
}

int uns_cmd_config(int argc, char **argv)
{
    struct options options = {0};
    int code;
    int count = uns_args_parse(&usage, argc, argv, &options, &code);

    if (count < 0)
        return code;
    if (count == 1 && strcmp(argv[1], "check") == 0)
        return check(&options);
    if (count == 1 && strcmp(argv[1], "show") == 0)
        return show(&options);
    return uns_args_fail("config", "say check or show");
}
