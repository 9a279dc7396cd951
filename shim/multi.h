/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_MULTI_H
#define UNS_SHIM_MULTI_H

/* multi - what the exported functions of the multi interface share. */

#include "abi_multi.h"
#include "caller.h"

/* Whose call this is. */
struct uns_multi_call {
    const struct uns_real *real; /* NULL: no libcurl could be found */
    struct uns_multi *multi;     /* NULL: it has no record, or libcurl calls
                                    by itself */
    const struct uns_multi_engine *lane; /* NULL: the engine has none on it,
                                            the real function answers */
};

/* The call by `caller` on `multi`, which may be anything. */
struct uns_multi_call uns_multi_locate(CURLM *multi, struct uns_caller caller);

#endif
