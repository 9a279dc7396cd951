/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_STARVE_H
#define UNS_TESTS_STARVE_H

/*
 * starve - an operation with its n-th allocation failing, alone and with all
 * later ones, for every n.  Whatever it answers (OK or NOMEM), it keeps no
 * memory; and asked again, it does what it is there for.
 *
 * Of an operation that asks for many hundred, the first ones fail and some of
 * the others, each with STARVE=all in the environment.
 */

#include "core/err.h"
#include "fake_memory.h"

#include <stddef.h>

struct operation {
    const char *name;
    /* What it begins with: makes it, and takes away what was before. */
    void (*ready)(void);
    /* Gives back all that it allocates. */
    enum uns_err (*run)(void);
    /* Is what it has left sound, given what it answered? */
    void (*check)(const char *row, enum uns_err err);
};

/* Each of them, in both ways. */
void starve_each(const struct operation *ops, size_t count);

/* The next n after this one, for an operation that asks for `asked`. */
unsigned starve_next(unsigned n, unsigned asked);

#endif
