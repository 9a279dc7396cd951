/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_HOLD_H
#define UNS_ENGINE_HOLD_H

/*
 * hold - what an attempt has received and the application has not: headers and
 * body, in their original pieces and order (P1).
 *
 *   | len, kind | bytes | len, kind | bytes | ...
 *   ^ data      ^ at: the first piece that was not given yet
 */

#include "core/err.h"
#include "core/units.h"

enum uns_piece_kind {
    UNS_PIECE_BODY,  /* went to the write callback */
    UNS_PIECE_HEADER /* went to the header callback */
};

struct uns_piece {
    enum uns_piece_kind kind;
    uint32_t len;
    char *bytes; /* in the hold, until the next add or clear */
};

struct uns_hold {
    char *data;
    size_t len, cap, at;
    uint64_t bytes; /* payload held and not given */
};

/* Append a piece.  NOMEM: nothing was changed. */
UNS_MUST_USE enum uns_err uns_hold_add(struct uns_hold *hold,
                                       enum uns_piece_kind kind,
                                       const char *bytes, size_t len);

/* The oldest piece not yet given; false: there is none. */
_Bool uns_hold_peek(const struct uns_hold *hold, struct uns_piece *ret_piece);

/* It was given. */
void uns_hold_pop(struct uns_hold *hold);

/* Forget all and give the memory back.  Takes NULL. */
void uns_hold_clear(struct uns_hold *hold);

#endif
