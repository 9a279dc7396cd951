/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_JUDGE_H
#define UNS_ENGINE_JUDGE_H

/* judge - what an attempt's headers, bytes and end mean, in the race's words
 * (RUN, PROGRESS, FINISH, COMPLETE, LOST, REFUSED). */

#include "call.h"

/* A header line was read into attempt->head. */
void uns_judge_head(struct uns_attempt *attempt);

/* Body bytes that were not seen before. */
void uns_judge_body(struct uns_attempt *attempt, const char *bytes, size_t len);

/* The transfer is over: done, code. */
void uns_judge_end(struct uns_attempt *attempt, uns_ns now_ns);

#endif
