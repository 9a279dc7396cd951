/* SPDX-License-Identifier: MIT */
/*
 * fake_memory - see the header.  Of functions that print into memory of their
 * own, the whole function fails: what libc asks for inside is not seen.
 */
#include "fake_memory.h"

#include <cjson/cJSON.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    unsigned asked, nth;
    bool counting, all;
} memory;

static atomic_long live;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
int __real_vasprintf(char **text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
FILE *__real_open_memstream(char **text, size_t *len);
FILE *__real_fmemopen(void *text, size_t size, const char *mode);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t len);
int __wrap_vasprintf(char **text, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
int __wrap_asprintf(char **text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
FILE *__wrap_open_memstream(char **text, size_t *len);
FILE *__wrap_fmemopen(void *text, size_t size, const char *mode);

static bool fails(void)
{
    if (!memory.counting)
        return false;
    memory.asked++;
    return memory.nth && (memory.asked == memory.nth ||
                          (memory.all && memory.asked > memory.nth));
}

static void *lent(void *block)
{
    live += block != NULL;
    return block;
}

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : lent(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : lent(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    void *block;

    if (fails())
        return NULL;
    block = __real_realloc(old, size);
    live += old == NULL && block != NULL;
    return block;
}

void __wrap_free(void *old)
{
    live -= old != NULL;
    __real_free(old);
}

char *__wrap_strndup(const char *text, size_t len)
{
    size_t size = strnlen(text, len);
    char *copy = __wrap_malloc(size + 1);

    if (copy) {
        memcpy(copy, text, size);
        copy[size] = '\0';
    }
    return copy;
}

char *__wrap_strdup(const char *text)
{
    return __wrap_strndup(text, strlen(text));
}

int __wrap_vasprintf(char **text, const char *format, va_list args)
{
    int len = fails() ? -1 : __real_vasprintf(text, format, args);

    live += len >= 0;
    return len;
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list args;
    int len;

    va_start(args, format);
    len = __wrap_vasprintf(text, format, args);
    va_end(args);
    return len;
}

/* Its text is there, and to be freed, once it is closed. */
FILE *__wrap_open_memstream(char **text, size_t *len)
{
    return fails() ? NULL : lent(__real_open_memstream(text, len));
}

FILE *__wrap_fmemopen(void *text, size_t size, const char *mode)
{
    return fails() ? NULL : __real_fmemopen(text, size, mode);
}

void fake_memory_fail(unsigned n, bool all)
{
    memory.nth = n;
    memory.all = all;
    memory.asked = 0;
}

void fake_memory_count(bool on)
{
    memory.counting = on;
}

bool fake_memory_counts(void)
{
    return memory.counting;
}

unsigned fake_memory_asked(void)
{
    return memory.asked;
}

long fake_memory_live(void)
{
    return live;
}

void fake_memory_json(void)
{
    cJSON_Hooks hooks = {__wrap_malloc, __wrap_free};

    cJSON_InitHooks(&hooks);
}
