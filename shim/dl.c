/* SPDX-License-Identifier: MIT */

/*
 * dl - finds the real dlopen and dlsym.  dlvsym(RTLD_NEXT) is not in musl, and
 * programs that replace dl_iterate_phdr call dlsym from it: so the loader's
 * list of objects is read as debuggers read it.  What we look for lies in an
 * object that was there at the start and never goes; the search ends before
 * those that may be closed meanwhile.
 */

#include "dl.h"

#include "symbol.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Our own dynamic section. */
extern ElfW(Dyn) own_dynamic[] __asm__("_DYNAMIC")
    __attribute__((visibility("hidden")));

/* glibc's name for the list, and musl's.  The layouts are the same. */
extern struct r_debug glibc_list __asm__("_r_debug") __attribute__((weak));
extern struct r_debug *musl_list __asm__("_dl_debug_addr")
    __attribute__((weak));

static const struct link_map *first_object(void)
{
    const struct r_debug *list = &glibc_list;

    if (!list && &musl_list)
        list = musl_list;
    return list ? list->r_map : NULL;
}

/* The object after our own, where the search for real functions begins.  When
 * we are in a namespace of our own, we stand in front of nobody. */
static const struct link_map *next_object(void)
{
    const struct link_map *object = first_object();

    while (object && object->l_ld != own_dynamic)
        object = object->l_next;
    return object ? object->l_next : first_object();
}

static uintptr_t find(_Atomic uintptr_t *kept, const char *name)
{
    uintptr_t found = atomic_load_explicit(kept, memory_order_relaxed);
    const struct link_map *object = found ? NULL : next_object();

    for (; object && !found; object = object->l_next)
        found = uns_symbol_find(object->l_addr, object->l_ld, name);
    atomic_store_explicit(kept, found, memory_order_relaxed);
    return found;
}

__typeof__(dlopen) *uns_dl_open(void)
{
    static _Atomic uintptr_t kept;

    return (__typeof__(dlopen) *)find(&kept, "dlopen");
}

__typeof__(dlsym) *uns_dl_sym(void)
{
    static _Atomic uintptr_t kept;

    return (__typeof__(dlsym) *)find(&kept, "dlsym");
}
