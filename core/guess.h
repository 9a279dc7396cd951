/* SPDX-License-Identifier: MIT */
#ifndef UNS_GUESS_H
#define UNS_GUESS_H

/* guess - which dialect a body is in, when nobody says so: by the members and
 * event types of its first events; and how one is cut that begins with a JSON
 * document, when no content type says so. */

#include "dialect.h"
#include "frame.h"

/* UNS_DIALECT_NONE: it cannot be told. */
enum uns_dialect uns_guess(const char *body, size_t len);

/* NDJSON: more than one object.  DOCUMENT: one alone, over several lines, as
 * it is printed for people.  Else UNKNOWN. */
enum uns_framing uns_guess_framing(const char *body, size_t len);

#endif
