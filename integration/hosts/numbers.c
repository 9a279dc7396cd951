/* SPDX-License-Identifier: MIT */

/* numbers - a libcurl of any version: it has every function that the preload
 * stands in front of, the latest, too, and each returns its number.  With
 * -DNONE it is one that has none. */

#ifndef NONE
#    define EXPORT(name)              \
        long name(void);              \
        long name(void)               \
        {                             \
            return __COUNTER__ + 100; \
        }
#    include "shim/exports.def"
#endif

/* So that there is something in it. */
const char *curl_version(void);

const char *curl_version(void)
{
    return "none";
}
