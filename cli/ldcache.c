/* SPDX-License-Identifier: MIT */
/*
 * ldcache - the format of glibc 2.2 and later (sysdeps/generic/dl-cache.h):
 * a header, entries of 24 bytes, texts; numbers in the machine's byte order,
 * offsets from the header.  Until glibc 2.32 ldconfig put an older format in
 * front of it.
 */
#include "ldcache.h"

#include <stdint.h>
#include <string.h>

static const char magic[] = "glibc-ld.so.cache1.1";

struct header {
    char magic[sizeof magic - 1];
    uint32_t count, text_bytes;
    uint32_t unused[5];
};

struct entry {
    int32_t flags;
    uint32_t name, path;
    uint32_t version;
    uint64_t hwcap;
};

/* What begins with the header. */
static struct uns_slice without_older(struct uns_slice file)
{
    const char *found = memmem(file.data, file.len, magic, sizeof magic - 1);
    size_t skipped = found ? (size_t)(found - file.data) : file.len;

    return (struct uns_slice){file.data + skipped, file.len - skipped};
}

static const char *text_at(struct uns_slice file, uint32_t at)
{
    if (at >= file.len || !memchr(file.data + at, '\0', file.len - at))
        return NULL;
    return file.data + at;
}

bool uns_ldcache_next(struct uns_slice file, size_t *at,
                      struct uns_ldcache_entry *ret_entry)
{
    struct uns_slice table = {NULL, 0};
    struct header header;
    struct entry entry;

    if (file.len >= sizeof header)
        table = without_older(file);
    if (table.len < sizeof header)
        return false;
    memcpy(&header, table.data, sizeof header);
    while (*at < header.count &&
           *at < (table.len - sizeof header) / sizeof entry) {
        memcpy(&entry, table.data + sizeof header + *at * sizeof entry,
               sizeof entry);
        ++*at;
        ret_entry->name = text_at(table, entry.name);
        ret_entry->path = text_at(table, entry.path);
        if (ret_entry->name != NULL && ret_entry->path != NULL)
            return true;
    }
    return false;
}
