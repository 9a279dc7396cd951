/* SPDX-License-Identifier: MIT */
#ifndef UNS_REPEAT_H
#define UNS_REPEAT_H

/* Events that repeat the last one but for their text, and for what nobody asks
 * for; for stream.c alone. */

#include "stream.h"

/* The event that `input` begins with, if it is one: it is eaten and counted.
 * Returns its news; 0: it is not, and nothing has happened. */
unsigned uns_repeat_use(struct uns_stream *stream, struct uns_slice *input);

/* An event has ended before `rest`, in a piece of input that began at `piece`:
 * note it, if it was whole and nothing but text. */
void uns_repeat_take(struct uns_stream *stream, const char *piece,
                     const char *rest);

#endif
