/* SPDX-License-Identifier: MIT */

/* finder - a program without libcurl that looks for one, with a library of its
 * own behind $ORIGIN, and prints what there is. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void tell(const char *where, void *handle, const char *name)
{
    const char *found = dlsym(handle, name) ? "there" : "none";
    const char *error = dlerror();

    printf("%s %s: %s, %s\n", where, name, found, error ? "error" : "fine");
}

int main(void)
{
    void *program = dlopen(NULL, RTLD_NOW);
    void *own = dlopen("libplug.so", RTLD_NOW);

    printf("own library: %s\n", own ? "opened" : dlerror());
    tell("anywhere", RTLD_DEFAULT, "puts");
    tell("behind", RTLD_NEXT, "puts");
    tell("program", program, "no_such_thing");
    if (own)
        tell("own", own, "plugged");
    printf("parent: %d\n", getppid() == getppid());
    tell("anywhere", RTLD_DEFAULT, "curl_easy_init");
    tell("behind", RTLD_NEXT, "curl_easy_init");
    tell("program", program, "curl_easy_init");
    tell("anywhere", RTLD_DEFAULT, "curl_multi_nothing");
    printf("nowhere: %d\n", dlopen("/nowhere/x.so", RTLD_NOW) == NULL);
    return 0;
}
