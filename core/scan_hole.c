/* SPDX-License-Identifier: MIT */

/*
 * Chunks of a stream differ in a word or two: their text, and numbers and
 * names that nobody asks for.  Where those stand is noted, so that the next
 * document can be told from this one by comparing what is between them
 * (repeat.c).  What is not noted has to be the same, byte for byte.
 */

#include "scan_state.h"

static bool is_payload(const struct uns_scan *scan, unsigned op)
{
    return op == UNS_OP_TEXT || op == UNS_OP_OPEN ||
           (op == UNS_OP_TWIN && uns_scan_twin_wanted(scan));
}

void uns_scan_hole(struct uns_scan *scan, enum uns_hole_kind kind,
                   const char *p, const char *end)
{
    const struct uns_node *node = &scan->trie->node[scan->at];
    unsigned op = node->op, what = kind;

    if (kind == UNS_HOLE_STRING && is_payload(scan, op) && end != p) {
        what = UNS_HOLE_TEXT;
    } else if (kind == UNS_HOLE_NUMBER && op == UNS_OP_SAVE &&
               uns_scan_counts(node->arg)) {
        what = UNS_HOLE_COUNT + (unsigned)node->arg;
    } else if (op != UNS_OP_NONE) {
        return;
    }
    if (scan->marking != 0) {
        return; /* a value there may make all the difference */
    }
    if (scan->holes == UNS_SCAN_HOLES || end - scan->base > UINT16_MAX) {
        return;
    }
    scan->hole[scan->holes++] = (struct uns_hole){
        .at = (uint16_t)(p - scan->base),
        .len = (uint16_t)(end - p),
        .kind = (uint8_t)what,
    };
}
