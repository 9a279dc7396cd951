/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_VERSION_H
#define UNS_ENGINE_VERSION_H

/*
 * version - how old the libcurl is that runs, for what it has changed without
 * a function or an option that one could ask for.
 */

#include "shim/abi.h"

/* 0xXXYYZZ, as LIBCURL_VERSION_NUM; 0 when it does not say. */
static inline unsigned uns_version_of(const struct uns_real *real)
{
    return real->curl_version_info
               ? real->curl_version_info(CURLVERSION_FIRST)->version_num
               : 0;
}

#endif
