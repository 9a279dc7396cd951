/* SPDX-License-Identifier: MIT */
#ifndef UNS_REPEAT_H
#define UNS_REPEAT_H

/* Events that repeat the last one but for their text, and for what nobody asks
 * for; for stream.c, and for told_pattern.c, which asks for more. */

#include "stream.h"

/* Does `input` begin with such an event?  Returns its length, and where its
 * holes are is in stream->repeat; 0: it does not.  Nothing has happened yet. */
size_t uns_repeat_find(struct uns_stream *stream, struct uns_slice input);

/* The event that was found, `len` bytes, is the next of the stream: it is
 * counted.  Returns its news. */
unsigned uns_repeat_use(struct uns_stream *stream, const char *event,
                        size_t len);

/* An event has ended before `rest`, in a piece of input that began at `piece`:
 * note it, if it was whole and nothing but text. */
void uns_repeat_take(struct uns_stream *stream, const char *piece,
                     const char *rest);

/* Length of the last event, if it is noted. */
size_t uns_repeat_length(const struct uns_repeat *repeat);

/* The last event, which is noted, is `event`: from now on only some of its
 * holes may differ, bit 1 << n of `open` for hole n.  They are numbered anew.
 */
void uns_repeat_narrow(struct uns_repeat *repeat, const char *event,
                       unsigned open);

#endif
