/* SPDX-License-Identifier: MIT */

/*
 * real - the tables of real functions.  Asked in this order: the libcurls that
 * are known (is the caller one of them?), the main program, the caller's own
 * module, the next object in the global scope, the only object that defines
 * the name.  The main program's answer is kept, since it is never unloaded; a
 * plugin's is not, because another may be mapped over its addresses.
 */

#include "real.h"

#include "dl.h"
#include "objects.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Every libcurl has it, and who calls anything of libcurl's calls this. */
#define PROBE "curl_easy_init"

struct libcurl {
    struct uns_real real;
    struct libcurl *next;
};

static _Atomic(struct libcurl *) libcurls;

/* For when there is no memory: without a table not even the real function
 * could be called.  Programs have one libcurl, or two. */
static struct libcurl spare[2];
static _Atomic unsigned spares_used;

#define SPARES (sizeof(spare) / sizeof(spare[0]))

static struct {
    _Atomic(const struct uns_real *) real;
    struct uns_object object; /* valid once `real` is set */
    _Atomic bool claimed;
} main_program;

static const struct row {
    const char *name;
    size_t offset;
    bool needed;
} rows[] = {

#define REAL(name) {#name, offsetof(struct uns_real, name), false},
#define NEED(name) {#name, offsetof(struct uns_real, name), true},
#include "real.def"
#undef NEED
#undef REAL
};

enum {
    ROWS = sizeof(rows) / sizeof(rows[0])
};

static const struct uns_real *find_in(const struct libcurl *lib,
                                      const void *addr)
{
    for (; lib; lib = lib->next)
        if (uns_real_inside(&lib->real, addr))
            return &lib->real;
    return NULL;
}

static const struct uns_real *known(const void *addr)
{
    return find_in(atomic_load_explicit(&libcurls, memory_order_acquire), addr);
}

/* Where the table keeps the function of one row. */
static void **place_of(struct uns_real *real, const struct row *row)
{
    return (void **)(void *)((char *)real + row->offset);
}

static void fill(struct uns_real *real, void *handle)
{
    for (size_t i = 0; i < ROWS; i++)
        *place_of(real, &rows[i]) = uns_dl_sym()(handle, rows[i].name);
}

static bool is_complete(struct uns_real *real)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].needed && !*place_of(real, &rows[i]))
            return false;
    return true;
}

/* In the global scope another preload may come between us and libcurl, with
 * some of its functions: programs would reach those first, and still do.  One
 * that has the probe is taken for a libcurl, and lacks most. */
static void defer_to_next(struct uns_real *real)
{
    bool complete = is_complete(real);

    for (size_t i = 0; i < ROWS; i++) {
        void **place = place_of(real, &rows[i]);
        void *next = uns_dl_sym()(RTLD_NEXT, rows[i].name);

        if (next && (*place || !complete))
            *place = next;
    }
}

static struct libcurl *new_libcurl(void)
{
    struct libcurl *lib = calloc(1, sizeof(*lib));
    unsigned used;

    if (lib || atomic_load(&spares_used) >= SPARES)
        return lib;
    used = atomic_fetch_add(&spares_used, 1);
    return used < SPARES ? &spare[used] : NULL;
}

/* A spare one stays used. */
static void free_libcurl(struct libcurl *lib)
{
    for (size_t i = 0; i < SPARES; i++)
        if (lib == &spare[i])
            return;
    free(lib);
}

/* Make the table of the libcurl that `probe` lies in.  The handle stays open:
 * handles of the application's outlive the plugin that brought libcurl. */
static struct libcurl *open_libcurl(const void *probe)
{
    struct libcurl *lib = new_libcurl();
    struct uns_object object;
    void *handle = NULL;

    if (!lib || !uns_object_at(probe, &object))
        goto fail;
    handle = uns_object_open(probe);
    if (!handle)
        goto fail;
    fill(&lib->real, handle);
    if (probe == uns_dl_sym()(RTLD_NEXT, PROBE))
        defer_to_next(&lib->real);
    lib->real.complete = is_complete(&lib->real);
    lib->real.start = object.start;
    lib->real.end = object.end;
    return lib;
fail:
    free_libcurl(lib);
    return NULL;
}

/* Two threads may make it at once: the one that is late drops its own. */
const struct uns_real *uns_real_at(const void *code)
{
    const struct uns_real *real = known(code);
    struct libcurl *lib = real ? NULL : open_libcurl(code);

    if (!lib)
        return real;
    lib->next = atomic_load_explicit(&libcurls, memory_order_acquire);
    while (!real) {
        real = find_in(lib->next, code);
        if (!real && atomic_compare_exchange_weak(&libcurls, &lib->next, lib))
            return &lib->real;
    }
    free_libcurl(lib);
    return real;
}

static const void *probe_of_module(const void *caller)
{
    void *handle = uns_object_open(caller);
    void *found = handle ? uns_dl_sym()(handle, PROBE) : NULL;

    if (handle)
        dlclose(handle);
    return found;
}

/* The only object that defines the probe: libffi, or code made at run time,
 * belongs to no module that would lead to libcurl. */
static const void *probe_of_only(void)
{
    char name[UNS_OBJECT_NAME];
    const void *only = NULL;

    for (unsigned i = 0; uns_object_name(i, name); i++) {
        void *handle = uns_dl_open()(name, RTLD_LAZY | RTLD_NOLOAD);
        const void *found = handle ? uns_dl_sym()(handle, PROBE) : NULL;

        if (handle)
            dlclose(handle);
        if (!found || found == only || uns_object_is_ours(found))
            continue;
        if (only)
            return NULL;
        only = found;
    }
    return only;
}

static const struct uns_real *search(const void *caller, bool is_main)
{
    const void *found = is_main ? NULL : probe_of_module(caller);

    if (!found || uns_object_is_ours(found))
        found = uns_dl_sym()(RTLD_NEXT, PROBE);
    if (!found)
        found = probe_of_only();
    return found ? uns_real_at(found) : NULL;
}

static void keep_for_main(const struct uns_real *real,
                          const struct uns_object *object)
{
    if (!real || atomic_exchange(&main_program.claimed, true))
        return;
    main_program.object = *object;
    atomic_store_explicit(&main_program.real, real, memory_order_release);
}

static const struct uns_real *look_up(const void *caller)
{
    struct uns_object object;
    bool is_main = uns_object_main(&object) && uns_object_has(&object, caller);
    const struct uns_real *real;
    struct uns_dlerror pending;

    uns_dlerror_save(&pending);
    real = search(caller, is_main);
    uns_dlerror_restore(&pending);
    if (is_main)
        keep_for_main(real, &object);
    return real;
}

const struct uns_real *uns_real_find(const void *caller)
{
    const struct uns_real *real = known(caller);
    int saved_errno = errno;

    if (real)
        return real;
    real = atomic_load_explicit(&main_program.real, memory_order_acquire);
    if (real && uns_object_has(&main_program.object, caller))
        return real;
    if (!uns_dl_works())
        return NULL;
    real = look_up(caller);
    errno = saved_errno;
    return real;
}
