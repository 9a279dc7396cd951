/* SPDX-License-Identifier: MIT */
/*
 * post - curl(1) as a child: its configuration on descriptor 3, the body on
 * its standard input, both whole in memory before it starts, so that nobody
 * waits for anybody.  Its answer comes back with the status as the last line.
 */
#include "post.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONFIG_FD 3

/* Descriptors of one run; -1: not open. */
struct pipes {
    int config, body, errors;
    int answer[2];
};

/* Its own file of defaults is not read (--disable, which has to come first):
 * an alias of somebody's must not change what is sent. */
static const char options[] = "silent\n"
                              "show-error\n"
                              "connect-timeout = 10\n"
                              "max-time = 60\n"
                              "data-binary = \"@-\"\n"
                              "write-out = \"\\n%{http_code}\"\n"
                              "header = \"Content-Type: application/json\"\n";

static void put_escaped(FILE *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++)
        fprintf(out, text[i] == '"' || text[i] == '\\' ? "\\%c" : "%c",
                text[i]);
}

char *uns_post_config(const struct uns_post *post)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);

    if (out == NULL)
        return NULL;
    fputs(options, out);
    fputs("url = \"", out);
    put_escaped(out, post->url, strlen(post->url));
    fputs("\"\n", out);
    for (size_t i = 0; i < post->headers; i++) {
        const struct uns_export_header *header = &post->header[i];

        fputs("header = \"", out);
        put_escaped(out, header->name.data, header->name.len);
        fputs(": ", out);
        put_escaped(out, header->value, strlen(header->value));
        fputs("\"\n", out);
    }
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

/* Out of the way of those that the child is given; -1 stays -1. */
static int above(int fd)
{
    int high = fd >= 0 ? fcntl(fd, F_DUPFD_CLOEXEC, CONFIG_FD + 1) : -1;

    if (fd >= 0)
        close(fd);
    return high;
}

/* -1: it cannot be made. */
static int file_of(const char *text, size_t len)
{
    int fd = above(memfd_create("unstall", MFD_CLOEXEC));
    ssize_t wrote = 0;

    for (size_t at = 0; fd >= 0 && at < len; at += (size_t)wrote) {
        wrote = write(fd, text + at, len - at);
        if (wrote <= 0) {
            close(fd);
            return -1;
        }
    }
    if (fd >= 0)
        (void)lseek(fd, 0, SEEK_SET);
    return fd;
}

static bool open_pipe(int pair[2])
{
    if (pipe2(pair, O_CLOEXEC) != 0)
        return false;
    pair[0] = above(pair[0]);
    pair[1] = above(pair[1]);
    return pair[0] >= 0 && pair[1] >= 0;
}

static void close_all(struct pipes *pipes)
{
    int *const all[] = {&pipes->config, &pipes->body, &pipes->errors,
                        &pipes->answer[0], &pipes->answer[1]};

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (*all[i] >= 0)
            close(*all[i]);
        *all[i] = -1;
    }
}

static bool open_all(const struct uns_post *post, struct pipes *ret_pipes)
{
    char *config = uns_post_config(post);

    *ret_pipes = (struct pipes){
        -1, -1, -1, {-1, -1}
    };
    if (config != NULL)
        ret_pipes->config = file_of(config, strlen(config));
    free(config);
    ret_pipes->body = file_of(post->body, post->len);
    ret_pipes->errors = file_of("", 0);
    return ret_pipes->config >= 0 && ret_pipes->body >= 0 &&
           ret_pipes->errors >= 0 && open_pipe(ret_pipes->answer);
}

/* Ours, but that the child is none of the programs that we look at. */
static char **make_environment(void)
{
    static char off[] = "UNSTALL=off";
    size_t count = 0, kept = 0;
    char **list;

    while (environ[count] != NULL)
        count++;
    list = calloc(count + 2, sizeof *list);
    if (list == NULL)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], "UNSTALL=", sizeof "UNSTALL=" - 1) != 0)
            list[kept++] = environ[i];
    list[kept] = off;
    return list;
}

/* Returns an errno. */
static int start(const struct pipes *pipes, pid_t *ret_pid)
{
    static char name[] = "curl", disable[] = "--disable", config[] = "--config",
                path[] = "/dev/fd/3";
    char *const argv[] = {name, disable, config, path, NULL};
    posix_spawn_file_actions_t actions;
    char **environment = make_environment();
    int rc = environment ? posix_spawn_file_actions_init(&actions) : ENOMEM;

    if (rc != 0) {
        free(environment);
        return rc;
    }
    posix_spawn_file_actions_adddup2(&actions, pipes->body, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes->answer[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes->errors, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions, pipes->config, CONFIG_FD);
    rc = posix_spawnp(ret_pid, name, &actions, NULL, argv, environment);
    posix_spawn_file_actions_destroy(&actions);
    free(environment);
    return rc;
}

/* All that comes, as a text; what is over the room is read and dropped, but
 * for its end, where the status stands. */
static char *read_text(int fd, size_t room)
{
    char *text = malloc(room + 1);
    size_t len = 0;
    ssize_t got;

    if (text == NULL)
        return NULL;
    while ((got = read(fd, text + len, room - len)) > 0 ||
           (got < 0 && errno == EINTR)) {
        len += got > 0 ? (size_t)got : 0;
        if (len == room) {
            len = room / 2;
            memmove(text + len, text + room - len / 2, len / 2);
            len += len / 2;
        }
    }
    text[len] = '\0';
    return text;
}

/* The body, and behind its last line break the status. */
static void split_answer(char *text, struct uns_answer *ret_answer)
{
    char *end = text ? strrchr(text, '\n') : NULL;

    ret_answer->body = text;
    if (end == NULL)
        return;
    ret_answer->status = (int)strtol(end + 1, NULL, 10);
    *end = '\0';
}

/* What curl has said, without its line break. */
static void take_error(int fd, struct uns_answer *ret_answer)
{
    char *text;

    (void)lseek(fd, 0, SEEK_SET);
    text = read_text(fd, sizeof ret_answer->error - 1);
    if (text != NULL)
        snprintf(ret_answer->error, sizeof ret_answer->error, "%.*s",
                 (int)strcspn(text, "\n"), text);
    free(text);
}

static void cannot(struct uns_answer *ret_answer, int error)
{
    snprintf(ret_answer->error, sizeof ret_answer->error, "%s",
             error == ENOENT ? "curl is needed and was not found in PATH"
                             : strerror(error));
}

/* Of a transfer that broke, a status that came is none. */
static void wait_for(pid_t pid, struct uns_answer *answer)
{
    int status = -1;

    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return;
    answer->status = 0;
    if (*answer->error == '\0')
        snprintf(answer->error, sizeof answer->error, "curl was killed");
}

void uns_post_send(const struct uns_post *post, struct uns_answer *ret_answer)
{
    struct pipes pipes;
    pid_t pid = 0;
    int error;

    *ret_answer = (struct uns_answer){0};
    error = open_all(post, &pipes) ? start(&pipes, &pid) : errno;
    if (error != 0) {
        close_all(&pipes);
        cannot(ret_answer, error);
        return;
    }
    close(pipes.answer[1]);
    pipes.answer[1] = -1;
    split_answer(read_text(pipes.answer[0], UNS_POST_ANSWER), ret_answer);
    take_error(pipes.errors, ret_answer);
    wait_for(pid, ret_answer);
    close_all(&pipes);
}
