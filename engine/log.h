/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_LOG_H
#define UNS_ENGINE_LOG_H

/* The one sink of messages: off, unless UNSTALL_LOG=stderr or a file's path. */

void uns_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
