/* SPDX-License-Identifier: MIT */

/*
 * Chunks of a stream differ in a word or two: their text, and numbers and
 * names that nobody asks for.  Where those stand is noted, so that the next
 * document can be told from this one by comparing what is between them
 * (repeat.c).  What is not noted has to be the same, byte for byte.
 */

#include "scan_state.h"

static bool is_payload(unsigned op)
{
    return op == UNS_OP_TEXT || op == UNS_OP_OPEN;
}

void uns_scan_hole(struct uns_scan *scan, enum uns_hole_kind kind,
                   const char *p, const char *end)
{
    unsigned op = scan->trie->node[scan->at].op;

    if (kind == UNS_HOLE_STRING && is_payload(op) && end != p) {
        kind = UNS_HOLE_TEXT;
    } else if (op != UNS_OP_NONE) {
        return;
    }
    if (scan->holes == UNS_SCAN_HOLES || end - scan->base > UINT16_MAX) {
        return;
    }
    scan->hole[scan->holes++] = (struct uns_hole){
        .at = (uint16_t)(p - scan->base),
        .len = (uint16_t)(end - p),
        .kind = (uint8_t)kind,
    };
}
