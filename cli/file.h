/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_FILE_H
#define UNS_CLI_FILE_H

/* file - what a command writes where the user says.  A file is there whole or
 * not at all, and only its owner reads it (0600); links to it stay.  A device,
 * a FIFO and standard output ("-") are written to as they are. */

#include <stdbool.h>
#include <stdio.h>

struct uns_file;

/* Begin to write what is to be at `path` (borrowed until the end).  NULL: it
 * cannot be, and why has been told in the name of `command`. */
struct uns_file *uns_file_begin(const char *command, const char *path);

/* Where to write. */
FILE *uns_file_stream(const struct uns_file *file);

/* Is that standard output?  Then nothing else belongs there. */
bool uns_file_is_output(const struct uns_file *file);

/* For what a timer runs: when all is well nothing is said. */
void uns_file_hush(struct uns_file *file);

/* Everybody may read it, if it is a file that is made here. */
void uns_file_share(const struct uns_file *file);

/* `keep`: put it in the place of what was there, and say so; else leave no
 * trace.  False: it could not be written whole, and why has been told (of
 * standard output main() tells). */
bool uns_file_end(struct uns_file *file, bool keep);

#endif
