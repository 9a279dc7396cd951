/* SPDX-License-Identifier: MIT */

/* Runs double, so that appending costs no more than copying. */

#include "heap.h"

#include <string.h>

#define FIRST_CAP 256

static bool reserve(struct uns_run *run, const struct uns_heap *heap,
                    size_t more)
{
    size_t cap = run->cap ? run->cap : FIRST_CAP;
    char *data;

    if (more <= run->cap - run->len)
        return true;
    while (cap - run->len < more) {
        if (cap > SIZE_MAX / 2)
            return false;
        cap *= 2;
    }
    data = heap->resize(heap->ctx, run->data, cap);
    if (!data)
        return false;
    run->data = data;
    run->cap = cap;
    return true;
}

bool uns_run_add(struct uns_run *run, const struct uns_heap *heap,
                 const char *bytes, size_t len)
{
    if (len == 0)
        return true;
    if (!reserve(run, heap, len))
        return false;
    memcpy(run->data + run->len, bytes, len);
    run->len += len;
    return true;
}

void uns_run_drop(struct uns_run *run, size_t len)
{
    run->len -= len;
    if (run->len != 0 && len != 0)
        memmove(run->data, run->data + len, run->len);
}

void uns_run_free(struct uns_run *run, const struct uns_heap *heap)
{
    if (run->data)
        heap->release(heap->ctx, run->data);
    *run = (struct uns_run){0};
}
