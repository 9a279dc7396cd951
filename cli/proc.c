/* SPDX-License-Identifier: MIT */
/* proc - reads /proc/PID: environ, maps, cmdline, stat, exe, root. */
#include "proc.h"

#include "image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BLOCK_BYTES ((size_t)4 << 20) /* more than the kernel lets it have */
#define SLACK_US    1000000           /* clocks of ticks are no finer */

static void path_of(const struct uns_proc *proc, const char *name,
                    char ret_path[64])
{
    snprintf(ret_path, 64, "/proc/%ld/%s", (long)proc->pid, name);
}

/* All of a file of /proc, NUL-terminated; NULL: it cannot be read. */
static char *read_all(const struct uns_proc *proc, const char *name,
                      size_t *ret_len)
{
    char path[64];
    char *text = malloc(BLOCK_BYTES + 1);
    ssize_t got = 1;
    size_t len = 0;
    int fd;

    path_of(proc, name, path);
    fd = open(path, O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && text != NULL && got > 0 && len < BLOCK_BYTES) {
        got = read(fd, text + len, BLOCK_BYTES - len);
        len += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0)
        close(fd);
    if (fd < 0 || text == NULL || got < 0) {
        free(text);
        return NULL;
    }
    text[len] = '\0';
    *ret_len = len;
    return text;
}

static void read_environment(struct uns_proc *proc)
{
    size_t len = 0, count = 0;

    proc->block = read_all(proc, "environ", &len);
    if (proc->block == NULL)
        return;
    for (size_t i = 0; i < len; i++)
        count += proc->block[i] == '\0';
    proc->environment = calloc(count + 2, sizeof(char *));
    if (proc->environment == NULL)
        return;
    count = 0;
    for (size_t at = 0; at < len; at += strlen(proc->block + at) + 1)
        proc->environment[count++] = proc->block + at;
}

static void add_libcurl(struct uns_proc *proc, const char *path)
{
    for (size_t i = 0; i < proc->libcurls; i++)
        if (strcmp(proc->libcurl[i], path) == 0)
            return;
    if (proc->libcurls < UNS_PROC_LIBCURLS)
        snprintf(proc->libcurl[proc->libcurls++], PATH_MAX, "%s", path);
}

/* One mapped file. */
static void note_mapped(struct uns_proc *proc, char *path)
{
    static const char deleted[] = " (deleted)";
    size_t len = strlen(path);
    bool gone = len > sizeof deleted &&
                strcmp(path + len - (sizeof deleted - 1), deleted) == 0;
    const char *base = uns_image_base(path);

    if (gone)
        path[len - (sizeof deleted - 1)] = '\0';
    if (strcmp(base, "libunstall.so") == 0) {
        proc->preload = true;
        proc->replaced = proc->replaced || gone;
    } else if (strcmp(base, "libunstall-engine.so") == 0) {
        proc->engine = true;
    } else if (uns_image_is_libcurl(path)) {
        add_libcurl(proc, path);
    }
}

static void read_maps(struct uns_proc *proc)
{
    char path[64];
    char *line = NULL;
    size_t cap = 0;
    FILE *maps;

    path_of(proc, "maps", path);
    maps = fopen(path, "re");
    if (maps == NULL)
        return;
    while (getline(&line, &cap, maps) > 0) {
        char *slash = strchr(line, '/');

        proc->maps_known = true;
        if (slash == NULL)
            continue;
        slash[strcspn(slash, "\n")] = '\0';
        note_mapped(proc, slash);
    }
    free(line);
    (void)fclose(maps);
}

/* Written over the arguments: "php-fpm: master process (/etc/...)". */
static bool is_title(const char *text)
{
    return *text != '/' && strstr(text, ": ") != NULL;
}

/* The kernel keeps 15 bytes of a name; its file may have the rest. */
static void lengthen(struct uns_proc *proc)
{
    const char *file = uns_image_base(proc->exe_name);
    size_t len = strlen(proc->name);

    if (len == 15 && strncmp(file, proc->name, len) == 0)
        snprintf(proc->name, sizeof proc->name, "%.255s", file);
}

/* The file is read through /proc, which holds it even when it was replaced;
 * its name for people is where that leads. */
static void read_names(struct uns_proc *proc)
{
    size_t len;
    char *text = read_all(proc, "cmdline", &len);
    ssize_t got;

    path_of(proc, "exe", proc->exe);
    got = readlink(proc->exe, proc->exe_name, sizeof proc->exe_name - 1);
    proc->exe_name[got > 0 ? got : 0] = '\0';
    if (text == NULL || *text == '\0' || is_title(text)) {
        free(text);
        text = read_all(proc, "comm", &len);
        if (text != NULL)
            text[strcspn(text, "\n")] = '\0';
    }
    snprintf(proc->name, sizeof proc->name, "%.255s",
             text ? uns_image_base(text) : "?");
    lengthen(proc);
    free(text);
}

static void read_root(struct uns_proc *proc)
{
    char path[64];
    struct stat theirs, ours;

    path_of(proc, "root", path);
    proc->other_root =
        stat(path, &theirs) == 0 && stat("/", &ours) == 0 &&
        (theirs.st_dev != ours.st_dev || theirs.st_ino != ours.st_ino);
}

static int64_t clock_us(clockid_t clock)
{
    struct timespec now;

    if (clock_gettime(clock, &now) != 0)
        return 0;
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* When it began, microseconds since 1970: an older process may have had its
 * number.  The 22nd field; the 2nd may have blanks and brackets in it. */
static int64_t started_us(const struct uns_proc *proc)
{
    size_t len;
    char *text = read_all(proc, "stat", &len);
    char *at = text ? strrchr(text, ')') : NULL;
    int64_t ticks = 0;

    for (int field = 2; at != NULL && field < 22; field++)
        at = strchr(at + 1, ' ');
    if (at != NULL)
        ticks = strtoll(at, NULL, 10);
    free(text);
    return clock_us(CLOCK_REALTIME) - clock_us(CLOCK_BOOTTIME) +
           ticks * 1000000 / sysconf(_SC_CLK_TCK) - SLACK_US;
}

bool uns_proc_open(struct uns_proc *proc, pid_t pid)
{
    char path[64];
    struct stat st;

    *proc = (struct uns_proc){.pid = pid};
    path_of(proc, "", path);
    if (stat(path, &st) != 0)
        return false;
    proc->owner = st.st_uid;
    read_environment(proc);
    read_maps(proc);
    read_names(proc);
    read_root(proc);
    proc->started_us = started_us(proc);
    return true;
}

void uns_proc_close(struct uns_proc *proc)
{
    free(proc->block);
    free(proc->environment);
    *proc = (struct uns_proc){0};
}
