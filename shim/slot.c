/* SPDX-License-Identifier: MIT */
#include "slot.h"

#include "text.h"

#include <stdatomic.h>
#include <stddef.h>

/* Text, not pointers to it: those would be relocated in every process. */
static const char names[][32] = {
#define EXPORT(name) #name,
#include "exports.def"
#undef EXPORT
};

enum {
    NAMES = sizeof(names) / sizeof(names[0]),
    STUB_SIZE = 32 /* as in stubs.S */
};

#if defined(__x86_64__) || defined(__aarch64__)
/* For each name, one for each slot. */
extern const char uns_stubs[NAMES][UNS_SLOTS][STUB_SIZE]
    __attribute__((visibility("hidden")));

static const char *stub_at(unsigned index, unsigned slot)
{
    return uns_stubs[index][slot];
}
#else
/* Nor does this machine have a dlsym of ours that would ask. */
static const char *stub_at(unsigned index, unsigned slot)
{
    (void)index;
    (void)slot;
    return NULL;
}
#endif

__thread uint32_t uns_slot_entered;

static _Atomic(const struct uns_real *) slots[UNS_SLOTS];

const struct uns_real *uns_slot_real(uint32_t number)
{
    return atomic_load_explicit(&slots[number - 1], memory_order_acquire);
}

/* The index of `name`, or NAMES. */
static unsigned index_of(const char *name)
{
    unsigned i = 0;

    if (!uns_text_begins(name, "curl_"))
        return NAMES;
    while (i < NAMES && !uns_text_same(name, names[i]))
        i++;
    return i;
}

bool uns_slot_serves(const char *name)
{
    return index_of(name) < NAMES;
}

/* The slot of `real`, which gets the next one that is free; UNS_SLOTS: there
 * is none.  They are never given back, as a libcurl is never unmapped. */
static unsigned slot_of(const struct uns_real *real)
{
    for (unsigned i = 0; i < UNS_SLOTS; i++) {
        const struct uns_real *owner = NULL;

        if (atomic_compare_exchange_strong(&slots[i], &owner, real) ||
            owner == real)
            return i;
    }
    return UNS_SLOTS;
}

void *uns_slot_stub(const struct uns_real *real, const char *name)
{
    unsigned index = index_of(name);
    unsigned slot = index < NAMES ? slot_of(real) : UNS_SLOTS;

    return slot < UNS_SLOTS ? (void *)(uintptr_t)stub_at(index, slot) : NULL;
}
