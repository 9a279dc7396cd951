/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_REAL_H
#define UNS_SHIM_REAL_H

/*
 * real - finds the libcurl that a caller means.  A process may have several:
 * two flavours, or one that only a plugin sees.  Each gets one table of its
 * functions, made at first sight, kept for ever, and pinned in memory.
 */

#include "abi.h"

/* `addr` lies in this libcurl: it is calling itself through its PLT. */
static inline bool uns_real_inside(const struct uns_real *real,
                                   const void *addr)
{
    return (uintptr_t)addr - real->start < real->end - real->start;
}

/* The libcurl that code at `caller` is bound to; NULL: none could be found.
 * For calls that bring no known handle: a handle's own libcurl (app->real)
 * comes first, since tail calls and libffi hide the true caller.  Leaves
 * errno, and dlerror() but for the wording of an error that is pending. */
const struct uns_real *uns_real_find(const void *caller);

/* The libcurl that the function at `code`, found by its name, belongs to;
 * NULL: it cannot be had.  May change dlerror(). */
const struct uns_real *uns_real_at(const void *code);

#endif
