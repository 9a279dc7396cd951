/* SPDX-License-Identifier: MIT */
/*
 * flight_file - files and mappings.  Its descriptors live for some system
 * calls: a host may close what it does not know, and fork.
 */
#include "flight_file.h"

#include "flight_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#define SUFFIX ".flight"
#define TAKEN  ".taken"

/* Of what is free there, others need most. */
#define SHARE 4

static size_t size_for(uint32_t slots)
{
    return UNS_FLIGHT_HEAD_BYTES + slots * sizeof(struct uns_flight_slot);
}

static uint64_t monotonic_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* --- making one -----------------------------------------------------------*/

static bool has_space(int fd, size_t bytes)
{
    struct statvfs fs;

    return fstatvfs(fd, &fs) == 0 &&
           (uint64_t)fs.f_bavail * fs.f_frsize / SHARE >= bytes;
}

static bool map(int fd, size_t bytes, int protection,
                struct uns_flight_file *file)
{
    void *at = mmap(NULL, bytes, protection, MAP_SHARED, fd, 0);

    if (at == MAP_FAILED)
        return false;
    file->head = at;
    file->slots =
        (struct uns_flight_slot *)(void *)((char *)at + UNS_FLIGHT_HEAD_BYTES);
    file->bytes = bytes;
    return true;
}

/* A new name in `dir`, the file with all its blocks. */
static bool make(int dir, const char *name, struct uns_flight_file *file,
                 size_t bytes)
{
    int fd = openat(dir, name,
                    O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool made;

    if (fd < 0)
        return false;
    made = fchmod(fd, 0600) == 0 && has_space(fd, bytes) &&
           posix_fallocate(fd, 0, (off_t)bytes) == 0 &&
           map(fd, bytes, PROT_READ | PROT_WRITE, file);
    if (!made)
        (void)unlinkat(dir, name, 0);
    close(fd);
    return made;
}

static bool make_in(const char *store, unsigned place, size_t bytes,
                    struct uns_flight_file *file)
{
    char dir[PATH_MAX], name[64];
    int fd, len;
    bool made;

    if (uns_flight_place(store, place, dir) != UNS_OK)
        return false;
    fd = uns_flight_place_make(store, place, dir);
    if (fd < 0)
        return false;
    (void)snprintf(name, sizeof name, "%d-%llx" SUFFIX, (int)getpid(),
                   (unsigned long long)monotonic_ns());
    len = snprintf(file->path, sizeof file->path, "%s/%s", dir, name);
    made = len < PATH_MAX && make(fd, name, file, bytes);
    close(fd);
    return made;
}

enum uns_err uns_flight_file_create(const char *store,
                                    const struct uns_flight_owner *self,
                                    uint32_t slots,
                                    struct uns_flight_file *ret_file)
{
    struct uns_flight_head head;
    bool made = false;

    if (strlen(store) >= sizeof head.store)
        return UNS_TOOBIG;
    for (unsigned i = 0; i < UNS_FLIGHT_PLACES && !made; i++)
        made = make_in(store, i, size_for(slots), ret_file);
    if (!made)
        return UNS_IO;
    uns_flight_head_init(&head, slots);
    head.pid = self->pid;
    head.pid_ns = self->pid_ns;
    head.start = self->start;
    head.opened_ns = monotonic_ns();
    memcpy(head.boot, self->boot, sizeof head.boot);
    memcpy(head.store, store, strlen(store) + 1);
    memcpy(ret_file->head, &head, sizeof head);
    return UNS_OK;
}

/* --- reading somebody's ---------------------------------------------------*/

/* No file of another user, none with holes: a page that is missing would be a
 * signal. */
static bool is_sound(const struct stat *st)
{
    return S_ISREG(st->st_mode) && st->st_uid == geteuid() &&
           st->st_size >= (off_t)size_for(1) &&
           (uint64_t)st->st_blocks * 512 >= (uint64_t)st->st_size;
}

enum uns_err uns_flight_file_open(const char *path,
                                  struct uns_flight_file *ret_file)
{
    struct uns_flight_file file = {0};
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    bool mapped;

    if (fd < 0)
        return UNS_IO;
    mapped = fstat(fd, &st) == 0 && is_sound(&st) &&
             map(fd, (size_t)st.st_size, PROT_READ, &file);
    close(fd);
    if (!mapped)
        return UNS_UNSUPPORTED;
    if (!uns_flight_head_ok(file.head, file.bytes)) {
        uns_flight_file_close(&file);
        return UNS_UNSUPPORTED;
    }
    (void)snprintf(file.path, sizeof file.path, "%s", path);
    *ret_file = file;
    return UNS_OK;
}

void uns_flight_file_close(struct uns_flight_file *file)
{
    if (file->head)
        (void)munmap(file->head, file->bytes);
    file->head = NULL;
}

/* --- whose is it? ---------------------------------------------------------*/

static const char *name_of(const char *path)
{
    return strrchr(path, '/') + 1;
}

/* Somebody has claimed it, and still lives. */
static bool is_being_taken(const char *path)
{
    const char *claim = strstr(name_of(path), SUFFIX ".");
    char *end;
    long pid;

    if (!claim)
        return false;
    pid = strtol(claim + strlen(SUFFIX "."), &end, 10);
    return *end == '-' && pid > 0 &&
           uns_flight_owner_lives((int32_t)pid, strtoull(end + 1, NULL, 10));
}

bool uns_flight_file_is_orphan(const struct uns_flight_file *file,
                               const struct uns_flight_owner *self,
                               bool thorough)
{
    const struct uns_flight_head *head = file->head;

    if (head->pid_ns != self->pid_ns || strcmp(head->boot, self->boot) != 0 ||
        is_being_taken(file->path))
        return false;
    if (head->pid == self->pid && head->start == self->start)
        return true; /* left behind by an exec of ours */
    if (!uns_flight_owner_lives(head->pid, head->start))
        return true;
    return thorough && !strstr(name_of(file->path), TAKEN) &&
           !uns_flight_owner_maps(head->pid, name_of(file->path));
}

bool uns_flight_file_is_alive(const struct uns_flight_file *file,
                              const struct uns_flight_owner *self)
{
    const struct uns_flight_head *head = file->head;

    return head->pid_ns == self->pid_ns &&
           strcmp(head->boot, self->boot) == 0 &&
           uns_flight_owner_lives(head->pid, head->start) &&
           uns_flight_owner_maps(head->pid, name_of(file->path));
}

/* Without the mark of who has claimed it. */
static void plain_path(const char *path, char ret_path[PATH_MAX])
{
    const char *end = strstr(name_of(path), SUFFIX);
    int len = end ? (int)(end - path) + (int)strlen(SUFFIX) : (int)strlen(path);

    (void)snprintf(ret_path, PATH_MAX, "%.*s", len, path);
}

bool uns_flight_file_claim(struct uns_flight_file *file,
                           const struct uns_flight_owner *self)
{
    char plain[PATH_MAX], taken[PATH_MAX];
    int len;

    plain_path(file->path, plain);
    len =
        snprintf(taken, sizeof taken, "%.*s.%d-%llu" TAKEN, (int)strlen(plain),
                 plain, (int)self->pid, (unsigned long long)self->start);
    if (len >= PATH_MAX || rename(file->path, taken) != 0)
        return false;
    memcpy(file->path, taken, sizeof taken);
    return true;
}

void uns_flight_file_unclaim(struct uns_flight_file *file)
{
    char plain[PATH_MAX];

    plain_path(file->path, plain);
    if (rename(file->path, plain) == 0)
        memcpy(file->path, plain, sizeof plain);
}

/* --- finding them ---------------------------------------------------------*/

static void each_in(const char *dir, uns_flight_file_fn *each, void *arg)
{
    int fd = uns_flight_place_open(dir);
    DIR *list = fd < 0 ? NULL : fdopendir(fd);
    const struct dirent *entry;
    char path[PATH_MAX];

    if (!list) {
        if (fd >= 0)
            close(fd);
        return;
    }
    while ((entry = readdir(list)) != NULL) {
        int len = snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);

        if (strstr(entry->d_name, SUFFIX) && len < PATH_MAX)
            each(arg, path);
    }
    (void)closedir(list);
}

void uns_flight_file_each(const char *store, uns_flight_file_fn *each,
                          void *arg)
{
    char dir[PATH_MAX];

    for (unsigned i = 0; i < UNS_FLIGHT_PLACES; i++)
        if (uns_flight_place(store, i, dir) == UNS_OK)
            each_in(dir, each, arg);
}
