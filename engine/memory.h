/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_MEMORY_H
#define UNS_ENGINE_MEMORY_H

/* memory - libc's, as core/ wants to be given it. */

#include "core/heap.h"

extern const struct uns_heap uns_memory;

#endif
