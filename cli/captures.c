/* SPDX-License-Identifier: MIT */
/* captures - a file goes if it is one of ours by its name, its kind, its owner
 * and its first line, and that line names a selected call.  No symbolic link
 * is followed: what goes lies in the directory itself. */
#include "captures.h"

#include "tape_read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".capture"

/* More than a first line can have. */
#define HEAD_BYTES 16384

int uns_captures_open(const char *dir)
{
    int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid())
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

static bool is_named_so(const char *name)
{
    size_t len = strlen(name), end = strlen(SUFFIX);

    return len > end && strcmp(name + len - end, SUFFIX) == 0;
}

/* Its begin; 0: it is no file of ours, or cannot be read. */
static size_t read_head(int dir, const char *name, char head[HEAD_BYTES])
{
    int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    ssize_t got = -1;

    if (fd < 0)
        return 0;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid())
        got = read(fd, head, HEAD_BYTES);
    close(fd);
    return got > 0 ? (size_t)got : 0;
}

static bool is_selected(sqlite3_stmt *stmt, const char *uuid)
{
    bool found;

    sqlite3_bind_text(stmt, sqlite3_bind_parameter_index(stmt, ":uuid"), uuid,
                      -1, SQLITE_TRANSIENT);
    found = sqlite3_step(stmt) == SQLITE_ROW;
    sqlite3_reset(stmt);
    return found;
}

static void look_at(int dir, const char *name, sqlite3_stmt *stmt,
                    struct uns_captures *captures)
{
    char head[HEAD_BYTES];
    struct uns_slice text = {head, read_head(dir, name, head)};
    struct uns_tape_text tape;
    const char *call;

    if (!uns_tape_read_is(text))
        return;
    call = uns_tape_read(text, &tape) == NULL
               ? uns_tape_read_word(&tape, "call")
               : NULL;
    if (call == NULL || !is_selected(stmt, call))
        captures->others++;
    else if (unlinkat(dir, name, 0) == 0)
        captures->gone++;
    else
        captures->failed++;
    uns_tape_read_done(&tape);
}

/* Its own descriptor: closedir() takes it. */
static DIR *list_of(int dir)
{
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd < 0 ? NULL : fdopendir(fd);

    if (list == NULL && fd >= 0)
        close(fd);
    return list;
}

bool uns_captures_delete(int dir, sqlite3 *db, const struct uns_select *select,
                         struct uns_captures *ret_captures)
{
    sqlite3_stmt *stmt = uns_select_prepare(
        db, "SELECT 1" UNS_SELECT_FROM " AND uuid = :uuid", select);
    DIR *list = stmt != NULL ? list_of(dir) : NULL;
    const struct dirent *entry;

    *ret_captures = (struct uns_captures){0};
    while (list != NULL && (entry = readdir(list)) != NULL)
        if (is_named_so(entry->d_name))
            look_at(dir, entry->d_name, stmt, ret_captures);
    if (list != NULL)
        closedir(list);
    sqlite3_finalize(stmt);
    return stmt != NULL && list != NULL;
}
