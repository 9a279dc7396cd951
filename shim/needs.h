/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_NEEDS_H
#define UNS_SHIM_NEEDS_H

/* needs - what a library's file says of the libraries it is linked with. */

#include <stdbool.h>

/* The ELF file at `path` names a libcurl, of any flavour, among the libraries
 * it needs itself.  False also for a file that cannot be read.  Leaves
 * errno. */
bool uns_needs_libcurl(const char *path);

#endif
