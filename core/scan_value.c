/* SPDX-License-Identifier: MIT */

/*
 * What the values at the paths mean: kinds, marks, slots and groups; and the
 * two sorts of value that have no bytes of their own to keep, literals and
 * parts that are skipped.
 */

#include "scan_state.h"

static void give_kind(const struct uns_scan *scan, unsigned kind)
{
    if (scan->sink != NULL && scan->sink->kind != NULL) {
        scan->sink->kind(scan->sink->ctx, (enum uns_kind)kind);
    }
}

static void give_text(const struct uns_scan *scan, const char *text, size_t len)
{
    if (scan->sink != NULL && scan->sink->text != NULL) {
        scan->sink->text(scan->sink->ctx, text, len);
    }
}

void uns_scan_settle(struct uns_scan *scan, enum uns_kind kind)
{
    if (!scan->open) {
        return;
    }
    scan->open = false;
    if (kind < UNS_KIND_COUNT) {
        scan->kinds |= 1U << kind;
    }
    give_kind(scan, kind);
}

bool uns_scan_is(const struct uns_scan *scan, enum uns_slot slot,
                 const char *word)
{
    size_t len = strlen(word);

    return scan->slot_len[slot] == len &&
           memcmp(scan->slot[slot], word, len) == 0;
}

/* DashScope says "null" while it goes on, llama.cpp "none". */
static bool finish_told(const struct uns_scan *scan)
{
    return scan->slot_len[UNS_SLOT_FINISH] != 0 &&
           !uns_scan_is(scan, UNS_SLOT_FINISH, "null") &&
           !uns_scan_is(scan, UNS_SLOT_FINISH, "none");
}

static void saved(struct uns_scan *scan, unsigned slot)
{
    scan->counts = (uint8_t)(scan->counts + uns_scan_counts(slot));
    if (slot != UNS_SLOT_FINISH) {
        return;
    }
    if (finish_told(scan)) {
        scan->marks |= UNS_LEAF_FINISH;
        scan->choice_done = true;
    } else {
        scan->slot_len[slot] = 0;
    }
}

static void see_kind(struct uns_scan *scan, uint8_t kind)
{
    scan->kinds |= 1U << kind;
    give_kind(scan, kind);
}

void uns_scan_value(struct uns_scan *scan, bool some)
{
    const struct uns_node *node = &scan->trie->node[scan->at];

    if (!some && node->op != UNS_OP_TOLD) {
        return;
    }
    switch (node->op) {
    case UNS_OP_TWIN:
        if (uns_scan_twin_wanted(scan)) { /* else its kind is known */
            scan->twin = scan->at;
            see_kind(scan, node->arg);
        }
        break;
    case UNS_OP_TEXT:
    case UNS_OP_RAW:
        see_kind(scan, node->arg);
        break;
    case UNS_OP_COUNT:
        scan->kinds |= 1U << node->arg;
        break;
    case UNS_OP_OPEN:
    case UNS_OP_BLOB:
    case UNS_OP_OPEN_RAW:
        scan->open = true;
        break;
    case UNS_OP_MARK:
    case UNS_OP_TOLD:
        scan->marks |= node->arg;
        break;
    case UNS_OP_KIND:
        scan->part_kind = node->arg;
        break;
    case UNS_OP_SAVE:
        saved(scan, node->arg);
        break;
    default:
        break;
    }
}

/* The number in a slot; indices beyond the bits there are share one. */
static unsigned choice_index(const struct uns_scan *scan)
{
    unsigned index = 0;

    for (unsigned i = 0; i < scan->slot_len[UNS_SLOT_INDEX]; i++) {
        index = index * 10 + (unsigned)(scan->slot[UNS_SLOT_INDEX][i] & 15);
    }
    return index % 64;
}

void uns_scan_group_end(struct uns_scan *scan, const struct uns_node *node)
{
    if (node->group == UNS_GROUP_PART) {
        unsigned kind =
            scan->part_kind == UNS_PART_UNTOLD ? node->arg : scan->part_kind;
        uns_scan_settle(scan, (enum uns_kind)kind);
        scan->part_kind = UNS_PART_UNTOLD;
    } else if (node->group == UNS_GROUP_CHOICE) {
        uint64_t bit = UINT64_C(1) << choice_index(scan);
        scan->seen |= bit;
        scan->finished |= scan->choice_done ? bit : 0;
        scan->choice_done = false;
        scan->twin = UNS_TRIE_NONE;
        scan->slot_len[UNS_SLOT_INDEX] = 0;
    }
}

bool uns_scan_literal_begins(char c)
{
    return (c >= '0' && c <= '9') || c == '-' || c == 't' || c == 'f' ||
           c == 'n' || c == 'D';
}

static bool literal_goes_on(char c)
{
    return c > ' ' && c != ',' && c != '}' && c != ']';
}

static bool is_word(const struct uns_scan *scan, const char *word)
{
    size_t len = strlen(word);

    return scan->word_len == len && memcmp(scan->word, word, len) == 0;
}

static void number_or_true(struct uns_scan *scan)
{
    const struct uns_node *node = &scan->trie->node[scan->at];

    if (node->op == UNS_OP_SAVE) {
        memcpy(scan->slot[node->arg], scan->word, scan->word_len);
        scan->slot_len[node->arg] = scan->word_len;
    } else if (node->op == UNS_OP_RAW || node->op == UNS_OP_OPEN_RAW) {
        give_text(scan, scan->word, scan->word_len);
    } else if (node->op == UNS_OP_TEXT || node->op == UNS_OP_TWIN ||
               node->op == UNS_OP_OPEN ||
               (node->op == UNS_OP_MARK && scan->word[0] == '0')) {
        return; /* text is a string, and 0 says nothing */
    }
    uns_scan_value(scan, true);
}

/* The literal is complete. */
static void literal_end(struct uns_scan *scan)
{
    scan->state = STATE_NEXT;
    if (scan->at == UNS_TRIE_ROOT && is_word(scan, "DONE")) {
        scan->marks |= UNS_LEAF_DONE;
    } else if (scan->word[0] <= '9' || is_word(scan, "true")) {
        number_or_true(scan);
    } else if (!is_word(scan, "null") && !is_word(scan, "false")) {
        scan->state = STATE_BROKEN;
    }
}

const char *uns_scan_literal(struct uns_scan *scan, const char *p,
                             const char *end)
{
    const char *q = p;

    while (q < end && literal_goes_on(*q)) {
        q++;
    }
    if (scan->at != UNS_TRIE_NONE) {
        size_t len = (size_t)(q - p);
        size_t room = sizeof scan->word - scan->word_len;
        len = len < room ? len : room;
        memcpy(scan->word + scan->word_len, p, len);
        scan->word_len = (uint8_t)(scan->word_len + len);
    }
    if (q == end) {
        return q;
    }
    if (*p <= '9') {
        uns_scan_hole(scan, UNS_HOLE_NUMBER, p, q);
    }
    if (scan->at != UNS_TRIE_NONE) {
        literal_end(scan);
    } else {
        scan->state = STATE_NEXT;
    }
    return q;
}

void uns_scan_skip(struct uns_scan *scan, const char *p, bool raw)
{
    scan->nest = 1;
    scan->raw = raw;
    scan->state = STATE_SKIP;
    if (raw) {
        give_text(scan, p, 1);
    }
}

/* In a skipped string: to its end, or the end of the piece. */
static const char *skip_string(struct uns_scan *scan, const char *p,
                               const char *end)
{
    if (scan->state == STATE_SKIP_ESCAPE) {
        scan->state = STATE_SKIP_STRING;
        return p + 1;
    }
    p = uns_bytes_find2(p, end, '"', '\\');
    if (p == end) {
        return p;
    }
    scan->state = *p == '"' ? STATE_SKIP : STATE_SKIP_ESCAPE;
    return p + 1;
}

/* Outside of strings: to the next bracket or quote. */
static const char *skip_plain(struct uns_scan *scan, const char *p,
                              const char *end)
{
    p = uns_bytes_find_nest(p, end);
    if (p == end) {
        return p;
    }
    if (*p == '"') {
        scan->told = true;
        scan->state = STATE_SKIP_STRING;
    } else if (*p == '{' || *p == '[') {
        scan->nest++;
    } else if (--scan->nest == 0) {
        scan->state = scan->depth == 0 ? STATE_DONE : STATE_NEXT;
    }
    return p + 1;
}

const char *uns_scan_skipping(struct uns_scan *scan, const char *p,
                              const char *end)
{
    const char *from = p;

    while (p < end && scan->nest != 0) {
        p = scan->state == STATE_SKIP ? skip_plain(scan, p, end)
                                      : skip_string(scan, p, end);
    }
    if (scan->raw) {
        give_text(scan, from, (size_t)(p - from));
        if (scan->nest == 0) {
            scan->raw = false;
            uns_scan_value(scan, true);
        }
    }
    return p;
}
