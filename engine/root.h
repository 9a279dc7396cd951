/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_ROOT_H
#define UNS_ENGINE_ROOT_H

/* root - the engine's one piece of global state: what the preload lent it and
 * the settings, made at opening and constant ever after. */

#include "config.h"
#include "core/inject.h"
#include "shim/abi.h"

/* What the preload lent. */
const struct uns_host *uns_root_host(void);

/* The policy for a call to `url`; NULL: leave it alone. */
const struct uns_policy *uns_root_policy(const struct uns_url *url);

const struct uns_config *uns_root_config(void);

/* Where its calls are recorded, and its budgets are; NULL: nowhere. */
static inline const char *uns_root_store_path(void)
{
    return uns_config_store_path(uns_root_config());
}

/* UNSTALL_PLAN: the file that calls are described in instead of being sent;
 * NULL: they are sent. */
const char *uns_root_plan(void);

/* UNSTALL_CAPTURE: the directory in which answers are kept with their timing;
 * NULL: they are not. */
const char *uns_root_capture(void);

/* UNSTALL_INJECT: the faults that are played on every call's own request, and
 * the list as it was written; NULL: none. */
const struct uns_inject *uns_root_inject(void);
const char *uns_root_injected(void);

#endif
