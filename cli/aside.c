/* SPDX-License-Identifier: MIT */
/* aside - that it was told is kept in the file's mode: nobody is to write into
 * a piece of evidence in any case. */
#include "aside.h"

#include "engine/store_aside.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void tell(const char *aside, void *arg)
{
    struct stat st;

    (void)arg;
    if (lstat(aside, &st) != 0 || !S_ISREG(st.st_mode) ||
        (st.st_mode & S_IWUSR) == 0)
        return;
    fprintf(stderr,
            "unstall: the database was damaged, and a new one is begun; the "
            "old one is %s ('unstall doctor' tells more)\n",
            aside);
    (void)chmod(aside, 0400);
}

void uns_aside_tell(const char *path)
{
    uns_aside_each(path, tell, NULL);
}

static void delete_one(const char *aside, void *arg)
{
    static const char *const companions[] = {"-wal", "-shm"};
    char name[PATH_MAX];

    for (size_t i = 0; i < sizeof companions / sizeof *companions; i++) {
        snprintf(name, sizeof name, "%s%s", aside, companions[i]);
        (void)unlink(name);
    }
    *(size_t *)arg += unlink(aside) == 0;
}

size_t uns_aside_delete(const char *path)
{
    size_t count = 0;

    uns_aside_each(path, delete_one, &count);
    return count;
}
