/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_DL_H
#define UNS_SHIM_DL_H

/*
 * dl - the dynamic loader's functions, referred to so that the preload starts
 * everywhere: weak, because before glibc 2.34 they lived in libdl, which a
 * process without plugins does not have; and by their oldest version, because
 * glibc gave them a new one when it moved them.
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

UNS_DL(dlopen);
UNS_DL(dlsym);
UNS_DL(dlclose);
UNS_DL(dlerror);
UNS_DL(dladdr);

/* All of them are there. */
static inline bool uns_dl_works(void)
{
    return dlopen && dlsym && dlclose && dlerror && dladdr;
}

#endif
