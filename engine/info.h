/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_INFO_H
#define UNS_ENGINE_INFO_H

/* info - curl_easy_getinfo and the header functions, answered by the attempt
 * that answers the application, with times counted from its own call. */

#include "shim/abi.h"

CURLcode uns_info_get(struct uns_app *app, CURLINFO info, void *out);

CURLHcode uns_info_header(struct uns_app *app, const char *name, size_t index,
                          unsigned origin, int request,
                          struct curl_header **ret_header);

struct curl_header *uns_info_nextheader(struct uns_app *app, unsigned origin,
                                        int request, struct curl_header *prev);

#endif
