/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_TEXT_H
#define UNS_SHIM_TEXT_H

/* text - comparisons that call nobody.  A sanitizer stands in front of strcmp
 * and its like, and calls dlsym to find the real ones: until that is answered
 * its own lead nowhere. */

#include <stdbool.h>

static inline bool uns_text_same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static inline bool uns_text_begins(const char *text, const char *prefix)
{
    while (*prefix && *text == *prefix) {
        text++;
        prefix++;
    }
    return !*prefix;
}

#endif
