/* SPDX-License-Identifier: MIT */
/*
 * failer - memory that ends for us and for nobody else.  A preload that counts
 * the allocations which libunstall.so, its engine and the engine's cJSON ask
 * for, and fails the one numbered $FAIL_AT; with $FAIL_ALL every later one,
 * too.  At the end of the process their count is written to $FAIL_COUNT.
 * Everybody else's allocations are as they were.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static atomic_ulong asked;
static unsigned long fail_at;
static bool all, ready;

/* Callers that were looked up, by page. */
static struct {
    uintptr_t page;
    bool ours;
} known[4096];

__attribute__((constructor)) static void open_failer(void)
{
    const char *at = getenv("FAIL_AT");

    fail_at = at ? strtoul(at, NULL, 10) : 0;
    all = getenv("FAIL_ALL") != NULL;
    ready = true;
}

__attribute__((destructor)) static void close_failer(void)
{
    const char *path = getenv("FAIL_COUNT");
    char text[24];
    int fd, len;

    if (!path)
        return;
    len = snprintf(text, sizeof text, "%lu\n", atomic_load(&asked));
    fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd >= 0) {
        if (write(fd, text, (size_t)len) != len)
            _exit(99);
        close(fd);
    }
}

static bool is_ours(const void *caller)
{
    uintptr_t page = (uintptr_t)caller >> 12;
    size_t slot = page % (sizeof known / sizeof *known);
    Dl_info info;

    if (known[slot].page == page)
        return known[slot].ours;
    if (!dladdr(caller, &info) || !info.dli_fname)
        return false;
    known[slot].ours = strstr(info.dli_fname, "libunstall") != NULL ||
                       strstr(info.dli_fname, "libcjson") != NULL;
    known[slot].page = page;
    return known[slot].ours;
}

static bool fails(const void *caller)
{
    unsigned long n;

    if (!ready || !is_ours(caller))
        return false;
    n = atomic_fetch_add(&asked, 1) + 1;
    if (fail_at == 0 || n < fail_at || (n > fail_at && !all))
        return false;
    errno = ENOMEM;
    return true;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size)
{
    return fails(CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(CALLER) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(CALLER) ? NULL : __libc_realloc(old, size);
}

char *strndup(const char *text, size_t len)
{
    size_t used = strnlen(text, len);
    char *copy = fails(CALLER) ? NULL : __libc_malloc(used + 1);

    if (copy) {
        memcpy(copy, text, used);
        copy[used] = '\0';
    }
    return copy;
}

char *strdup(const char *text)
{
    size_t len = strlen(text);
    char *copy = fails(CALLER) ? NULL : __libc_malloc(len + 1);

    return copy ? memcpy(copy, text, len + 1) : NULL;
}
