/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_TRACK_H
#define UNS_ENGINE_TRACK_H

/*
 * track - what a call in flight leaves in the flight recorder, step by step,
 * so that its record is whole whenever the process dies (P4).  Like the
 * ledger's it has nothing secret in it (P3).  A call without a slot leaves
 * nothing; nobody has to ask.
 */

#include "call.h"

struct uns_entry;

/* The call is about to be sent. */
void uns_track_begin(struct uns_call *call);

/* It was not. */
void uns_track_withdraw(struct uns_call *call);

/* Its facts have become others: the request was read, a rival was launched. */
void uns_track_facts(struct uns_call *call);

/* Something became of an attempt: a piece, a status, its end. */
void uns_track_attempt(struct uns_attempt *attempt);

/* libcurl has looked at the call's transfers. */
void uns_track_beat(struct uns_call *call, uns_ns now_ns);

/* It is over, and this is its record: it stays in the recorder until the store
 * has it (entry->slot). */
void uns_track_end(struct uns_call *call, struct uns_entry *entry);

#endif
