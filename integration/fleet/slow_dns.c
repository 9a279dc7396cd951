/* SPDX-License-Identifier: MIT */
/* slow_dns - a preload in which the name slow.test takes three seconds to
 * find: it is 127.0.0.1. */
#include <dlfcn.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int getaddrinfo(const char *node, const char *service,
                       const struct addrinfo *hints, struct addrinfo **out)
{
    __typeof__(&getaddrinfo) real;

    *(void **)&real = dlsym(RTLD_NEXT, "getaddrinfo");
    if (node && strcmp(node, "slow.test") == 0) {
        sleep(3);
        node = "127.0.0.1";
    }
    return real(node, service, hints, out);
}
