/* SPDX-License-Identifier: MIT */
/*
 * store_path - directories and an empty file with the right owner and mode.
 * Links above the database's directory are the user's own affair and are
 * resolved; below it nothing is followed.
 */
#include "store_path.h"

#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* mkdir -p.  chmod, since a umask may take away what the owner needs. */
static void make_directories(char *dir)
{
    for (char *slash = strchr(dir + 1, '/');; slash = strchr(slash + 1, '/')) {
        if (slash != NULL)
            *slash = '\0';
        if (mkdir(dir, 0700) == 0)
            (void)chmod(dir, 0700);
        if (slash == NULL)
            return;
        *slash = '/';
    }
}

/* "/a/b.db" -> "/a" in `dir`, returns "b.db".  NULL: too long, or no name. */
static const char *split(const char *path, char dir[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    size_t len = slash ? (size_t)(slash - path) : 1;

    if (len >= PATH_MAX || *name == '\0')
        return NULL;
    memcpy(dir, slash ? path : ".", len);
    if (len == 0)
        dir[len++] = '/';
    dir[len] = '\0';
    return name;
}

static enum uns_err owned_directory(const char *dir)
{
    struct stat st;

    if (stat(dir, &st) != 0 || !S_ISDIR(st.st_mode))
        return UNS_IO;
    if (st.st_uid == geteuid())
        return UNS_OK;
    uns_log("%s: belongs to user %ld; calls are not recorded there", dir,
            (long)st.st_uid);
    return UNS_UNSUPPORTED;
}

/* Closing a descriptor of the database drops every lock that this process
 * has on it, so an existing file is never opened here: O_EXCL. */
static enum uns_err make_file(const char *real)
{
    int fd =
        open(real, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    struct stat st;

    if (fd >= 0) {
        (void)fchmod(fd, 0600);
        close(fd);
        return UNS_OK;
    }
    if (errno != EEXIST)
        return UNS_IO;
    if (lstat(real, &st) != 0)
        return UNS_IO;
    if (S_ISREG(st.st_mode) && st.st_uid == geteuid())
        return UNS_OK;
    uns_log("%s: no plain file of this user; calls are not recorded there",
            real);
    return UNS_UNSUPPORTED;
}

enum uns_err uns_store_prepare(const char *path, char ret_real[PATH_MAX])
{
    char dir[PATH_MAX], real[PATH_MAX];
    const char *name = split(path, dir);
    enum uns_err err;
    int len;

    if (name == NULL)
        return UNS_TOOBIG;
    if (realpath(dir, real) == NULL) {
        make_directories(dir);
        if (realpath(dir, real) == NULL)
            return UNS_IO;
    }
    err = owned_directory(real);
    if (err != UNS_OK)
        return err;
    len = snprintf(ret_real, PATH_MAX, "%s/%s", real, name);
    if (len < 0 || len >= PATH_MAX)
        return UNS_TOOBIG;
    return make_file(ret_real);
}

enum uns_err uns_store_locate(const char *path, char ret_real[PATH_MAX])
{
    struct stat st;

    if (realpath(path, ret_real) == NULL)
        return errno == ENOENT || errno == ENOTDIR ? UNS_NOTFOUND : UNS_IO;
    if (stat(ret_real, &st) != 0)
        return UNS_IO;
    return S_ISREG(st.st_mode) ? UNS_OK : UNS_UNSUPPORTED;
}
