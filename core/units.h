/* SPDX-License-Identifier: MIT */
#ifndef UNS_UNITS_H
#define UNS_UNITS_H

/* The one unit of time inside unstall, and the words for "no value". */

#include <stddef.h>
#include <stdint.h>

/* Nanoseconds of CLOCK_MONOTONIC, or a span of them. */
typedef int64_t uns_ns;

#define UNS_MS ((uns_ns)1000000)
#define UNS_S  ((uns_ns)1000000000)

/* A deadline that never comes; a span that never ends (off). */
#define UNS_NEVER INT64_MAX

/* A number that could not be told; stored as SQL NULL, printed as null. */
#define UNS_NULL INT64_MIN

/* A run of bytes that somebody else owns. */
struct uns_slice {
    const char *data;
    size_t len;
};

/* Room for bytes to be written, of the caller's. */
struct uns_room {
    char *data;
    size_t size;
};

#endif
