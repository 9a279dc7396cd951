/* SPDX-License-Identifier: MIT */

/*
 * registry - a slot goes from EMPTY to a key, to FREED, to the next key, and
 * never back to EMPTY; so a search may end at the first EMPTY slot, whatever
 * other threads do meanwhile.
 */

#include "registry.h"

#include <stdatomic.h>
#include <stdint.h>
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
    _Atomic(void *) value;
};

struct uns_registry_table {
    struct uns_registry_table *older;
    unsigned bits;
    struct slot slots[]; /* 1 << bits, and WINDOW more instead of a wrap */
};

/* Handles are heap blocks: the low bits say nothing, the next ones little. */
static struct slot *window_of(struct uns_registry_table *table, uintptr_t key)
{
    uint64_t mixed = (uint64_t)(key >> 4) * UINT64_C(0x9e3779b97f4a7c15);

    return &table->slots[mixed >> (64 - table->bits)];
}

static struct slot *find_in(struct uns_registry_table *table, uintptr_t key)
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

static struct slot *find(const struct uns_registry *registry, const void *key)
{
    struct uns_registry_table *table =
        atomic_load_explicit(&registry->newest, memory_order_acquire);
    struct slot *slot = NULL;

    for (; key && table && !slot; table = table->older)
        slot = find_in(table, (uintptr_t)key);
    return slot;
}

/* Claim a slot for `key`; NULL when its window is full. */
static struct slot *claim(struct uns_registry_table *table, uintptr_t key)
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
static bool grow(struct uns_registry *registry, struct uns_registry_table *full)
{
    unsigned bits = full ? full->bits + STEP_BITS : FIRST_BITS;
    size_t count = ((size_t)1 << bits) + WINDOW;
    struct uns_registry_table *table =
        calloc(1, sizeof(*table) + count * sizeof(table->slots[0]));

    if (!table)
        return false;
    table->older = full;
    table->bits = bits;
    if (!atomic_compare_exchange_strong(&registry->newest, &full, table))
        free(table);
    return true;
}

void *uns_registry_get(const struct uns_registry *registry, const void *key)
{
    struct slot *slot = find(registry, key);

    return slot ? atomic_load_explicit(&slot->value, memory_order_acquire)
                : NULL;
}

bool uns_registry_put(struct uns_registry *registry, const void *key,
                      void *value)
{
    for (;;) {
        struct uns_registry_table *table =
            atomic_load_explicit(&registry->newest, memory_order_acquire);
        struct slot *slot = table ? claim(table, (uintptr_t)key) : NULL;

        if (slot) {
            atomic_store_explicit(&slot->value, value, memory_order_release);
            return true;
        }
        if (!grow(registry, table))
            return false;
    }
}

void *uns_registry_take(struct uns_registry *registry, const void *key)
{
    struct slot *slot = find(registry, key);
    void *value;

    if (!slot)
        return NULL;
    value = atomic_exchange_explicit(&slot->value, NULL, memory_order_acq_rel);
    atomic_store_explicit(&slot->key, FREED, memory_order_release);
    return value;
}
