/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_PROGRAM_H
#define UNS_SHIM_PROGRAM_H

/* program - what the program of this process is called: in records, in the log
 * and in the lists of UNSTALL_ONLY and UNSTALL_EXCEPT.  A title that it writes
 * over its arguments ("php-fpm: pool www") is no name: it may change with each
 * request, and say whose that was.  Linked into the preload and the engine. */

/* Never NULL; without a directory.  Borrowed for as long as the process runs.
 * Threads: any. */
const char *uns_program_name(void);

/* The same by what is known: `argv0`, the first argument as it reads now;
 * `called`, what was its part behind the last slash when the process began;
 * `file`, as execve() was told.  Each may be NULL. */
const char *uns_program_pick(const char *argv0, const char *called,
                             const char *file);

#endif
