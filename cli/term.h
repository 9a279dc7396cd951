/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_TERM_H
#define UNS_CLI_TERM_H

/* term - what standard output can show, and colours by what they say. */

#include <stdbool.h>
#include <stdio.h>

struct uns_term {
    int width;  /* $COLUMNS, else the terminal's; 0: no terminal */
    bool utf8;  /* the locale's characters */
    bool color; /* a terminal, without NO_COLOR or TERM=dumb */
};

enum uns_hue {
    UNS_HUE_PLAIN,
    UNS_HUE_BOLD,
    UNS_HUE_DIM,
    UNS_HUE_GOOD,
    UNS_HUE_WARN,
    UNS_HUE_BAD,
    UNS_HUE_COUNT
};

struct uns_term uns_term_stdout(void);

/* The escape sequence that begins a hue; PLAIN ends all. */
const char *uns_term_hue(enum uns_hue hue);

#endif
