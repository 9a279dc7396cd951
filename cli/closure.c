/* SPDX-License-Identifier: MIT */
/*
 * closure - a queue that is its own result: each library's needs are appended,
 * unless the same file is there already.
 */
#include "closure.h"

#include "ldcache.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARIES 1024 /* more than any program has */
#define CACHE     "/etc/ld.so.cache"

/* What $LIB stands for, and where libraries are without being named. */
static const char *const lib_dirs[] = {
#ifdef __x86_64__
    "lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
    "lib/aarch64-linux-gnu",
#endif
    "lib64", "lib"};

#define LIB_DIRS (sizeof lib_dirs / sizeof *lib_dirs)

/* A library that is being looked for. */
struct search {
    struct uns_closure *closure;
    size_t by;
    const char *name;
    char path[PATH_MAX]; /* where it was found, */
    struct uns_image image;
};

static bool fits(const struct uns_closure *closure, const struct uns_elf *elf)
{
    const struct uns_elf *first = &closure->list[0].image.elf;

    return elf->wide == first->wide && elf->big == first->big &&
           elf->machine == first->machine;
}

static bool try_file(struct search *search, const char *path)
{
    enum uns_err err;

    if (strlen(path) >= sizeof search->path)
        return false;
    err = uns_image_open(path, &search->image);
    if (err == UNS_OK && fits(search->closure, &search->image.elf)) {
        memcpy(search->path, path, strlen(path) + 1);
        return true;
    }
    uns_image_close(&search->image);
    return false;
}

/* The length of the variable that `text` begins with, $NAME or ${NAME}; 0: it
 * does not. */
static size_t variable(const char *text, const char *name)
{
    size_t len = strlen(name);

    if (text[0] == '$' && strncmp(text + 1, name, len) == 0)
        return len + 1;
    if (strncmp(text, "${", 2) == 0 && strncmp(text + 2, name, len) == 0 &&
        text[len + 2] == '}')
        return len + 3;
    return 0;
}

/* What stands at `text`: a variable's value, or a character.  Returns how
 * long it is in `text`. */
static size_t piece(const char *text, const char *origin, const char *lib,
                    struct uns_slice *ret_value)
{
    size_t skip = variable(text, "ORIGIN");
    const char *value = origin;

    if (skip == 0) {
        skip = variable(text, "LIB");
        value = lib;
    }
    *ret_value = (struct uns_slice){value, strlen(value)};
    if (skip == 0)
        *ret_value = (struct uns_slice){text, 1};
    return skip ? skip : 1;
}

/* One directory of a list, which ends at a colon.  False: too long. */
static bool expand(char out[PATH_MAX], const char *dir, const char *origin,
                   const char *lib)
{
    struct uns_slice value;
    size_t used = 0;

    while (*dir != '\0' && *dir != ':') {
        dir += piece(dir, origin, lib, &value);
        if (used + value.len >= PATH_MAX)
            return false;
        memcpy(out + used, value.data, value.len);
        used += value.len;
    }
    out[used] = '\0';
    return true;
}

static bool try_directory(struct search *search, const char *dir,
                          const char *origin)
{
    char expanded[PATH_MAX];
    char path[PATH_MAX + NAME_MAX + 2];

    for (size_t i = 0; i < LIB_DIRS; i++) {
        if (!expand(expanded, dir, origin, lib_dirs[i]))
            return false;
        snprintf(path, sizeof path, "%s/%.255s", *expanded ? expanded : ".",
                 search->name);
        if (try_file(search, path))
            return true;
    }
    return false;
}

/* `list` was said by the library `of`; NULL: not said. */
static bool try_list(struct search *search, const char *list, size_t of)
{
    char origin[PATH_MAX];
    char *slash;

    if (list == NULL ||
        realpath(search->closure->list[of].path, origin) == NULL)
        return false;
    slash = strrchr(origin, '/');
    *slash = '\0';
    while (*list != '\0') {
        if (try_directory(search, list, origin))
            return true;
        list += strcspn(list, ":");
        list += *list == ':';
    }
    return false;
}

static const char *dynamic(const struct search *search, size_t of, int64_t tag)
{
    return uns_elf_dynamic(&search->closure->list[of].image.elf, (uint64_t)tag,
                           0);
}

/* RPATH is inherited from whoever asked, and counts for nothing in a file that
 * has a RUNPATH. */
static bool try_rpath(struct search *search)
{
    size_t of = search->by;

    if (dynamic(search, of, DT_RUNPATH) != NULL)
        return false;
    for (;; of = search->closure->list[of].by) {
        if (dynamic(search, of, DT_RUNPATH) == NULL &&
            try_list(search, dynamic(search, of, DT_RPATH), of))
            return true;
        if (of == 0)
            return false;
    }
}

static bool try_cache(struct search *search)
{
    struct uns_ldcache_entry entry;

    for (size_t at = 0;
         uns_ldcache_next(search->closure->cache.file, &at, &entry);)
        if (strcmp(entry.name, search->name) == 0 &&
            try_file(search, entry.path))
            return true;
    return false;
}

static bool try_defaults(struct search *search)
{
    static const char *const roots[] = {"/$LIB", "/usr/$LIB", "/usr/local/lib"};

    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (try_directory(search, roots[i], ""))
            return true;
    return false;
}

static bool find(struct search *search)
{
    if (strchr(search->name, '/') != NULL)
        return try_file(search, search->name);
    return try_rpath(search) ||
           try_list(search, search->closure->library_path, 0) ||
           try_list(search, dynamic(search, search->by, DT_RUNPATH),
                    search->by) ||
           try_cache(search) || try_defaults(search);
}

static bool is_there(const struct uns_closure *closure, const char *name)
{
    for (size_t i = 1; i < closure->count; i++)
        if (strcmp(closure->list[i].name, name) == 0)
            return true;
    return false;
}

static bool is_same_file(const struct uns_closure *closure,
                         const struct stat *st)
{
    for (size_t i = 0; i < closure->count; i++)
        if (closure->list[i].path != NULL &&
            closure->list[i].image.st.st_dev == st->st_dev &&
            closure->list[i].image.st.st_ino == st->st_ino)
            return true;
    return false;
}

/* Takes the image over. */
static enum uns_err append(struct uns_closure *closure, const char *name,
                           const char *path, struct uns_image *image)
{
    struct uns_library *at = &closure->list[closure->count];

    *at = (struct uns_library){.name = strdup(name),
                               .path = path ? strdup(path) : NULL,
                               .image = *image};
    closure->count++;
    if (at->name == NULL || (path != NULL && at->path == NULL))
        return UNS_NOMEM;
    return UNS_OK;
}

static enum uns_err add_need(struct uns_closure *closure, size_t by,
                             const char *name)
{
    struct search search = {.closure = closure, .by = by, .name = name};
    bool found;
    enum uns_err err;

    if (closure->count == LIBRARIES || is_there(closure, name))
        return UNS_OK;
    found = find(&search);
    if (found && is_same_file(closure, &search.image.st)) {
        uns_image_close(&search.image);
        return UNS_OK;
    }
    err = append(closure, name, found ? search.path : NULL, &search.image);
    closure->list[closure->count - 1].by = by;
    return err;
}

static enum uns_err add_needs(struct uns_closure *closure, size_t by)
{
    enum uns_err err = UNS_OK;

    for (unsigned i = 0; err == UNS_OK; i++) {
        const char *name =
            uns_elf_dynamic(&closure->list[by].image.elf, DT_NEEDED, i);

        if (name == NULL)
            break;
        err = add_need(closure, by, name);
    }
    return err;
}

enum uns_err uns_closure_open(struct uns_closure *closure, const char *path,
                              const char *library_path)
{
    struct uns_image image;
    enum uns_err err;

    *closure = (struct uns_closure){.library_path = library_path};
    closure->list = calloc(LIBRARIES, sizeof *closure->list);
    if (closure->list == NULL)
        return UNS_NOMEM;
    err = uns_image_open(path, &image);
    if (append(closure, path, path, &image) != UNS_OK)
        return UNS_NOMEM;
    if (err != UNS_OK)
        return err;
    /* Without it the default directories are left. */
    if (uns_image_open(CACHE, &closure->cache) == UNS_IO)
        closure->cache.file.len = 0;
    for (size_t i = 0; err == UNS_OK && i < closure->count; i++)
        err = add_needs(closure, i);
    return err;
}

void uns_closure_close(struct uns_closure *closure)
{
    if (closure == NULL)
        return;
    for (size_t i = 0; i < closure->count; i++) {
        free(closure->list[i].name);
        free(closure->list[i].path);
        uns_image_close(&closure->list[i].image);
    }
    free(closure->list);
    uns_image_close(&closure->cache);
    *closure = (struct uns_closure){0};
}

size_t uns_closure_libcurl(const struct uns_closure *closure, size_t from)
{
    for (size_t i = from > 0 ? from : 1; i < closure->count; i++)
        if (uns_image_is_libcurl(closure->list[i].name))
            return i;
    return 0;
}
