/* SPDX-License-Identifier: MIT */

/*
 * objects - looks at what is mapped.  Inside dl_iterate_phdr the loader holds
 * a lock that dlopen takes second, so no callback here calls the loader: names
 * are copied out one at a time.
 */

#include "objects.h"

#include <stddef.h>
#include <string.h>

struct range_query {
    const void *addr; /* NULL: the first object, which is the main program */
    struct uns_object object;
};

static struct uns_object extent_of(const struct dl_phdr_info *info)
{
    struct uns_object object = {UINTPTR_MAX, 0};

    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;

        if (segment->p_type != PT_LOAD)
            continue;
        if (start < object.start)
            object.start = start;
        if (start + segment->p_memsz > object.end)
            object.end = start + segment->p_memsz;
    }
    return object;
}

static int match_range(struct dl_phdr_info *info, size_t size, void *data)
{
    struct range_query *query = data;

    (void)size;
    query->object = extent_of(info);
    return !query->addr || uns_object_has(&query->object, query->addr);
}

bool uns_object_at(const void *addr, struct uns_object *ret_object)
{
    struct range_query query = {
        addr, {0, 0}
    };

    if (!addr || !dl_iterate_phdr(match_range, &query))
        return false;
    *ret_object = query.object;
    return true;
}

bool uns_object_main(struct uns_object *ret_object)
{
    struct range_query query = {
        NULL, {0, 0}
    };

    if (!dl_iterate_phdr(match_range, &query))
        return false;
    *ret_object = query.object;
    return true;
}

bool uns_object_is_ours(const void *addr)
{
    static const char anchor;
    Dl_info ours, theirs;

    return dladdr(&anchor, &ours) && dladdr(addr, &theirs) &&
           ours.dli_fbase == theirs.dli_fbase;
}

/* The loader knows objects by the very string that dladdr reports; only for
 * the main program it makes one up, which leads nowhere. */
void *uns_object_open(const void *addr)
{
    Dl_info info;

    if (!dladdr(addr, &info) || !info.dli_fname || !strchr(info.dli_fname, '/'))
        return NULL;
    return uns_dl_open()(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

struct name_query {
    unsigned left;
    char *name;
};

static int match_name(struct dl_phdr_info *info, size_t size, void *data)
{
    struct name_query *query = data;
    size_t len = info->dlpi_name ? strlen(info->dlpi_name) : 0;

    (void)size;
    if (len == 0 || len >= UNS_OBJECT_NAME || query->left-- > 0)
        return 0;
    memcpy(query->name, info->dlpi_name, len + 1);
    return 1;
}

bool uns_object_name(unsigned index, char ret_name[UNS_OBJECT_NAME])
{
    struct name_query query = {index, ret_name};

    return dl_iterate_phdr(match_name, &query) != 0;
}

void uns_dlerror_save(struct uns_dlerror *ret_pending)
{
    const char *text = dlerror();
    size_t len = text ? strlen(text) : 0;

    if (len >= sizeof(ret_pending->text))
        len = sizeof(ret_pending->text) - 1;
    if (len)
        memcpy(ret_pending->text, text, len);
    ret_pending->text[len] = '\0';
}

/* An error can only be set by failing again: no object has a symbol with such
 * a name, and the message quotes it. */
void uns_dlerror_restore(const struct uns_dlerror *pending)
{
    (void)dlerror();
    if (pending->text[0])
        (void)uns_dl_sym()(RTLD_NEXT, pending->text);
}
