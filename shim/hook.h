/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_HOOK_H
#define UNS_SHIM_HOOK_H

/*
 * hook - what becomes of a call to dlsym or dlopen (entry.S makes it so).
 * Most are the real function's; some get another argument, or an answer.
 */

#include <stdint.h>

/* Returned in two registers. */
struct uns_hook_step {
    void *go_on;     /* the real function; NULL: `value` is the answer */
    uintptr_t value; /* else its second argument */
};

/* A program that looks for a function of libcurl in a handle gets ours, bound
 * to the libcurl it would have got.  RTLD_DEFAULT and RTLD_NEXT mean what they
 * meant, but find nothing where nothing but the preload has it.  Leaves errno;
 * dlerror() is what the real function would leave. */
struct uns_hook_step uns_hook_dlsym(void *handle, const char *name,
                                    const void *caller);

/* RTLD_DEEPBIND goes for a file (a path, not a bare name) that is linked with
 * libcurl itself, since that would not see us.  UNSTALL_DEEPBIND=keep leaves
 * it. */
struct uns_hook_step uns_hook_dlopen(const char *file, uintptr_t mode);

#endif
