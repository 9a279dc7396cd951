/* SPDX-License-Identifier: MIT */
#ifndef UNS_VERDICT_H
#define UNS_VERDICT_H

/* What an event that is over means for its stream; for stream.c and repeat.c
 * alone. */

#include "stream.h"

/* Judge the pending event by what the scanner has seen of it: updates the
 * results, tells the sink.  Returns the event's news. */
unsigned uns_verdict(struct uns_stream *stream);

/* The numbers of tokens in the scanner's slots are the latest. */
void uns_verdict_usage(struct uns_stream *stream);

/* The body is over, and was one that we can read.  Returns the news. */
unsigned uns_verdict_end(struct uns_stream *stream);

#endif
