/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_IMAGE_H
#define UNS_CLI_IMAGE_H

/* image - a program's or library's file, mapped to be looked at.  Nothing of
 * it is ever run. */

#include "elf.h"

#include <sys/stat.h>

struct uns_image {
    struct uns_slice file; /* its bytes; empty: not mapped */
    struct uns_elf elf;    /* of those */
    struct stat st;
};

/* IO: it cannot be read, errno tells why.  SYNTAX: it is no ELF file, but
 * `file` and `st` are there.  To be closed in any case. */
UNS_MUST_USE enum uns_err uns_image_open(const char *path,
                                         struct uns_image *ret_image);
void uns_image_close(struct uns_image *image);

/* The name at the end of a path. */
const char *uns_image_base(const char *path);

/* Where `text` stands in the file, or NULL. */
const char *uns_image_find(const struct uns_image *image, const char *text);

#define UNS_IMAGE_VERSION 32

/* The version of the libcurl that is in the file ("7.88.1"): itself, or linked
 * into it.  False: there is none. */
bool uns_image_curl(const struct uns_image *image,
                    char ret_version[UNS_IMAGE_VERSION]);

/* The name is one of libcurl's shared library, of any flavour: "libcurl.so.4",
 * "libcurl-gnutls.so.4", "/opt/libcurl-7f3a90.so.4.8.0". */
bool uns_image_is_libcurl(const char *name);

#endif
