/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_CLOSURE_H
#define UNS_CLI_CLOSURE_H

/*
 * closure - the libraries that the dynamic loader would bring in with a file,
 * found as it finds them: DT_RPATH, LD_LIBRARY_PATH, DT_RUNPATH, the cache,
 * the default directories; $ORIGIN and $LIB in them; files for another machine
 * are passed over.  Not looked at: hardware-specific subdirectories, whose
 * libraries are the same ones in another shape.
 */

#include "image.h"

#include <stddef.h>

struct uns_library {
    char *name; /* as it was asked for */
    char *path; /* NULL: not to be found */
    size_t by;  /* who asked first, by index */
    struct uns_image image;
};

struct uns_closure {
    struct uns_library *list; /* [0] is the file itself; breadth first */
    size_t count;
    struct uns_image cache;   /* /etc/ld.so.cache */
    const char *library_path; /* borrowed */
};

/* `library_path` is LD_LIBRARY_PATH as the program will see it, or NULL.
 * Errors are those of uns_image_open() for `path`, or NOMEM.  To be closed in
 * any case. */
UNS_MUST_USE enum uns_err uns_closure_open(struct uns_closure *closure,
                                           const char *path,
                                           const char *library_path);
void uns_closure_close(struct uns_closure *closure);

/* The index of the first libcurl of at least `from`; 0: there is none. */
size_t uns_closure_libcurl(const struct uns_closure *closure, size_t from);

#endif
