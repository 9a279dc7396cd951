/* SPDX-License-Identifier: MIT */
/* file - writes beside the place, then renames: mkostemp makes it 0600. */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct uns_file {
    const char *command, *path;
    FILE *stream;
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
                       file->path);
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

struct uns_file *uns_file_begin(const char *command, const char *path)
{
    struct uns_file *file = calloc(1, sizeof *file);

    if (file == NULL)
        return NULL;
    file->command = command;
    file->path = path;
    file->stream = create(file);
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

bool uns_file_end(struct uns_file *file, bool keep)
{
    bool whole = !ferror(file->stream);

    whole = fclose(file->stream) == 0 && whole;
    if (keep && whole)
        whole = rename(file->temporary, file->path) == 0;
    if (keep && !whole)
        tell(file);
    if (!keep || !whole)
        unlink(file->temporary);
    free(file);
    return keep && whole;
}
