/* SPDX-License-Identifier: MIT */

/*
 * handle - the registry of easy handles.  A slot goes from EMPTY to a key, to
 * FREED, to the next key, and never back to EMPTY; so a search may end at the
 * first EMPTY slot, whatever other threads do meanwhile.
 */

#include "handle.h"

#include <stdatomic.h>
#include <stdlib.h>

#define EMPTY ((uintptr_t)0)
#define FREED ((uintptr_t)1) /* no handle lies there */

#ifdef UNS_HOSTILE
enum {
    FIRST_BITS = 1,
    STEP_BITS = 1,
    WINDOW = 2
};
#else
/* Five hundred handles find room in the second table.  A window of 16 slots is
 * four cache lines; with it heap addresses fill a table to nine tenths before
 * the next one is made (measured). */
enum {
    FIRST_BITS = 6,
    STEP_BITS = 3,
    WINDOW = 16
};
#endif

struct slot {
    _Atomic uintptr_t key;
    _Atomic(struct uns_app *) app;
};

struct table {
    struct table *older;
    unsigned bits;
    struct slot *slots; /* 1 << bits, and WINDOW more instead of a wrap */
};

static struct slot first_slots[(1 << FIRST_BITS) + WINDOW];
static struct table first = {NULL, FIRST_BITS, first_slots};
static _Atomic(struct table *) newest = &first;

/* Handles are heap blocks: the low bits say nothing, the next ones little. */
static struct slot *window_of(const struct table *table, uintptr_t key)
{
    uint64_t mixed = (uint64_t)(key >> 4) * UINT64_C(0x9e3779b97f4a7c15);

    return &table->slots[mixed >> (64 - table->bits)];
}

static struct slot *find_in(const struct table *table, uintptr_t key)
{
    struct slot *slot = window_of(table, key);
    struct slot *end = slot + WINDOW;

    for (; slot < end; slot++) {
        uintptr_t found =
            atomic_load_explicit(&slot->key, memory_order_acquire);

        if (found == key)
            return slot;
        if (found == EMPTY)
            return NULL;
    }
    return NULL;
}

static struct slot *find(uintptr_t key)
{
    const struct table *table =
        atomic_load_explicit(&newest, memory_order_acquire);
    struct slot *slot = NULL;

    for (; table && !slot; table = table->older)
        slot = find_in(table, key);
    return slot;
}

/* Claim a slot for `key`; NULL when its window is full. */
static struct slot *claim(const struct table *table, uintptr_t key)
{
    struct slot *slot = window_of(table, key);
    struct slot *end = slot + WINDOW;

    for (; slot < end; slot++) {
        uintptr_t found =
            atomic_load_explicit(&slot->key, memory_order_relaxed);

        while (found == EMPTY || found == FREED)
            if (atomic_compare_exchange_weak_explicit(&slot->key, &found, key,
                                                      memory_order_acq_rel,
                                                      memory_order_relaxed))
                return slot;
    }
    return NULL;
}

/* Make a larger table the newest.  When another thread was faster, its table
 * will do. */
static bool grow(struct table *full)
{
    unsigned bits = full->bits + STEP_BITS;
    size_t count = ((size_t)1 << bits) + WINDOW;
    struct table *table = malloc(sizeof(*table));
    struct slot *slots = calloc(count, sizeof(*slots));

    if (!table || !slots)
        goto fail;
    *table = (struct table){full, bits, slots};
    if (!atomic_compare_exchange_strong(&newest, &full, table)) {
        free(table);
        free(slots);
    }
    return true;
fail:
    free(table);
    free(slots);
    return false;
}

struct uns_app *uns_handle_get(CURL *easy)
{
    const struct slot *slot = easy ? find((uintptr_t)easy) : NULL;

    return slot ? atomic_load_explicit(&slot->app, memory_order_acquire) : NULL;
}

bool uns_handle_put(struct uns_app *app)
{
    for (;;) {
        struct table *table =
            atomic_load_explicit(&newest, memory_order_acquire);
        struct slot *slot = claim(table, (uintptr_t)app->easy);

        if (slot) {
            atomic_store_explicit(&slot->app, app, memory_order_release);
            return true;
        }
        if (!grow(table))
            return false;
    }
}

struct uns_app *uns_handle_take(CURL *easy)
{
    struct slot *slot = easy ? find((uintptr_t)easy) : NULL;
    struct uns_app *app;

    if (!slot)
        return NULL;
    app = atomic_exchange_explicit(&slot->app, NULL, memory_order_acq_rel);
    atomic_store_explicit(&slot->key, FREED, memory_order_release);
    return app;
}
