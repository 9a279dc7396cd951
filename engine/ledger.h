/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_LEDGER_H
#define UNS_ENGINE_LEDGER_H

/* ledger - makes the record of a finished call and hands it to the journal.
 * Nothing secret enters it: no query, no userinfo, no header, no body (P3). */

#include "call.h"

/* Record the call.  It has left its lane; its handles still exist. */
void uns_ledger_enter(struct uns_call *call);

#endif
