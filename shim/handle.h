/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_HANDLE_H
#define UNS_SHIM_HANDLE_H

/*
 * handle - the registry: the application's easy handle -> what we know of it.
 *
 *   newest -> [ 4096 slots ] -> [ 512 slots ] -> [ 64 slots, static ]
 *
 * Open addressing in tables that grow by a new, larger one and are never
 * freed.  There is no lock: a fork in the middle of another thread's call
 * leaves nothing held in the child.
 *
 * libcurl's own rule is what makes this small: one handle is used by one
 * thread at a time, so no two calls here ever race about the same key.
 */

#include "abi.h"

/* The record of `easy`, or NULL when it was never seen.  NULL gives NULL. */
struct uns_app *uns_handle_get(CURL *easy);

/* Enter `app` under app->easy, which must not be registered.  False: no
 * memory; the handle stays unknown and `app` the caller's. */
bool uns_handle_put(struct uns_app *app);

/* Take out the record of `easy` and return it; NULL when there is none.  To be
 * done before libcurl frees the handle, since it gives addresses out again. */
struct uns_app *uns_handle_take(CURL *easy);

#endif
