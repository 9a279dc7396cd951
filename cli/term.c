/* SPDX-License-Identifier: MIT */
/* term - asks the terminal, the environment and the locale. */
#include "term.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_MIN 40
#define WIDTH_MAX 1000

static int width(void)
{
    const char *columns = getenv("COLUMNS");
    long given = columns ? strtol(columns, NULL, 10) : 0;
    struct winsize size;

    if (given <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        given = size.ws_col;
    if (given <= 0)
        return isatty(STDOUT_FILENO) ? 80 : 0;
    if (given < WIDTH_MIN)
        return WIDTH_MIN;
    return given > WIDTH_MAX ? WIDTH_MAX : (int)given;
}

static bool has_color(void)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (no_color != NULL && *no_color != '\0')
        return false;
    return isatty(STDOUT_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

struct uns_term uns_term_stdout(void)
{
    struct uns_term term = {.width = width(), .color = has_color()};

    if (setlocale(LC_CTYPE, "") != NULL)
        term.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return term;
}

static const char *const sequences[UNS_HUE_COUNT] = {
    [UNS_HUE_PLAIN] = "\x1b[0m", [UNS_HUE_BOLD] = "\x1b[1m",
    [UNS_HUE_DIM] = "\x1b[2m",   [UNS_HUE_GOOD] = "\x1b[32m",
    [UNS_HUE_WARN] = "\x1b[33m", [UNS_HUE_BAD] = "\x1b[31m",
};

const char *uns_term_hue(enum uns_hue hue)
{
    return sequences[hue];
}
