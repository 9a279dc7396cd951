/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_REGISTRY_H
#define UNS_SHIM_REGISTRY_H

/*
 * registry - a libcurl handle -> what we know of it.
 *
 *   newest -> [ 4096 slots ] -> [ 512 slots ] -> [ 64 slots ]
 *
 * Open addressing in tables that grow by a new, larger one and are never
 * freed.  There is no lock: a fork in the middle of another thread's call
 * leaves nothing held in the child.
 *
 * libcurl's own rule is what makes this small: one handle is used by one
 * thread at a time, so no two calls here ever race about the same key.
 */

#include <stdbool.h>

struct uns_registry_table;

/* All zeros is an empty one. */
struct uns_registry {
    _Atomic(struct uns_registry_table *) newest;
};

/* What is registered under `key`, or NULL.  NULL gives NULL. */
void *uns_registry_get(const struct uns_registry *registry, const void *key);

/* Enter `value`; `key` must be a heap address and not registered.  False: no
 * memory. */
bool uns_registry_put(struct uns_registry *registry, const void *key,
                      void *value);

/* Take `key` out and return what was registered; NULL when nothing was. */
void *uns_registry_take(struct uns_registry *registry, const void *key);

#endif
