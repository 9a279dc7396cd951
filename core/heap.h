/* SPDX-License-Identifier: MIT */
#ifndef UNS_HEAP_H
#define UNS_HEAP_H

/* heap - memory of whoever calls, and runs of bytes that grow in it.  A run
 * that is all zeros is empty; what fails changes nothing. */

#include "units.h"

#include <stdbool.h>

struct uns_heap {
    void *ctx;
    /* As realloc(): old NULL is a new block; NULL: there is no memory. */
    void *(*resize)(void *ctx, void *old, size_t size);
    void (*release)(void *ctx, void *old);
};

struct uns_run {
    char *data;
    size_t len, cap;
};

/* Append bytes.  False: no memory. */
bool uns_run_add(struct uns_run *run, const struct uns_heap *heap,
                 const char *bytes, size_t len);

/* Forget the first `len` bytes. */
void uns_run_drop(struct uns_run *run, size_t len);

/* Forget all, and give the memory back. */
void uns_run_free(struct uns_run *run, const struct uns_heap *heap);

static inline struct uns_slice uns_run_slice(const struct uns_run *run)
{
    return (struct uns_slice){run->data, run->len};
}

#endif
