/* SPDX-License-Identifier: MIT */
/* flight_place - a runtime directory counts only if it is this user's: after
 * su(1) the variable may still name another's. */
#include "flight_place.h"

#include "store_path.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEAF "/unstall"

enum {
    RUNTIME, /* as the environment names it */
    STORE,   /* where the database lies */
    USUAL    /* where systemd has the runtime directory: for readers that
                have another environment than the writer */
};

static enum uns_err printed(int len)
{
    return len > 0 && len < PATH_MAX ? UNS_OK : UNS_TOOBIG;
}

enum uns_err uns_flight_place(const char *store, unsigned i,
                              char ret_dir[PATH_MAX])
{
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    const char *slash = strrchr(store, '/');

    switch (i) {
    case RUNTIME:
        if (!runtime || *runtime != '/')
            return UNS_NOTFOUND;
        return printed(snprintf(ret_dir, PATH_MAX, "%s" LEAF, runtime));
    case STORE:
        if (!slash || slash == store)
            return UNS_NOTFOUND;
        return printed(
            snprintf(ret_dir, PATH_MAX, "%.*s", (int)(slash - store), store));
    default:
        if (runtime && *runtime == '/')
            return UNS_NOTFOUND;
        return printed(snprintf(ret_dir, PATH_MAX, "/run/user/%lu" LEAF,
                                (unsigned long)geteuid()));
    }
}

static bool is_own(const struct stat *st)
{
    return S_ISDIR(st->st_mode) && st->st_uid == geteuid();
}

int uns_flight_place_open(const char *dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && is_own(&st) && (st.st_mode & 022) == 0)
        return fd;
    close(fd);
    return -1;
}

/* DIR/unstall, in a directory of this user's. */
static bool make_leaf(const char *dir)
{
    char above[PATH_MAX];
    struct stat st;

    (void)snprintf(above, sizeof above, "%.*s",
                   (int)(strlen(dir) - strlen(LEAF)), dir);
    if (stat(above, &st) != 0 || !is_own(&st))
        return false;
    if (mkdir(dir, 0700) == 0)
        (void)chmod(dir, 0700);
    return true;
}

int uns_flight_place_make(const char *store, unsigned i, const char *dir)
{
    char real[PATH_MAX];
    bool made =
        i == STORE ? uns_store_prepare(store, real) == UNS_OK : make_leaf(dir);

    return made ? uns_flight_place_open(dir) : -1;
}
