/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_HANDLE_H
#define UNS_SHIM_HANDLE_H

/*
 * handle - the application's easy and multi handles, each in a registry of its
 * kind: libcurl gives the address of one out again for the other.  What
 * registry.h says of its functions holds for these.
 */

#include "abi_multi.h"

/* The record of `easy`, or NULL when it was never seen.  NULL gives NULL. */
struct uns_app *uns_handle_get(CURL *easy);

/* Enter `app` under app->easy.  False: no memory; the handle stays unknown
 * and `app` the caller's. */
bool uns_handle_put(struct uns_app *app);

/* Take out the record of `easy` and return it; NULL when there is none.  To be
 * done before libcurl frees the handle. */
struct uns_app *uns_handle_take(CURL *easy);

/* The same of multi handles. */
struct uns_multi *uns_handle_get_multi(CURLM *multi);
bool uns_handle_put_multi(struct uns_multi *multi);
struct uns_multi *uns_handle_take_multi(CURLM *multi);

#endif
