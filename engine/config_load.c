/* SPDX-License-Identifier: MIT */
/* config_load - what all parts of a load need: memory, messages, variables. */
#include "config_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *uns_load_alloc(struct uns_load *load, size_t count, size_t size)
{
    struct uns_block *block = NULL;

    if (size == 0 || count < SIZE_MAX / 2 / size)
        block = calloc(1, sizeof *block + count * size);
    if (block == NULL) {
        load->no_memory = true;
        return NULL;
    }
    block->next = load->config->blocks;
    load->config->blocks = block;
    return block->bytes;
}

char *uns_load_print(struct uns_load *load, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    int len;

    va_start(args, format);
    len = vasprintf(&text, format, args);
    va_end(args);
    if (len >= 0)
        return text;
    load->no_memory = true;
    return NULL;
}

const char *uns_load_getenv(const struct uns_load *load, const char *name)
{
    char *const *entry = load->where->environment;
    size_t len = strlen(name);

    for (; entry != NULL && *entry != NULL; entry++)
        if (strncmp(*entry, name, len) == 0 && (*entry)[len] == '=')
            return *entry + len + 1;
    return NULL;
}

/* Owns the text. */
static bool add(struct uns_messages *messages, bool error, char *text)
{
    struct uns_message *grown;

    /* Routes repeat what holds at the top: once is enough. */
    for (size_t i = 0; i < messages->count; i++) {
        if (strcmp(messages->list[i].text, text) != 0)
            continue;
        free(text);
        return true;
    }
    grown = realloc(messages->list, (messages->count + 1) * sizeof *grown);
    if (grown == NULL) {
        free(text);
        return false;
    }
    grown[messages->count++] = (struct uns_message){error, text};
    messages->list = grown;
    return true;
}

bool uns_messages_add(struct uns_messages *messages, bool error,
                      const char *format, ...)
{
    va_list args;
    char *text = NULL;
    int len;

    va_start(args, format);
    len = vasprintf(&text, format, args);
    va_end(args);
    return len >= 0 && add(messages, error, text);
}

void uns_messages_clear(struct uns_messages *messages)
{
    for (size_t i = 0; i < messages->count; i++)
        free(messages->list[i].text);
    free(messages->list);
    *messages = (struct uns_messages){0};
}

void uns_config_origin(const struct uns_config *config, const cJSON *node,
                       struct uns_room out)
{
    int place = node ? node->valueint : 0;

    if (place > 0)
        snprintf(out.data, out.size, "%s:%d", config->path, place);
    else if (place < 0)
        snprintf(out.data, out.size, "%s", config->labels[-1 - place]);
    else
        snprintf(out.data, out.size, "default");
}

__attribute__((format(printf, 4, 0))) static void
tell(struct uns_load *load, bool error, const cJSON *node, const char *format,
     va_list args)
{
    char origin[512];
    char *text = NULL;

    uns_config_origin(load->config, node,
                      (struct uns_room){origin, sizeof origin});
    if (vasprintf(&text, format, args) < 0)
        text = NULL; /* else it may be anything */
    if (text == NULL ||
        !uns_messages_add(load->messages, error, "%s: %s", origin, text))
        load->no_memory = true;
    free(text);
}

void uns_load_error(struct uns_load *load, const cJSON *node,
                    const char *format, ...)
{
    va_list args;

    va_start(args, format);
    tell(load, true, node, format, args);
    va_end(args);
}

void uns_load_warn(struct uns_load *load, const cJSON *node, const char *format,
                   ...)
{
    va_list args;

    va_start(args, format);
    tell(load, false, node, format, args);
    va_end(args);
}

void uns_load_unknown(struct uns_load *load, const cJSON *node, const char *key,
                      const char *near)
{
    if (near != NULL)
        uns_load_error(load, node, "no setting is called %s; did you mean %s?",
                       key, near);
    else
        uns_load_error(load, node,
                       "no setting is called %s: remove it, or see "
                       "`unstall config show` for those that exist",
                       key);
}
