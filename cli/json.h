/* SPDX-License-Identifier: MIT */
#ifndef UNS_CLI_JSON_H
#define UNS_CLI_JSON_H

/*
 * json - rows of the store as JSON, written as they come: an array of a
 * million calls takes no memory.  The output is valid whatever the texts
 * hold: what is no UTF-8 becomes U+FFFD.
 */

#include <sqlite3.h>
#include <stdio.h>

/* A string with its quotes. */
void uns_json_text(FILE *out, const char *text);

/* The row that `stmt` stands on as `"name": value, ...`, without braces.
 * Blobs are left out. */
void uns_json_members(FILE *out, sqlite3_stmt *stmt);

/* All rows of `stmt` as an array of objects, one a line.  Returns SQLITE_DONE,
 * or what ended it; the array is closed in any case. */
int uns_json_rows(FILE *out, sqlite3_stmt *stmt);

#endif
