/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_OBJECTS_H
#define UNS_SHIM_OBJECTS_H

/*
 * objects - what the dynamic loader has mapped, asked without disturbing it:
 * nothing is loaded, nothing stays open, and the host's dlerror() is kept.
 */

#include "dl.h"

#include <stdint.h>

/* Longest file name of an object that is looked at. */
#define UNS_OBJECT_NAME 4096

/* Where an object is mapped. */
struct uns_object {
    uintptr_t start, end;
};

static inline bool uns_object_has(const struct uns_object *object,
                                  const void *addr)
{
    return (uintptr_t)addr - object->start < object->end - object->start;
}

/* The object that `addr` lies in.  False: none. */
bool uns_object_at(const void *addr, struct uns_object *ret_object);

/* The main program. */
bool uns_object_main(struct uns_object *ret_object);

/* `addr` lies in the preload itself. */
bool uns_object_is_ours(const void *addr);

/* A handle of the object that `addr` lies in, to be dlclose'd; NULL: it is the
 * main program, or nothing.  Never loads anything. */
void *uns_object_open(const void *addr);

/* The file name of the index-th object after the main program, or false. */
bool uns_object_name(unsigned index, char ret_name[UNS_OBJECT_NAME]);

/* An error of the host's that it has not asked for yet. */
struct uns_dlerror {
    char text[256];
};

/* Around calls of ours that may fail: afterwards dlerror() gives NULL, or an
 * error with the host's text in it, as it would have before. */
void uns_dlerror_save(struct uns_dlerror *ret_pending);
void uns_dlerror_restore(const struct uns_dlerror *pending);

#endif
