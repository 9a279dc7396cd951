/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_SYMBOL_H
#define UNS_SHIM_SYMBOL_H

/* symbol - finds a function in an object that is mapped, without asking the
 * loader. */

#include <link.h>
#include <stdint.h>

/* The address of the function `name` that the object at `base` with the
 * dynamic section `dynamic` defines; 0: it defines none. */
uintptr_t uns_symbol_find(uintptr_t base, const ElfW(Dyn) * dynamic,
                          const char *name);

#endif
