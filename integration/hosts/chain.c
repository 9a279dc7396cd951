/* SPDX-License-Identifier: MIT */

/* chain - another preload, that has one function of libcurl and finds the next
 * one as preloads do.  It also has getppid, since everybody has that. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

int curl_easy_perform(void *easy);
pid_t getppid(void);

int curl_easy_perform(void *easy)
{
    void *found = dlsym(RTLD_NEXT, "curl_easy_perform");
    int (*next)(void *);

    fprintf(stderr, "chain: perform\n");
    memcpy(&next, &found, sizeof(next));
    return next(easy);
}

pid_t getppid(void)
{
    void *found = dlsym(RTLD_NEXT, "getppid");
    pid_t (*next)(void);

    memcpy(&next, &found, sizeof(next));
    return next();
}
