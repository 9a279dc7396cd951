/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as the settings' file, and behind a NUL as variables of the
 * environment: a configuration that answers every question, or one error at
 * least that says what is wrong with it.
 */
#include "engine/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define VARIABLES 8

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

/* A file of the memory, written anew each time. */
static const char *file_of(const char *text, size_t size)
{
    static char path[40];
    static int fd = -1;

    if (fd < 0)
        fd = memfd_create("config", 0);
    must(fd >= 0 && ftruncate(fd, 0) == 0);
    must(pwrite(fd, text, size, 0) == (ssize_t)size);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    return path;
}

/* Texts between NULs; the last one ends with the copy's own. */
static void split(char *text, size_t size, char **ret_variables)
{
    size_t count = 0, at = 0;

    while (at < size && count < VARIABLES) {
        ret_variables[count++] = text + at;
        at += strlen(text + at) + 1;
    }
    ret_variables[count] = NULL;
}

static void ask(const struct uns_config *config)
{
    static const char *const urls[] = {
        "https://api.openai.com/v1/chat/completions",
        "http://127.0.0.1:8080/v1/messages",
        "https://h/api/chat",
    };
    size_t count;
    struct uns_url url;
    char *text = uns_config_dump(config);

    must(text != NULL);
    free(text);
    text = uns_config_match(config);
    must(text != NULL);
    free(text);
    for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
        must(uns_url_split(urls[i], strlen(urls[i]), &url));
        (void)uns_config_policy(config, &url);
    }
    const struct uns_source *source = uns_config_sources(config, &count);
    must(count >= 1 && source != NULL);
    for (size_t i = 0; i < count; i++)
        (void)uns_config_uses(config, &source[i]);
    (void)uns_config_experiment(config);
    (void)uns_config_store_path(config);
}

static bool any_error(const struct uns_messages *messages)
{
    bool any = false;

    for (size_t i = 0; i < messages->count; i++) {
        must(messages->list[i].text[0] != '\0');
        any |= messages->list[i].error;
    }
    return any;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *copy = calloc(1, size + 1);
    char *variables[VARIABLES + 1];
    struct uns_messages messages = {0};
    struct uns_config *config = NULL;

    must(copy != NULL);
    memcpy(copy, data, size);
    size_t file = strlen(copy);
    split(copy + file, size - file, variables);
    const struct uns_config_where where = {.path = file_of(copy, file),
                                           .environment = variables};
    enum uns_err err = uns_config_load(&where, &messages, &config);
    must((err == UNS_OK) == (config != NULL));
    must((err == UNS_OK) == !any_error(&messages));
    if (config != NULL)
        ask(config);
    uns_config_free(config);
    uns_messages_clear(&messages);
    free(copy);
    return 0;
}
