/* SPDX-License-Identifier: MIT */
/*
 * store_aside - the log is renamed before the database: a log that is left
 * beside a new and empty database is deleted by SQLite, while a database whose
 * name is free already would be made anew beside a log that may be read.
 */
#include "store_aside.h"

#include "clock.h"
#include "log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK  ".damaged-"
#define NAME  "unstall.db"
#define MAGIC "SQLite format 3" /* with its NUL */

/* Behind the name of a database: its log, the log's index. */
static const char *const companions[] = {"-wal", "-shm", ""};

#define COMPANIONS (sizeof companions / sizeof *companions)

bool uns_aside_look(const char *real, struct uns_aside_file *ret_file)
{
    struct stat st;

    if (lstat(real, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    *ret_file = (struct uns_aside_file){st.st_dev, st.st_ino};
    return true;
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

bool uns_aside_may(const char *real)
{
    char begin[sizeof MAGIC];
    int fd;
    ssize_t got;

    if (strcmp(name_of(real), NAME) == 0)
        return true;
    fd = open(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    got = read(fd, begin, sizeof begin);
    close(fd);
    return got == (ssize_t)sizeof begin &&
           memcmp(begin, MAGIC, sizeof begin) == 0;
}

/* "/a/b.db" -> "/a"; "b.db" -> "." */
static bool directory_of(const char *path, char ret_dir[PATH_MAX])
{
    size_t len = (size_t)(name_of(path) - path);

    if (len >= PATH_MAX)
        return false;
    memcpy(ret_dir, path, len);
    ret_dir[len] = '\0';
    if (len == 0)
        memcpy(ret_dir, ".", sizeof ".");
    else if (len > 1)
        ret_dir[len - 1] = '\0';
    return true;
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);

    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* "unstall.db.damaged-20261130T142101Z", but neither its -wal nor -shm. */
static bool is_aside(const char *name, const char *database)
{
    size_t len = strlen(database);

    return strncmp(name, database, len) == 0 &&
           strncmp(name + len, MARK, strlen(MARK)) == 0 &&
           !ends_with(name, companions[0]) && !ends_with(name, companions[1]);
}

void uns_aside_each(const char *path, uns_aside_fn *each, void *arg)
{
    char dir[PATH_MAX], aside[PATH_MAX];
    DIR *list = directory_of(path, dir) ? opendir(dir) : NULL;
    const struct dirent *entry;

    while (list != NULL && (entry = readdir(list)) != NULL) {
        int len;

        if (!is_aside(entry->d_name, name_of(path)))
            continue;
        len = snprintf(aside, sizeof aside, "%.*s%s",
                       (int)(name_of(path) - path), path, entry->d_name);
        if (len > 0 && (size_t)len < sizeof aside)
            each(aside, arg);
    }
    if (list != NULL)
        closedir(list);
}

static void count_one(const char *aside, void *arg)
{
    (void)aside;
    ++*(size_t *)arg;
}

static bool has_room(const char *real)
{
    size_t count = 0;

    uns_aside_each(real, count_one, &count);
    return count < UNS_ASIDE_MOST;
}

static bool new_name(const char *real, char ret_aside[PATH_MAX])
{
    char when[UNS_CLOCK_STAMP];
    int len;

    if (!uns_clock_stamp(when))
        return false;
    /* Room for "-wal". */
    len = snprintf(ret_aside, PATH_MAX - 8, "%s" MARK "%s", real, when);
    return len > 0 && len < PATH_MAX - 8 && access(ret_aside, F_OK) != 0;
}

static bool rename_all(const char *real, const char *aside)
{
    char from[PATH_MAX + 8], to[PATH_MAX + 8];

    for (size_t i = 0; i < COMPANIONS; i++) {
        snprintf(from, sizeof from, "%s%s", real, companions[i]);
        snprintf(to, sizeof to, "%s%s", aside, companions[i]);
        if (rename(from, to) != 0 && (errno != ENOENT || i == COMPANIONS - 1))
            return false;
    }
    return true;
}

/* Under the directory's lock. */
static enum uns_err put(const char *real, const struct uns_aside_file *file)
{
    struct uns_aside_file now;
    char aside[PATH_MAX];

    if (!uns_aside_look(real, &now) || now.ino != file->ino ||
        now.dev != file->dev)
        return UNS_OK; /* somebody has done it */
    if (!uns_aside_may(real) || !has_room(real))
        return UNS_UNSUPPORTED;
    if (!new_name(real, aside))
        return UNS_BUSY;
    if (!rename_all(real, aside))
        return UNS_IO;
    uns_log("%s: damaged; it is %s now, and a new one is begun", real, aside);
    return UNS_OK;
}

enum uns_err uns_aside_put(const char *real, const struct uns_aside_file *file)
{
    char dir[PATH_MAX];
    enum uns_err err = UNS_BUSY;
    int fd;

    if (!directory_of(real, dir))
        return UNS_TOOBIG;
    fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return UNS_IO;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        err = put(real, file);
    close(fd);
    return err;
}
