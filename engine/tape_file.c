/* SPDX-License-Identifier: MIT */
/* tape_file - a half written record is cut off again: a full disk leaves a
 * file that ends early, not one that lies. */
#include "tape_file.h"

#include "clock.h"
#include "log.h"
#include "quiet.h"
#include "tape.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define SUFFIX ".capture"
#define SLICES 4

static int open_tape(const char *path, int flags)
{
    return uns_quiet_open(path, flags | O_WRONLY | O_NOFOLLOW | O_NOCTTY, 0600);
}

static bool is_capture(const char *name)
{
    size_t len = strlen(name), end = strlen(SUFFIX);

    return len > end && strcmp(name + len - end, SUFFIX) == 0;
}

static unsigned count_captures(const char *dir)
{
    DIR *list = opendir(dir);
    const struct dirent *entry;
    unsigned count = 0;

    while (list != NULL && (entry = readdir(list)) != NULL)
        count += is_capture(entry->d_name);
    if (list != NULL)
        closedir(list);
    return count;
}

static bool is_ours(const char *dir)
{
    struct stat st;

    return stat(dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

/* "/dir/20261130T142101Z-4711-1-0.capture" */
static bool name_it(struct uns_tape_file *file, const char *dir,
                    unsigned number, unsigned seq)
{
    char when[UNS_CLOCK_STAMP];
    int len;

    if (!uns_clock_stamp(when))
        return false;
    len = snprintf(file->path, sizeof file->path, "%s/%s-%ld-%u-%u" SUFFIX, dir,
                   when, (long)getpid(), number, seq);
    return len > 0 && (size_t)len < sizeof file->path;
}

static enum uns_err make(struct uns_tape_file *file, const char *dir,
                         unsigned number, unsigned seq)
{
    int fd;

    if (!is_ours(dir))
        return UNS_UNSUPPORTED;
    if (count_captures(dir) >= UNS_TAPE_FILES)
        return UNS_TOOBIG;
    if (!name_it(file, dir, number, seq))
        return UNS_TOOBIG;
    fd = open_tape(file->path, O_CREAT | O_EXCL);
    if (fd < 0)
        return UNS_IO;
    close(fd);
    file->size = 0;
    file->pid = getpid();
    return UNS_OK;
}

enum uns_err uns_tape_file_make(struct uns_tape_file *file, const char *dir,
                                unsigned number, unsigned seq)
{
    struct uns_quiet quiet;
    enum uns_err err;

    uns_quiet_begin(&quiet);
    err = make(file, dir, number, seq);
    uns_quiet_end(&quiet);
    if (err != UNS_OK)
        uns_log("%s: nothing is captured there: %s", dir, uns_err_str(err));
    return err;
}

static bool write_all(int fd, const struct uns_slice *slices, size_t count,
                      size_t *ret_size)
{
    struct iovec parts[SLICES];
    size_t size = 0;
    ssize_t written;

    for (size_t i = 0; i < count; i++) {
        parts[i].iov_base = (void *)(uintptr_t)slices[i].data;
        parts[i].iov_len = slices[i].len;
        size += slices[i].len;
    }
    do
        written = writev(fd, parts, (int)count);
    while (written < 0 && errno == EINTR);
    *ret_size = size;
    return written == (ssize_t)size;
}

enum uns_err uns_tape_file_add(struct uns_tape_file *file,
                               const struct uns_slice *slices, size_t count)
{
    struct uns_quiet quiet;
    enum uns_err err = UNS_IO;
    size_t size = 0;
    int fd;

    if (count > SLICES || file->pid != getpid())
        return UNS_UNSUPPORTED;
    uns_quiet_begin(&quiet);
    fd = open_tape(file->path, O_APPEND);
    if (fd >= 0 && write_all(fd, slices, count, &size)) {
        file->size += size;
        err = UNS_OK;
    } else if (fd >= 0) {
        (void)!ftruncate(fd, (off_t)file->size);
    }
    if (fd >= 0)
        close(fd);
    uns_quiet_end(&quiet);
    if (err != UNS_OK)
        uns_log("%s: the capture ends early", file->path);
    return err;
}
