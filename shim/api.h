/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_API_H
#define UNS_SHIM_API_H

/*
 * api - libcurl's header as plain functions: no macros in front of them, and
 * declared although this header may be older than the libcurl that runs.
 */

#define CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_DEPRECATION /* old options are still set by somebody */
#include "api_older.h"
#include <curl/curl.h>
#include <curl/mprintf.h>
#undef curl_easy_setopt /* also macros that count arguments */
#undef curl_easy_getinfo
#undef curl_multi_setopt
#undef curl_share_setopt
#undef curl_multi_socket /* renames callers of other days */

/* Since 8.4. */
CURL_EXTERN CURL **curl_multi_get_handles(CURLM *multi_handle);

/* Since 8.8. */
CURL_EXTERN CURLMcode curl_multi_waitfds(CURLM *multi, struct curl_waitfd *ufds,
                                         unsigned size, unsigned *fd_count);

/* Since 8.16. */
#if LIBCURL_VERSION_NUM < 0x081000
typedef enum {
    CURLMINFO_NONE,
    CURLMINFO_XFERS_CURRENT,
    CURLMINFO_XFERS_RUNNING,
    CURLMINFO_XFERS_PENDING,
    CURLMINFO_XFERS_DONE,
    CURLMINFO_XFERS_ADDED
} CURLMinfo_offt;

CURL_EXTERN CURLMcode curl_multi_get_offt(CURLM *multi_handle,
                                          CURLMinfo_offt info,
                                          curl_off_t *pvalue);
#endif

/* Since 8.17. */
CURL_EXTERN CURLMcode curl_multi_notify_enable(CURLM *multi,
                                               unsigned notification);
CURL_EXTERN CURLMcode curl_multi_notify_disable(CURLM *multi,
                                                unsigned notification);

#endif
