/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_DL_H
#define UNS_SHIM_DL_H

/*
 * dl - the dynamic loader's functions, had so that the preload starts
 * everywhere.
 *
 * Those that it stands in front of itself cannot be linked with; they are
 * looked up in what comes after it.  The others are weak, because before glibc
 * 2.34 they lived in libdl, which a process without plugins does not have; and
 * of their oldest version, because glibc gave them a new one when it moved
 * them.
 */

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>

#if defined(__GLIBC__) && defined(__x86_64__)
#    define UNS_DL_OLDEST "GLIBC_2.2.5"
#elif defined(__GLIBC__) && defined(__aarch64__)
#    define UNS_DL_OLDEST "GLIBC_2.17"
#endif

#ifdef UNS_DL_OLDEST
#    define UNS_DL(name)                                       \
        __asm__(".symver " #name "," #name "@" UNS_DL_OLDEST); \
        extern __typeof__(name) name __attribute__((weak))
#else
#    define UNS_DL(name) extern __typeof__(name) name __attribute__((weak))
#endif

UNS_DL(dlclose);
UNS_DL(dlerror);
UNS_DL(dladdr);

/* The dlopen and dlsym that a program would reach without us; NULL: there are
 * none.  Both look at the address they return to: call them from code of ours,
 * or jump. */
__typeof__(dlopen) *uns_dl_open(void);
__typeof__(dlsym) *uns_dl_sym(void);

/* All of them are there. */
static inline bool uns_dl_works(void)
{
    return uns_dl_open() && uns_dl_sym() && dlclose && dlerror && dladdr;
}

#endif
