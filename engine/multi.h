/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_MULTI_H
#define UNS_ENGINE_MULTI_H

/* multi - the application's multi interface: calls run in its own multi and
 * its own event loop, and it sees its own handles only. */

#include "shim/abi_multi.h"

extern const struct uns_multi_engine uns_multi_engine;

#endif
