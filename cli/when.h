/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_WHEN_H
#define UNS_CLI_WHEN_H

/* when - a moment as people give it on a command line. */

#include <stdbool.h>
#include <stdint.h>

/* A span back from now: "90s", "15m", "2h", "7d", "2w" ("1h30m"); or a local
 * time: "2026-07-30", "2026-07-30 14:03[:11]" (a T will do), "14:03[:11]"
 * (today), each with a Z for UTC.  Microseconds since the epoch. */
bool uns_when_parse(const char *text, int64_t now_us, int64_t *ret_us);

/* Microseconds since the epoch, by the wall clock. */
int64_t uns_when_now(void);

#endif
