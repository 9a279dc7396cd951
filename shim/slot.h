/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_SLOT_H
#define UNS_SHIM_SLOT_H

/*
 * slot - exported functions that are bound to one libcurl.
 *
 *   dlsym(handle, "curl_easy_init") -> stub (slot 3) -> curl_easy_init
 *                                        |                   ^
 *                                        +- uns_slot_entered-+
 *
 * Who finds libcurl by dlsym may have chosen one of several, and often calls
 * through libffi or code made at run time, which belongs to no module that
 * would tell which.  So each such libcurl gets a slot, and with it a set of
 * stubs (stubs.S).  A stub leaves its slot's number for the exported function
 * it jumps to.
 */

#include "abi.h"

#include <stdint.h>

/* Stubs are made for so many libcurls of a process; stubs.S counts them out. */
enum {
    UNS_SLOTS = 8
};

/* The slot whose stub was entered, counted from 1; 0: none. */
extern __thread uint32_t uns_slot_entered
    __attribute__((tls_model("initial-exec"), visibility("hidden")));

/* The libcurl of slot `number`, counted from 1. */
const struct uns_real *uns_slot_real(uint32_t number);

/* `name` is a function that has stubs. */
bool uns_slot_serves(const char *name);

/* The stub of `name` that is bound to `real`; NULL: all slots are taken, or
 * this machine has none. */
void *uns_slot_stub(const struct uns_real *real, const char *name);

#endif
