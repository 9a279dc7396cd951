/* SPDX-License-Identifier: MIT */
/*
 * file - three ways to write what a command's FILE names.  A file, or none
 * yet: beside it, then renamed (mkostemp makes it 0600).  What is open as
 * standard output: into that stream, or its other half would be lost.
 * Anything else (a device, a FIFO, a link to nothing yet): opened and written,
 * never renamed over.
 */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct uns_file {
    const char *command, *path;
    bool hushed;
    FILE *stream;
    char target[PATH_MAX]; /* `path` without links; "": none to rename to */
    char temporary[PATH_MAX];
};

static void tell(const struct uns_file *file)
{
    fprintf(stderr, "unstall %s: %s: %s\n", file->command, file->path,
            strerror(errno));
}

static FILE *create(struct uns_file *file)
{
    int len = snprintf(file->temporary, sizeof file->temporary, "%s.XXXXXX",
                       file->target);
    FILE *stream = NULL;
    int fd;

    if (len < 0 || (size_t)len >= sizeof file->temporary) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    fd = mkostemp(file->temporary, O_CLOEXEC);
    if (fd >= 0)
        stream = fdopen(fd, "w");
    if (fd >= 0 && stream == NULL) {
        close(fd);
        unlink(file->temporary);
    }
    return stream;
}

/* "-", /dev/stdout, or the file that the shell has put there. */
static bool is_output(const char *path, const struct stat *st)
{
    struct stat out;

    if (strcmp(path, "-") == 0)
        return true;
    return st != NULL && fstat(STDOUT_FILENO, &out) == 0 &&
           st->st_dev == out.st_dev && st->st_ino == out.st_ino;
}

static FILE *open_as_it_is(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    FILE *stream = fd >= 0 ? fdopen(fd, "w") : NULL;

    if (fd >= 0 && stream == NULL)
        close(fd);
    return stream;
}

static FILE *open_stream(struct uns_file *file)
{
    struct stat st, link;
    bool there = stat(file->path, &st) == 0;

    if (is_output(file->path, there ? &st : NULL))
        return stdout;
    if (there && S_ISREG(st.st_mode))
        return realpath(file->path, file->target) ? create(file) : NULL;
    if (there || lstat(file->path, &link) == 0)
        return open_as_it_is(file->path);
    snprintf(file->target, sizeof file->target, "%s", file->path);
    return create(file);
}

struct uns_file *uns_file_begin(const char *command, const char *path)
{
    struct uns_file *file = calloc(1, sizeof *file);

    if (file == NULL)
        return NULL;
    file->command = command;
    file->path = path;
    file->stream = open_stream(file);
    if (file->stream != NULL)
        return file;
    tell(file);
    free(file);
    return NULL;
}

FILE *uns_file_stream(const struct uns_file *file)
{
    return file->stream;
}

bool uns_file_is_output(const struct uns_file *file)
{
    return file->stream == stdout;
}

void uns_file_hush(struct uns_file *file)
{
    file->hushed = true;
}

void uns_file_share(const struct uns_file *file)
{
    if (file->target[0] != '\0')
        (void)fchmod(fileno(file->stream), 0644);
}

static bool put_in_place(const struct uns_file *file)
{
    return file->target[0] == '\0' ||
           rename(file->temporary, file->target) == 0;
}

bool uns_file_end(struct uns_file *file, bool keep)
{
    bool whole = !ferror(file->stream);

    if (file->stream == stdout)
        whole = fflush(stdout) == 0 && whole;
    else
        whole = fclose(file->stream) == 0 && whole;
    if (keep && whole)
        whole = put_in_place(file);
    if (keep && !whole && file->stream != stdout)
        tell(file);
    else if (keep && whole && file->stream != stdout && !file->hushed)
        fprintf(stderr, "unstall %s: written: %s\n", file->command, file->path);
    if ((!keep || !whole) && file->target[0] != '\0')
        unlink(file->temporary);
    free(file);
    return keep && whole;
}
