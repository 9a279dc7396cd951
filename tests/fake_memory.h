/* SPDX-License-Identifier: MIT */
#ifndef UNS_TESTS_FAKE_MEMORY_H
#define UNS_TESTS_FAKE_MEMORY_H

/*
 * fake_memory - libc's memory, which ends when a test says so.  It stands
 * behind --wrap: it sees what our own code asks for, and SQLite and cJSON for
 * us (after fake_memory_json), and not what libc needs for itself.
 */

#include <stdbool.h>

/* What is asked for while it is counted: the n-th gets nothing (0: all get
 * theirs), and with `all` every later one neither.  Begins to count anew. */
void fake_memory_fail(unsigned n, bool all);

/* Count from here on, or no more. */
void fake_memory_count(bool on);

/* Is it counted now? */
bool fake_memory_counts(void);

/* How many were asked for since fake_memory_fail. */
unsigned fake_memory_asked(void);

/* Blocks that nobody has given back yet, whether they were counted or not. */
long fake_memory_live(void);

/* cJSON takes its memory from here, too, until the process ends. */
void fake_memory_json(void);

#endif
