/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_TEXT_H
#define UNS_CLI_TEXT_H

/*
 * text - texts and numbers on their way to a terminal.  Names of programs and
 * models come from other programs and out of requests: whatever is in them, it
 * moves no cursor, hides nothing and looks like nothing else.
 */

#include "core/units.h"

#include <stdbool.h>

/* Room for a cleaned text of `size` bytes: each may become \u{10ffff}. */
#define UNS_TEXT_CLEAN_BYTES(size) ((size)*6 + 1)

/* Copy `text` with control characters, marks that change the direction, and
 * what is no UTF-8 written as \n, \x1b, \u{202e}; without `utf8` all that is
 * not ASCII.  Cut off, between characters, at `cap`.  Returns ret_clean. */
const char *uns_text_clean(char *ret_clean, size_t cap, const char *text,
                           bool utf8);

/* Columns of a terminal that a cleaned text takes. */
int uns_text_columns(const char *text);

/* How many bytes of a cleaned text fill `columns` at most. */
size_t uns_text_fit(const char *text, int columns);

#define UNS_TEXT_TIME 24

/* "812 ms", "12.30 s", "7 m 05 s", "2 h 10 m"; "-" for UNS_NULL. */
const char *uns_text_ms(char ret_text[UNS_TEXT_TIME], int64_t ms);

/* "2026-07-30 14:03:11" in local time; "-" for UNS_NULL. */
const char *uns_text_moment(char ret_text[UNS_TEXT_TIME], int64_t epoch_us);

/* The same, as short as tells it: "14:03:11" today, "07-30 14:03" within half
 * a year, else "2026-07-30". */
const char *uns_text_when(char ret_text[UNS_TEXT_TIME], int64_t epoch_us,
                          int64_t now_us);

/* The next character of UTF-8 at *text, which moves on behind it.  -1: the
 * byte there is no part of one (it moves on by one), 0: the end. */
int32_t uns_text_next(const char **text);

#endif
