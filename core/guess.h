/* SPDX-License-Identifier: MIT */
#ifndef UNS_GUESS_H
#define UNS_GUESS_H

/* guess - which dialect a body is in, when nobody says so: by the members and
 * event types of its first events. */

#include "dialect.h"

/* UNS_DIALECT_NONE: it cannot be told. */
enum uns_dialect uns_guess(const char *body, size_t len);

#endif
