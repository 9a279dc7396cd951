/* SPDX-License-Identifier: MIT */

/* each - calls every function of libcurl's that the preload stands in front
 * of, without a handle, and prints what each returns. */

#include <stdio.h>
#include <string.h>

/* Integers and pointers travel alike; nobody looks at more than he has. */
typedef long function(long, long, long, long, long, long);

#define EXPORT(name) function name;
#include "shim/exports.def"
#undef EXPORT

static const struct {
    const char *name;
    function *call;
} rows[] = {

#define EXPORT(name) {#name, name},
#include "shim/exports.def"
};

static int returns_nothing(const char *name)
{
    return strcmp(name, "curl_easy_cleanup") == 0 ||
           strcmp(name, "curl_easy_reset") == 0;
}

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        long value = rows[i].call(0, 0, 0, 0, 0, 0);

        if (returns_nothing(rows[i].name))
            printf("%s returns\n", rows[i].name);
        else
            printf("%s %d\n", rows[i].name, (int)value);
    }
    return 0;
}
