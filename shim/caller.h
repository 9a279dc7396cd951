/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_CALLER_H
#define UNS_SHIM_CALLER_H

/* caller - what every exported function begins with. */

#include "real.h"
#include "slot.h"

#define UNS_EXPORT __attribute__((visibility("default")))

/* Who called an exported function. */
struct uns_caller {
    const void *addr;             /* the address that it returns to */
    const struct uns_real *bound; /* came by a stub of this libcurl's; NULL: by
                                     the function's name */
};

/* To be had once in a call, before anything else is done. */
#define UNS_CALLER() \
    uns_caller_enter(__builtin_extract_return_addr(__builtin_return_address(0)))

static inline struct uns_caller uns_caller_enter(const void *addr)
{
    struct uns_caller caller = {addr, NULL};

    if (uns_slot_entered) {
        caller.bound = uns_slot_real(uns_slot_entered);
        uns_slot_entered = 0;
    }
    return caller;
}

/* The libcurl that the caller means, when the handle does not tell.  NULL:
 * none could be found. */
static inline const struct uns_real *uns_caller_real(struct uns_caller caller)
{
    return caller.bound ? caller.bound : uns_real_find(caller.addr);
}

#endif
