/* SPDX-License-Identifier: MIT */
#include "names.h"

CURLSH *uns_names_of(struct uns_lane *lane)
{
    const struct uns_real *real = lane->real;

    if (lane->names || !real->curl_share_init)
        return lane->names;
    lane->names = real->curl_share_init();
    if (lane->names &&
        real->curl_share_setopt(lane->names, CURLSHOPT_SHARE,
                                CURL_LOCK_DATA_DNS) != CURLSHE_OK)
        uns_names_free(lane);
    return lane->names;
}

void uns_names_free(struct uns_lane *lane)
{
    if (lane->names)
        lane->real->curl_share_cleanup(lane->names);
    lane->names = NULL;
}
