/* SPDX-License-Identifier: MIT */

/* each - calls every function of libcurl's that the preload stands in front
 * of, without a handle, and prints what each returns. */

#include <stdio.h>

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

int main(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        printf("%s %d\n", rows[i].name, (int)rows[i].call(0, 0, 0, 0, 0, 0));
    return 0;
}
