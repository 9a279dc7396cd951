/* SPDX-License-Identifier: MIT */
#include "memory.h"

#include <stdlib.h>

static void *resize(void *ctx, void *old, size_t size)
{
    (void)ctx;
    return realloc(old, size);
}

static void release(void *ctx, void *old)
{
    (void)ctx;
    free(old);
}

const struct uns_heap uns_memory = {NULL, resize, release};
