/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_HEADERS_H
#define UNS_ENGINE_HEADERS_H

/* headers - the request headers of a rival at another origin: what the
 * allow-list takes over from the application, the source's own, and its key;
 * and which of the application's would be wrong with another body. */

#include "call.h"

/* The list for `rival`; the caller frees it.  NULL: no memory, or no key. */
struct curl_slist *uns_headers_for(const struct uns_attempt *rival);

/* Do the application's own headers hold for its own body alone: its length, a
 * digest, a signature? */
bool uns_headers_bind_body(const struct uns_app *app);

/* Free a list, keys wiped.  Takes NULL. */
void uns_headers_free(struct curl_slist *list);

#endif
