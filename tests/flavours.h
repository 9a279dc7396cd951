/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_FLAVOURS_H
#define UNS_TESTS_FLAVOURS_H

/* flavours - this test's own libcurl, whichever it is linked with, and another
 * one beside it. */

#include "check.h"
#include "shim/api.h"

#include <dlfcn.h>
#include <stdbool.h>

/* A handle of our own libcurl, or of another that is installed; NULL: none. */
static inline void *open_flavour(bool own)
{
    static const char *const files[] = {"libcurl.so.4", "libcurl-gnutls.so.4",
                                        "libcurl-nss.so.4"};

    for (size_t i = 0; i < ROWS(files); i++) {
        void *handle = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
        void *found = handle ? dlsym(handle, "curl_easy_init") : NULL;

        if (found && (found == (void *)(uintptr_t)curl_easy_init) == own)
            return handle;
        if (handle)
            dlclose(handle);
    }
    return NULL;
}

#endif
