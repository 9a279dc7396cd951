/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_DELAY_TIMES_H
#define UNS_TESTS_DELAY_TIMES_H

/* delay_times - a window, what is put into it by hand, and the curve that is
 * made of it. */

#include "check.h"
#include "core/delay.h"

static struct uns_delay_window window;
static struct uns_delay_curve curve;

static inline void fresh(void)
{
    window = (struct uns_delay_window){0};
}

/* "3 5* 7": us, those with a star censored. */
static inline void feed(const char *times)
{
    for (const char *at = times; *at;) {
        int64_t us = 0;

        for (; *at >= '0' && *at <= '9'; at++)
            us = us * 10 + (*at - '0');
        uns_delay_add(&window, us, *at == '*');
        at += *at == '*';
        at += *at == ' ';
    }
}

#endif
