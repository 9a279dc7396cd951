/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_LEDGER_H
#define UNS_ENGINE_LEDGER_H

/* ledger - makes the record of a finished call and hands it to the journal.
 * Nothing secret enters it: no query, no userinfo, no header, no body (P3). */

#include "call.h"

/* What is known of a call before its end: who asked whom for what, and why
 * others were asked. */
void uns_ledger_request(const struct uns_call *call,
                        struct uns_call_record *record);

/* The same of an attempt: where it went, when and why, and how long it took to
 * connect if that is known to be over. */
void uns_ledger_sent(const struct uns_attempt *attempt,
                     struct uns_attempt_record *record);

/* Record the call.  It has left its lane; its handles still exist. */
void uns_ledger_enter(struct uns_call *call);

#endif
