/* SPDX-License-Identifier: MIT */
/*
 * key - reads a source's credential when it is needed and writes it straight
 * into the header line.  A file's permissions are looked at on the open
 * descriptor, so what was checked is what is read.
 */
#include "key.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const prefixes[] = {
    [UNS_AUTH_BEARER] = "Authorization: Bearer ",
    [UNS_AUTH_X_API_KEY] = "x-api-key: ",
    [UNS_AUTH_API_KEY] = "api-key: ",
    [UNS_AUTH_X_GOOG_API_KEY] = "x-goog-api-key: ",
};

static const enum uns_auth by_dialect[UNS_DIALECT_COUNT] = {
    [UNS_DIALECT_ANTHROPIC] = UNS_AUTH_X_API_KEY,
    [UNS_DIALECT_GEMINI] = UNS_AUTH_X_GOOG_API_KEY,
};

static enum uns_auth auth_of(const struct uns_source *source,
                             enum uns_dialect dialect)
{
    if (source->auth != UNS_AUTH_AUTO)
        return source->auth;
    return by_dialect[dialect] ? by_dialect[dialect] : UNS_AUTH_BEARER;
}

static const char unreadable[] = "cannot be read";

/* The file, open; -1: *ret_why says what is wrong with it (`unreadable`: errno
 * does). */
static int open_private(const char *path, const char **ret_why)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    struct stat st;

    *ret_why = NULL;
    if (fd < 0 || fstat(fd, &st) != 0)
        *ret_why = unreadable;
    else if (!S_ISREG(st.st_mode))
        *ret_why = "is no regular file: name one that is";
    else if (st.st_uid != geteuid())
        *ret_why = "belongs to somebody else: use a file of your own";
    else if ((st.st_mode & 077) != 0)
        *ret_why = "can be read by others: chmod 600 it";
    if (*ret_why == NULL)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

const char *uns_key_file_advice(const char *path)
{
    return *path == '~' ? "~ is not expanded here; write the whole path"
                        : "name a file that can be read";
}

bool uns_key_file_is_private(const char *path, struct uns_room why)
{
    const char *text;
    int fd = open_private(path, &text);

    if (fd >= 0)
        close(fd);
    else if (text == unreadable)
        snprintf(why.data, why.size, "%s (%s): %s", text, strerror(errno),
                 uns_key_file_advice(path));
    else
        snprintf(why.data, why.size, "%s", text);
    return fd >= 0;
}

/* Without the blank characters that editors leave at the end. */
static enum uns_err finish(char *key, size_t len)
{
    while (len > 0 && strchr(" \t\r\n", key[len - 1]) != NULL)
        len--;
    key[len] = '\0';
    if (len == 0)
        return UNS_NOTFOUND;
    for (size_t i = 0; i < len; i++)
        if ((unsigned char)key[i] < ' ' || key[i] == 0x7f)
            return UNS_SYNTAX;
    return UNS_OK;
}

static enum uns_err read_file(const char *path, char *key, size_t room)
{
    const char *why;
    int fd = open_private(path, &why);
    size_t len = 0;
    ssize_t got = 1;

    if (fd < 0)
        return access(path, F_OK) == 0 ? UNS_UNSUPPORTED : UNS_NOTFOUND;
    while (got != 0 && len < room) {
        got = read(fd, key + len, room - len);
        if (got < 0 && errno != EINTR)
            break;
        if (got > 0)
            len += (size_t)got;
    }
    close(fd);
    if (got < 0)
        return UNS_IO;
    return len == room ? UNS_TOOBIG : finish(key, len);
}

static enum uns_err read_variable(const char *name, char *key, size_t room)
{
    const char *value = getenv(name);
    size_t len = value ? strlen(value) : 0;

    if (len >= room)
        return UNS_TOOBIG;
    if (len > 0)
        memcpy(key, value, len);
    return finish(key, len);
}

static enum uns_err write_line(const struct uns_source *source,
                               const char *prefix, char line[UNS_KEY_BYTES])
{
    size_t len = strlen(prefix);

    memcpy(line, prefix, len);
    if (source->api_key_file != NULL)
        return read_file(source->api_key_file, line + len, UNS_KEY_BYTES - len);
    return read_variable(source->api_key_env, line + len, UNS_KEY_BYTES - len);
}

enum uns_err uns_key_header(const struct uns_source *source,
                            enum uns_dialect dialect,
                            char ret_line[UNS_KEY_BYTES])
{
    enum uns_auth auth = auth_of(source, dialect);
    int before = errno;
    enum uns_err err;

    ret_line[0] = '\0';
    if (auth == UNS_AUTH_NONE ||
        (source->api_key_env == NULL && source->api_key_file == NULL))
        return UNS_OK;
    err = write_line(source, prefixes[auth], ret_line);
    if (err != UNS_OK)
        uns_key_wipe(ret_line);
    errno = before;
    return err;
}

void uns_key_wipe(char line[UNS_KEY_BYTES])
{
    explicit_bzero(line, UNS_KEY_BYTES);
}
