/* SPDX-License-Identifier: MIT */
/*
 * run_preload - finds libunstall.so beside the program (build/unstall), or in
 * ../lib/unstall (installed), and puts it into LD_PRELOAD.  It goes last: what
 * is there may have to be first (a sanitizer's runtime).  The loader splits
 * the list at spaces and colons, so a library below such a path is reached
 * through a link to its directory, in a directory that is ours alone.
 */
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIBRARY "libunstall.so"

static const char *const places[] = {"", "../lib/unstall/"};

bool uns_run_preload_find(char ret_path[PATH_MAX])
{
    char self[PATH_MAX];
    char candidate[PATH_MAX + 64];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;

    if (len <= 0)
        return false;
    self[len] = '\0';
    slash = strrchr(self, '/');
    if (slash == NULL)
        return false;
    slash[1] = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(candidate, sizeof candidate, "%s%s" LIBRARY, self, places[i]);
        if (access(candidate, R_OK) == 0 &&
            realpath(candidate, ret_path) != NULL)
            return true;
    }
    return false;
}

static bool can_preload(const char *path)
{
    return strpbrk(path, " :") == NULL;
}

/* A directory of ours alone, made when missing. */
static bool is_private(const char *path)
{
    struct stat st;

    if (mkdir(path, 0700) != 0 && errno != EEXIST)
        return false;
    return lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
           st.st_uid == geteuid() && (st.st_mode & 077) == 0;
}

/* Where links may be kept; false: nowhere. */
static bool find_private(char dir[PATH_MAX])
{
    static const struct {
        const char *variable, *below;
    } homes[] = {
        {"XDG_RUNTIME_DIR", "/unstall" },
        {"XDG_STATE_HOME",  "/unstall" },
        {"HOME",            "/.unstall"},
    };

    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        const char *home = getenv(homes[i].variable);

        if (home == NULL || *home != '/')
            continue;
        snprintf(dir, PATH_MAX, "%.3000s%s", home, homes[i].below);
        if (can_preload(dir) && is_private(dir))
            return true;
    }
    return false;
}

/* A link to the library's directory, named after what it points to: whoever
 * made it before made the same one. */
static bool bridge(char path[PATH_MAX])
{
    char dir[PATH_MAX];
    char link[PATH_MAX + 64];
    char there[PATH_MAX];
    char *slash = strrchr(path, '/');
    struct stat st;

    *slash = '\0';
    if (stat(path, &st) != 0 || !find_private(dir))
        return false;
    snprintf(link, sizeof link, "%s/lib-%llx-%llx", dir,
             (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
    if (realpath(link, there) == NULL || strcmp(there, path) != 0) {
        unlink(link);
        if (symlink(path, link) != 0 && errno != EEXIST)
            return false;
    }
    return snprintf(path, PATH_MAX, "%s/" LIBRARY, link) < PATH_MAX;
}

/* Is `path` an item of the list? */
static bool is_listed(const char *list, const char *path)
{
    size_t len = strlen(path);

    while (*list != '\0') {
        size_t item = strcspn(list, " :");

        if (item == len && memcmp(list, path, len) == 0)
            return true;
        list += item;
        list += strspn(list, " :");
    }
    return false;
}

static bool add_to_list(const char *path)
{
    const char *list = getenv("LD_PRELOAD");
    char *grown = NULL;
    bool good;

    if (list == NULL || *list == '\0')
        return setenv("LD_PRELOAD", path, 1) == 0;
    if (is_listed(list, path))
        return true;
    if (asprintf(&grown, "%s:%s", list, path) < 0)
        return false;
    good = setenv("LD_PRELOAD", grown, 1) == 0;
    free(grown);
    return good;
}

bool uns_run_preload(void)
{
    char path[PATH_MAX];

    if (!uns_run_preload_find(path)) {
        fputs("unstall: " LIBRARY " is neither beside this program nor in "
              "../lib/unstall: install or build it\n",
              stderr);
        return false;
    }
    if (!can_preload(path) && !bridge(path)) {
        fprintf(stderr,
                "unstall: %s cannot be preloaded: there is a space or colon in "
                "its path; install it elsewhere, or set XDG_RUNTIME_DIR to a "
                "directory of your own\n",
                path);
        return false;
    }
    if (add_to_list(path))
        return true;
    fputs("unstall: out of memory\n", stderr);
    return false;
}
