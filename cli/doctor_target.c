/* SPDX-License-Identifier: MIT */
/* doctor_target - follows a name as execvp() and the kernel would: PATH, then
 * the #! line, then through env, down to a file that is no script. */
#include "doctor.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCRIPTS 5   /* interpreted by a script, at most: so does the kernel */
#define LINE    256 /* of the #! line that the kernel reads */
#define BLANK   " \t"

static bool is_program(const char *path)
{
    struct stat st;

    return access(path, X_OK) == 0 && stat(path, &st) == 0 &&
           S_ISREG(st.st_mode);
}

static bool find_in_path(const char *name, char ret_path[PATH_MAX])
{
    const char *list = getenv("PATH");
    char candidate[PATH_MAX];

    if (list == NULL)
        list = "/usr/local/bin:/usr/bin:/bin";
    while (*list != '\0') {
        int len = (int)strcspn(list, ":");
        int used = snprintf(candidate, sizeof candidate, "%.*s%s%s", len, list,
                            len ? "/" : "", name);

        if (used < PATH_MAX && is_program(candidate)) {
            memcpy(ret_path, candidate, (size_t)used + 1);
            return true;
        }
        list += len;
        list += *list == ':';
    }
    return false;
}

/* NULL, or why not. */
static const char *locate(const char *name, char ret_path[PATH_MAX])
{
    if (strchr(name, '/') == NULL)
        return find_in_path(name, ret_path) ? NULL : "not found in PATH";
    if (strlen(name) >= PATH_MAX || access(name, F_OK) != 0)
        return "no such file";
    memcpy(ret_path, name, strlen(name) + 1);
    return is_program(name) ? NULL : "cannot be executed";
}

/* Its beginning, NUL-terminated; 0: it cannot be read, or is empty. */
static size_t read_head(const char *path, char head[LINE + 1])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd < 0 ? -1 : read(fd, head, LINE);

    if (fd >= 0)
        close(fd);
    head[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

/* The word at *at, which moves on behind it; NULL: there is none. */
static char *next_word(char **at)
{
    char *word = *at + strspn(*at, BLANK);
    size_t len = strcspn(word, BLANK);

    if (len == 0)
        return NULL;
    *at = word + len;
    if (word[len] != '\0')
        *(*at)++ = '\0';
    return word;
}

/* What env would run: the first word that is neither option nor variable. */
static char *behind_env(char *rest)
{
    char *word = next_word(&rest);

    while (word != NULL && (*word == '-' || strchr(word, '=') != NULL))
        word = next_word(&rest);
    return word;
}

static bool is_env(const char *path)
{
    return strcmp(uns_image_base(path), "env") == 0;
}

/* Who reads the script whose beginning is `head`; NULL: it is no script.
 * execvp() gives a text without a #! line to sh. */
static const char *interpreter(char *head, size_t len)
{
    char *rest = head + 2;
    const char *word;

    if (strlen(head) == len && strncmp(head, "#!", 2) != 0)
        return "/bin/sh";
    if (strncmp(head, "#!", 2) != 0)
        return NULL;
    rest[strcspn(rest, "\n")] = '\0';
    word = next_word(&rest);
    if (word != NULL && is_env(word))
        return behind_env(rest);
    return word;
}

const char *uns_doctor_target(const char *name, struct uns_target *ret_target)
{
    char head[LINE + 1] = {0};
    const char *wrong;

    *ret_target = (struct uns_target){0};
    snprintf(ret_target->name, sizeof ret_target->name, "%.255s",
             uns_image_base(name));
    for (int depth = 0; depth < SCRIPTS; depth++) {
        size_t len;
        const char *by;

        wrong = locate(name, ret_target->path);
        if (wrong != NULL)
            return depth ? "is a script whose interpreter is missing" : wrong;
        len = read_head(ret_target->path, head);
        by = len > 0 ? interpreter(head, len) : NULL;
        if (by == NULL) {
            if (realpath(ret_target->path, ret_target->real) == NULL)
                return "cannot be reached";
            snprintf(ret_target->called, sizeof ret_target->called, "%.255s",
                     uns_image_base(ret_target->path));
            return NULL;
        }
        if (depth == 0)
            memcpy(ret_target->script, ret_target->path, PATH_MAX);
        name = by;
    }
    return "is a script that leads from script to script";
}
