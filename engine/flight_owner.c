/* SPDX-License-Identifier: MIT */
/* flight_owner - reads /proc, with plain open and read: in a host there is no
 * stdio of ours. */
#include "flight_owner.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Its beginning, as a text.  False: there is no such file. */
static bool read_text(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd < 0 ? -1 : read(fd, text, size - 1);

    if (fd >= 0)
        close(fd);
    text[len > 0 ? len : 0] = '\0';
    return len > 0;
}

/* The name, in brackets, may hold anything: what follows is counted from the
 * last bracket. */
static const char *field(const char *stat, int number)
{
    const char *at = strrchr(stat, ')');

    for (int i = 2; at && i < number; i++)
        at = strchr(at + 1, ' ');
    return at ? at + 1 : "";
}

enum {
    STATE = 3,
    THREADS = 20,
    START = 22
};

static bool read_stat(int32_t pid, char *text, size_t size)
{
    char path[32];

    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    return read_text(path, text, size);
}

enum uns_err uns_flight_owner_self(struct uns_flight_owner *ret)
{
    struct uns_flight_owner self = {.pid = getpid()};
    struct stat st;
    char text[1024];

    if (!read_stat(self.pid, text, sizeof text))
        return UNS_UNSUPPORTED;
    self.start = strtoull(field(text, START), NULL, 10);
    if (stat("/proc/self/ns/pid", &st) != 0 ||
        !read_text("/proc/sys/kernel/random/boot_id", self.boot,
                   sizeof self.boot))
        return UNS_UNSUPPORTED;
    self.pid_ns = st.st_ino;
    self.boot[strcspn(self.boot, "\n")] = '\0';
    *ret = self;
    return UNS_OK;
}

/* A first thread that has ended is shown as a zombie while others run. */
static bool is_zombie(const char *stat)
{
    char state = *field(stat, STATE);

    return (state == 'Z' || state == 'X') &&
           strtol(field(stat, THREADS), NULL, 10) <= 1;
}

bool uns_flight_owner_lives(int32_t pid, uint64_t start)
{
    char text[1024];

    return read_stat(pid, text, sizeof text) && !is_zombie(text) &&
           strtoull(field(text, START), NULL, 10) == start;
}

/* Not by device and inode: some file systems show others here than stat(). */
bool uns_flight_owner_maps(int32_t pid, const char *name)
{
    char path[32], *line = NULL;
    size_t size = 0;
    bool found = false;
    FILE *maps;

    (void)snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    if (!maps)
        return true;
    while (!found && getline(&line, &size, maps) > 0)
        found = strstr(line, name) != NULL;
    found |= ferror(maps) != 0;
    free(line);
    (void)fclose(maps);
    return found;
}
