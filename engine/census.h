/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_CENSUS_H
#define UNS_ENGINE_CENSUS_H

/*
 * census - the handles in an application's multi, as the application knows
 * them: those that it has added and not removed.  libcurl has rivals besides,
 * and is rid of a handle whose call a rival has won.
 */

#include "loop.h"

/* curl_multi_get_handles.  The list is libcurl's memory, for curl_free(); NULL
 * where libcurl says so. */
CURL **uns_census_handles(struct uns_loop *loop);

/* curl_multi_get_offt. */
CURLMcode uns_census_count(struct uns_loop *loop, CURLMinfo_offt info,
                           curl_off_t *ret_count);

#endif
