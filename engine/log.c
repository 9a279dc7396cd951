/* SPDX-License-Identifier: MIT */
/*
 * log - writes a message as one line.  The file is opened for each: messages
 * are rare, and hosts close descriptors that they do not know.  The variable
 * is read once, when the engine is loaded, since reading the environment is
 * not safe beside a host that changes it.
 */
#include "log.h"

#include "quiet.h"

#include "shim/program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES 1024

static char target[PATH_MAX]; /* "": nowhere */

static bool is_stderr(void)
{
    return strcmp(target, "stderr") == 0;
}

/* The host may change its directory later: a relative path is anchored. */
static void anchor(const char *path)
{
    char here[PATH_MAX];

    if (path[0] == '/')
        here[0] = '\0';
    else if (getcwd(here, sizeof here) == NULL)
        return;
    if ((size_t)snprintf(target, sizeof target, "%s%s%s", here,
                         path[0] == '/' ? "" : "/", path) >= sizeof target)
        target[0] = '\0';
}

void uns_log_to(const char *where)
{
    target[0] = '\0';
    if (where == NULL || where[0] == '\0')
        return;
    if (strcmp(where, "stderr") == 0)
        memcpy(target, "stderr", sizeof "stderr");
    else
        anchor(where);
}

__attribute__((constructor)) static void read_environment(void)
{
    uns_log_to(getenv("UNSTALL_LOG"));
}

/* Whatever a message quotes, it stays one line. */
static void flatten(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

/* "2026-07-30T12:00:00.123Z curl[4711]: " into `line`; its length. */
static size_t begin_line(char line[LINE_BYTES])
{
    struct timespec now;
    struct tm tm;
    size_t used;

    (void)clock_gettime(CLOCK_REALTIME, &now);
    if (gmtime_r(&now.tv_sec, &tm) == NULL)
        return 0;
    used = strftime(line, LINE_BYTES, "%Y-%m-%dT%H:%M:%S", &tm);
    used += (size_t)snprintf(line + used, LINE_BYTES - used,
                             ".%03ldZ %.64s[%ld]: ", now.tv_nsec / 1000000,
                             uns_program_name(), (long)getpid());
    return used;
}

/* O_NONBLOCK: a pipe that nobody reads must not hold up the host. */
static void put_line(const char *line, size_t len)
{
    ssize_t written;
    int fd;

    if (is_stderr()) {
        written = write(STDERR_FILENO, line, len);
        (void)written;
        return;
    }
    fd = open(target,
              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
              0600);
    if (fd < 0)
        return;
    written = write(fd, line, len);
    (void)written;
    close(fd);
}

void uns_log(const char *format, ...)
{
    struct uns_quiet quiet;
    char line[LINE_BYTES];
    va_list args;
    size_t used;

    if (target[0] == '\0')
        return;
    uns_quiet_begin(&quiet);
    used = begin_line(line);
    va_start(args, format);
    vsnprintf(line + used, sizeof line - used - 1, format, args);
    va_end(args);
    flatten(line);
    used = strlen(line);
    line[used] = '\n';
    put_line(line, used + 1);
    uns_quiet_end(&quiet);
}
