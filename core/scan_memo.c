/* SPDX-License-Identifier: MIT */

/*
 * Chunks of a stream differ in a word or two.  What comes before them (id,
 * model, the way down to the text) and after them (a null finish reason and
 * brackets) is the same, and comparing it with the chunk before costs a tenth
 * of scanning it again.
 *
 * It is sound because the scanner is a function of the bytes: after the same
 * head it is in the state that was noted, and a tail that said nothing after
 * that head says nothing again.  The texts of slots are not noted; whoever
 * overwrites one that the memo relies on drops the memo.  Heads and tails are
 * used only where they lie wholly in one piece of input.
 */

#include "scan_state.h"

const char *uns_memo_head(struct uns_scan *scan, const char *end)
{
    const struct uns_memo *memo = &scan->memo;
    const char *p = scan->from;

    if (memo->head_len == 0 || end - p < memo->head_len ||
        memcmp(p, memo->head, memo->head_len) != 0) {
        return p;
    }
    scan->depth = memo->depth;
    scan->at = memo->at;
    scan->arrays = memo->arrays;
    memcpy(scan->node, memo->node, sizeof scan->node);
    memcpy(scan->slot_len, memo->slot_len, sizeof scan->slot_len);
    scan->from = NULL;
    scan->known = true;
    return p + memo->head_len;
}

void uns_memo_take_head(struct uns_scan *scan, const char *p)
{
    struct uns_memo *memo = &scan->memo;
    size_t len = (size_t)(p - scan->from);

    if (len > sizeof memo->head || scan->marks != 0 || scan->kinds != 0 ||
        scan->open || scan->part_kind != UNS_PART_UNTOLD) {
        return;
    }
    memcpy(memo->head, scan->from, len);
    memo->head_len = (uint16_t)len;
    memo->tail_len = 0;
    memo->serial++;
    memo->depth = scan->depth;
    memo->at = scan->at;
    memo->arrays = scan->arrays;
    memcpy(memo->node, scan->node, sizeof memo->node);
    memcpy(memo->slot_len, scan->slot_len, sizeof memo->slot_len);
    scan->from = NULL;
    scan->known = true;
}

const char *uns_memo_tail(struct uns_scan *scan, const char *p, const char *end)
{
    const struct uns_memo *memo = &scan->memo;

    scan->known = false;
    if (memo->tail_len != 0 && end - p >= memo->tail_len &&
        memcmp(p, memo->tail, memo->tail_len) == 0) {
        scan->state = STATE_DONE;
        scan->used = true;
        return p + memo->tail_len;
    }
    scan->tail = p;
    scan->spoke = false;
    return p;
}

void uns_memo_take_tail(struct uns_scan *scan, const char *p)
{
    struct uns_memo *memo = &scan->memo;
    size_t len = (size_t)(p - scan->tail);

    scan->slot_len[UNS_SLOT_INDEX] = memo->slot_len[UNS_SLOT_INDEX];
    if (!scan->spoke && len <= sizeof memo->tail && memo->head_len != 0 &&
        memcmp(scan->slot_len, memo->slot_len, sizeof memo->slot_len) == 0) {
        memcpy(memo->tail, scan->tail, len);
        memo->tail_len = (uint8_t)len;
        memo->serial++;
    }
    scan->tail = NULL;
}
