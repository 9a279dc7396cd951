/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_GATE_H
#define UNS_ENGINE_GATE_H

/*
 * gate - the faults of UNSTALL_INJECT, played on attempt 0.
 *
 *   libcurl -> take -> | pieces | -> pump, when their time has come -> attempt
 *
 * What arrives is queued, and given on between libcurl's calls, cut where
 * content chunks end, so that a stall, a drip or a cut falls exactly there.
 * The attempt cannot tell it from a server that behaves so.  An injected status
 * is a real answer to libcurl: it comes from a handle of ours whose connection
 * ends in this process (engine/stand_in.c).
 *
 * Without UNSTALL_INJECT no attempt has a gate.
 */

#include "call.h"

/* Give attempt 0 its gate, if faults are injected.  False: no memory. */
bool uns_gate_open(struct uns_attempt *primary);
void uns_gate_close(struct uns_attempt *primary);

/* libcurl's write and header callback for an attempt with a gate. */
size_t uns_gate_take(struct uns_attempt *a, enum uns_piece_kind kind,
                     const char *bytes, size_t len);

/* Outside libcurl: give on what is due. */
void uns_gate_pump(struct uns_call *call, uns_ns now_ns);

/* Something is still to come through, although libcurl may be done. */
bool uns_gate_holds(const struct uns_attempt *a);

/* When to pump again; UNS_NEVER: nothing waits for its time. */
uns_ns uns_gate_deadline(const struct uns_call *call);

#endif
