/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_LOADER_H
#define UNS_SHIM_LOADER_H

/* loader - opens libunstall-engine.so, which lies beside the preload. */

#include "abi.h"

/* The engine, opened at the first call.  NULL: it cannot be had, which is not
 * tried again. */
const struct uns_engine *uns_loader_open(void);

/* The engine if it is open; else NULL. */
const struct uns_engine *uns_loader_peek(void);

#endif
