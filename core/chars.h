/* SPDX-License-Identifier: MIT */
#ifndef UNS_CHARS_H
#define UNS_CHARS_H

/*
 * chars - JSON strings character by character, so that two of them can be
 * compared by what they say although they are escaped differently, and one
 * can be cut where the other ends.
 */

#include "units.h"

/* Bytes that one character of a JSON string can stand for, or be written
 * with. */
enum {
    UNS_CHARS_BYTES = 4,
    UNS_CHARS_ESCAPED = 6
};

/* What stands at *at of the raw string (between the quotes), as UTF-8; *at
 * moves behind it.  An escape is one step, else each byte is one, whatever it
 * is part of.  Half a surrogate pair becomes three bytes of its own, and so
 * equals itself alone.  Returns the number of bytes in `out`; 0: the end. */
size_t uns_chars_next(struct uns_slice raw, size_t *at,
                      char out[UNS_CHARS_BYTES]);

/* `c` as it has to stand in a JSON string.  Returns the number of bytes. */
size_t uns_chars_escape(char c, char out[UNS_CHARS_ESCAPED]);

/* The same for a text; `out` may be NULL to learn the length. */
size_t uns_chars_escape_all(struct uns_slice text, char *out);

#endif
