/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_LOG_H
#define UNS_ENGINE_LOG_H

/* The one sink of messages: off, unless UNSTALL_LOG=stderr or a file's path. */

/* One line with time, program and process, in one write.  errno is kept. */
void uns_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Where to: "stderr", a path (a relative one starts at the present working
 * directory), NULL or "": nowhere.  $UNSTALL_LOG when the engine is loaded.
 * Not to be called while others log. */
void uns_log_to(const char *where);

#endif
