/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_KEY_H
#define UNS_ENGINE_KEY_H

/*
 * key - the credential of a source, from the environment or from a file that
 * only its owner can read.  Read at each use and never kept (P3).
 */

#include "core/config.h"
#include "core/err.h"

#define UNS_KEY_BYTES 8192

/* The header line ("Authorization: Bearer ...") for a request of `dialect` to
 * `source`, NUL-terminated, in `ret_line`; "" when it wants none, or no key is
 * configured.  NOTFOUND: variable or
 * file missing or empty; UNSUPPORTED: the file can be read by others, or is
 * not ours; TOOBIG; SYNTAX: control characters in the key. */
UNS_MUST_USE enum uns_err uns_key_header(const struct uns_source *source,
                                         enum uns_dialect dialect,
                                         char ret_line[UNS_KEY_BYTES]);

/* Is a key file fit to be one?  If not, `why` gets what is wrong with it and
 * what to do, to follow its name in a message. */
bool uns_key_file_is_private(const char *path, struct uns_room why);

/* What to do about a file of that name that cannot be read, to end a message.
 */
const char *uns_key_file_advice(const char *path);

/* Forget a line that held a key (not removed by the optimiser). */
void uns_key_wipe(char line[UNS_KEY_BYTES]);

#endif
