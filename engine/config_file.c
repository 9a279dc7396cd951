/* SPDX-License-Identifier: MIT */
/*
 * config_file - finds and reads the file: JSON with comments, into the tree,
 * each node with its line.  The text is checked by the walker, which knows
 * where it is; cJSON then reads a copy without the comments.  The working
 * directory is never looked at: who can write there must not decide where
 * requests go.
 */
#include "config_parts.h"
#include "core/walk.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX (1 << 20)
#define PIPE_MS  2000

/* A text that was read, NUL-terminated, and its name. */
struct text {
    char *data;
    size_t len;
};

/* A pipe, whose writer is slow.  It is not waited for for ever, in a host. */
static bool is_coming(int fd)
{
    struct pollfd pipe = {.fd = fd, .events = POLLIN};
    bool ready = poll(&pipe, 1, PIPE_MS) > 0;

    if (!ready)
        errno = ETIMEDOUT;
    return ready;
}

static bool fill(int fd, struct text *text)
{
    while (text->len < FILE_MAX) {
        ssize_t got = read(fd, text->data + text->len, FILE_MAX - text->len);

        if (got < 0 && (errno == EINTR || (errno == EAGAIN && is_coming(fd))))
            continue;
        if (got <= 0) {
            text->data[text->len] = '\0';
            return got == 0;
        }
        text->len += (size_t)got;
    }
    errno = EFBIG;
    return false;
}

/* Returns an errno; 0: it was read. */
static int read_file(const char *path, struct text *text)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int code = 0;
    struct stat st;

    if (fd < 0)
        return errno;
    text->data = malloc(FILE_MAX + 1);
    if (text->data == NULL)
        code = ENOMEM;
    else if (fstat(fd, &st) != 0)
        code = errno;
    else if (S_ISDIR(st.st_mode))
        code = EISDIR;
    else if (!fill(fd, text))
        code = errno;
    close(fd);
    return code;
}

/* The user's own file, there or not.  NULL: there is no place for one. */
static char *usual_path(struct uns_load *load)
{
    const char *xdg = uns_load_getenv(load, "XDG_CONFIG_HOME");
    const char *home = uns_load_getenv(load, "HOME");

    if (xdg != NULL && *xdg == '/')
        return uns_load_print(load, "%s/unstall/config.json", xdg);
    if (home != NULL && *home == '/')
        return uns_load_print(load, "%s/.config/unstall/config.json", home);
    return NULL;
}

/* The path that was asked for, or the first usual place with a file.  NULL:
 * none, or no memory.  *ret_asked: it must be there. */
static char *find_path(struct uns_load *load, bool *ret_asked)
{
    const char *asked = load->where->path;
    const char *usual;

    if (asked == NULL)
        asked = uns_load_getenv(load, "UNSTALL_CONFIG");
    *ret_asked = asked != NULL && *asked != '\0';
    if (*ret_asked)
        return uns_load_print(load, "%s", asked);
    if (load->where->environment == NULL)
        return NULL;
    usual = load->config->usual = usual_path(load);
    if (load->no_memory)
        return NULL;
    if (usual == NULL || access(usual, F_OK) != 0)
        usual = UNS_CONFIG_SYSTEM;
    return uns_load_print(load, "%s", usual);
}

static int line_of(const char *text, size_t at)
{
    int line = 1;

    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

/* A comma that closes a list is the most frequent mistake: say so. */
static bool is_extra_comma(const struct text *text, size_t at)
{
    if (at >= text->len || strchr("]}", text->data[at]) == NULL)
        return false;
    while (at > 0 && strchr(" \t\r\n", text->data[at - 1]) != NULL)
        at--;
    return at > 0 && text->data[at - 1] == ',';
}

static bool check_syntax(struct uns_load *load, const struct text *text)
{
    struct uns_walk walk;
    struct uns_walk_value value;
    const char *what = "this is not valid JSON: check quotes, commas and "
                       "brackets (comments are allowed)";

    uns_walk_init(&walk, text->data, text->len, true);
    while (uns_walk_next(&walk, &value))
        ;
    if (walk.ok)
        return true;
    if (is_extra_comma(text, walk.at))
        what = "there is a comma after the last item: remove it";
    if (!uns_messages_add(load->messages, true, "%s:%d: %s", load->config->path,
                          line_of(text->data, walk.at), what))
        load->no_memory = true;
    return false;
}

/* Both see the same values in the same order. */
static void note_lines(cJSON *node, struct uns_walk *walk, int *line,
                       size_t *seen)
{
    struct uns_walk_value value;

    for (; node != NULL && uns_walk_next(walk, &value); node = node->next) {
        size_t at = (size_t)(value.text.data - walk->text.data);

        *line += line_of(walk->text.data + *seen, at - *seen) - 1;
        *seen = at;
        node->valueint = *line;
        note_lines(node->child, walk, line, seen);
    }
}

static void check_twice(struct uns_load *load, const cJSON *object)
{
    const cJSON *child;
    const cJSON *other;

    cJSON_ArrayForEach(child, object)
    {
        for (other = object->child; other != child; other = other->next)
            if (cJSON_IsObject(object) &&
                strcmp(other->string, child->string) == 0)
                uns_load_error(load, child,
                               "%s is given twice, first in line %d: remove "
                               "one",
                               child->string, other->valueint);
        check_twice(load, child);
    }
}

/* What the walk lets pass and cJSON does not, such as half a surrogate pair, is
 * a mistake; without memory the second try fails as well, and so does the
 * message. */
static cJSON *build_tree(struct uns_load *load, const char *plain)
{
    cJSON *tree = cJSON_Parse(plain);

    if (tree == NULL)
        tree = cJSON_Parse(plain);
    if (tree == NULL &&
        !uns_messages_add(load->messages, true, "%s: %s", load->config->path,
                          "a text in it is not valid JSON: check quotes and "
                          "escapes (\\u)"))
        load->no_memory = true;
    return tree;
}

static bool parse(struct uns_load *load, struct text *text)
{
    struct uns_walk walk;
    char *plain;
    int line = 1;
    size_t seen = 0;

    if (!check_syntax(load, text))
        return false;
    plain = strdup(text->data);
    if (plain == NULL)
        return false;
    cJSON_Minify(plain);
    load->config->tree = build_tree(load, plain);
    free(plain);
    if (load->config->tree == NULL)
        return false;
    uns_walk_init(&walk, text->data, text->len, true);
    note_lines(load->config->tree, &walk, &line, &seen);
    if (!cJSON_IsObject(load->config->tree)) {
        uns_load_error(load, load->config->tree,
                       "the file must hold one object: put { } around it");
        return false;
    }
    check_twice(load, load->config->tree);
    return true;
}

bool uns_load_file(struct uns_load *load)
{
    struct text text = {0};
    bool asked;
    bool good = true;
    int code;

    load->config->path = find_path(load, &asked);
    if (load->config->path == NULL)
        return !load->no_memory;
    code = read_file(load->config->path, &text);
    if (code == 0 && text.data != NULL) {
        good = parse(load, &text);
    } else if (asked || (code != ENOENT && code != ENOTDIR)) {
        if (code == ENOMEM ||
            !uns_messages_add(load->messages, true,
                              "%s: cannot be read (%s): name a file that "
                              "can be",
                              load->config->path, strerror(code)))
            load->no_memory = true;
        good = false;
    } else {
        free(load->config->path);
        load->config->path = NULL;
    }
    free(text.data);
    return good;
}
