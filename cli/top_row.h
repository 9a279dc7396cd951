/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_TOP_ROW_H
#define UNS_CLI_TOP_ROW_H

/* top_row - what a call in flight is at, as far as its flight recorder says. */

#include "core/flight.h"

enum uns_top_phase {
    UNS_TOP_CONNECTING,
    UNS_TOP_HEADERS, /* asked; no status yet */
    UNS_TOP_TOKEN,   /* a status; no content yet */
    UNS_TOP_STREAMING,
    UNS_TOP_SILENT, /* between two chunks, for longer than a stall takes */
    UNS_TOP_RACING, /* several requests, and none is the answer yet */
    UNS_TOP_PAUSED, /* by the program */
    UNS_TOP_PHASES
};

struct uns_top_row {
    const struct uns_call_record *call; /* of the view, borrowed */
    enum uns_top_phase phase;
    uns_ns elapsed_ns;
    uns_ns silent_ns;  /* since there was content, or since the call began */
    unsigned requests; /* in flight now */
    int64_t chunks;
    double chunks_per_s; /* since the first one; below 0: none can be told */
    double tokens_per_s; /* where usage told; below 0: it did not */
};

/* At `now_ns`, on the clock that the recorder uses. */
void uns_top_row(const struct uns_flight_view *view, uns_ns now_ns,
                 struct uns_top_row *ret_row);

/* "waiting for headers" */
const char *uns_top_phase_name(enum uns_top_phase phase);

#endif
