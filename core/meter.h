/* SPDX-License-Identifier: MIT */
#ifndef UNS_METER_H
#define UNS_METER_H

/*
 * meter - what one attempt's clocks say, by the definitions of metrics.def.
 *
 * A gap is arrival(n+1) - ready(n): the network was silent AND the
 * application was ready to read (P7).  ready(n) is the moment at which the
 * application's callback for chunk n returned, or the last unpause; an attempt
 * whose bytes are held, or thrown away, is always ready.  Chunks of one piece
 * of input share one arrival, so there is no gap between them.
 */

#include "record.h"

struct uns_timeline;

struct uns_meter {
    uns_ns threshold_ns; /* a longer gap is a stall */
    uns_ns start_ns;
    uns_ns first_byte_ns, last_byte_ns; /* UNS_NEVER: not yet */
    uns_ns first_event_ns, last_event_ns;
    uns_ns first_content_ns, last_content_ns; /* content chunks only */
    uns_ns ready_ns;     /* since when the application waits for more */
    uns_ns app_until_ns; /* its time is in app_ns up to here */
    uns_ns paused_ns;    /* UNS_NEVER: not paused */
    uns_ns end_ns;
    uns_ns stall_ns, max_gap_ns, app_ns;
    int64_t stalls, chunks, bytes;
    struct uns_timeline *timeline; /* borrowed; NULL: none is kept */
};

/* `timeline` is borrowed until the meter is done with; NULL: none. */
void uns_meter_init(struct uns_meter *meter, uns_ns threshold_ns,
                    struct uns_timeline *timeline, uns_ns now_ns);

/* A piece of body arrived: `len` bytes that held `chunks` content chunks and,
 * if `event`, any event.  `structural`: proof of progress without payload. */
void uns_meter_piece(struct uns_meter *meter, size_t len, int64_t chunks,
                     bool event, bool structural, uns_ns now_ns);

/* The application's callback ran from..to, for the piece fed last, for one
 * that was held or for another transfer: it was not ready for as long.  What
 * was told before counts once; a pause counts by itself. */
void uns_meter_app(struct uns_meter *meter, uns_ns from_ns, uns_ns to_ns);

void uns_meter_pause(struct uns_meter *meter, uns_ns now_ns);
void uns_meter_unpause(struct uns_meter *meter, uns_ns now_ns);

/* End of the transfer; a pause ends with it. */
void uns_meter_end(struct uns_meter *meter, uns_ns now_ns);

/* Fill the metric members of a record, nulls as defined.  `countable`: gaps
 * mean something (a stream, and n <= 1).  ttft counts from `began_ns` (the
 * call's begin for a call, the attempt's start for an attempt), and so do the
 * first byte and event.  A call's wall_ms has to be there already, its
 * delivered_ms and the phases of the connection are the driver's. */
void uns_meter_call(const struct uns_meter *meter, bool streamed,
                    bool countable, uns_ns began_ns,
                    struct uns_call_record *record);
void uns_meter_attempt(const struct uns_meter *meter, bool streamed,
                       bool countable, struct uns_attempt_record *record);

#endif
