/* SPDX-License-Identifier: MIT */
#ifndef UNS_ASCII_H
#define UNS_ASCII_H

/* ascii - bytes compared without case and without a locale's opinion. */

#include "units.h"

#include <stdbool.h>
#include <string.h>

static inline char uns_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* A text as a slice of it, without its NUL. */
static inline struct uns_slice uns_slice_of(const char *text)
{
    return (struct uns_slice){text, strlen(text)};
}

/* Is it that text, and no more? */
static inline bool uns_slice_is(struct uns_slice slice, const char *text)
{
    return slice.len == strlen(text) &&
           memcmp(slice.data, text, slice.len) == 0;
}

/* A number in decimal digits, at the end of `room`. */
enum {
    UNS_DECIMAL_BYTES = 20
};

static inline struct uns_slice uns_decimal(uint64_t number,
                                           char room[UNS_DECIMAL_BYTES])
{
    size_t at = UNS_DECIMAL_BYTES;

    do {
        room[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    return (struct uns_slice){room + at, UNS_DECIMAL_BYTES - at};
}

/* Equal, case of ASCII letters aside. */
static inline bool uns_same_fold(struct uns_slice a, struct uns_slice b)
{
    for (size_t i = 0; i < a.len && a.len == b.len; i++)
        if (uns_lower(a.data[i]) != uns_lower(b.data[i]))
            return false;
    return a.len == b.len;
}

/* The value of a hexadecimal digit; -1: it is none. */
static inline int uns_hex(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return uns_lower(c) >= 'a' && uns_lower(c) <= 'f' ? uns_lower(c) - 'a' + 10
                                                      : -1;
}

#endif
