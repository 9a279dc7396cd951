/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_FAULT_PLAY_H
#define UNS_ENGINE_FAULT_PLAY_H

/* fault_play - gives on what waits in an attempt's fault.h, when and as far as
 * the faults let it. */

#include "call.h"

/* Outside libcurl: give on what is due. */
void uns_fault_play(struct uns_call *call, uns_ns now_ns);

#endif
