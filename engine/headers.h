/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_HEADERS_H
#define UNS_ENGINE_HEADERS_H

/* headers - the request headers of a rival at another origin: what the
 * allow-list takes over from the application, the source's own, and its key. */

#include "call.h"

/* The list for `rival`; the caller frees it.  NULL: no memory, or no key. */
struct curl_slist *uns_headers_for(const struct uns_attempt *rival);

/* Free a list, keys wiped.  Takes NULL. */
void uns_headers_free(struct curl_slist *list);

#endif
