/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_OPTIONS_H
#define UNS_SHIM_OPTIONS_H

/* options - the table of libcurl's options, indexed by number without type. */

#include "abi.h"

/* uns_options[id % 10000]; an id of 0 marks a number that no option has. */
extern const struct uns_option uns_options[UNS_OPT_SLOTS];

/* The row of `id`, or NULL when the table does not know it. */
static inline const struct uns_option *uns_option_find(CURLoption id)
{
    unsigned slot = (unsigned)id % 10000;

    if (!id || slot >= UNS_OPT_SLOTS || uns_options[slot].id != id)
        return NULL;
    return &uns_options[slot];
}

#endif
