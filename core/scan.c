/* SPDX-License-Identifier: MIT */

/*
 * The scanner's grammar: which byte leads where.  What a value means once it
 * is there is scan_value.c's business, bodies of strings are scan_string.c's.
 *
 * The common case, a member that lies wholly in the piece, takes two steps:
 * its key with the colon, and its value.  Every state can also be re-entered
 * at any byte, which is how pieces of any size work.
 */

#include "scan_state.h"

void uns_scan_init(struct uns_scan *scan, const struct uns_trie *trie,
                   const struct uns_sink *sink)
{
    scan->trie = trie;
    scan->sink = sink;
    scan->seen = 0;
    scan->finished = 0;
    scan->holes = 0;
    scan->base = NULL;
    scan->body_from = NULL;
    uns_scan_reset(scan);
}

void uns_scan_reset(struct uns_scan *scan)
{
    scan->kinds = 0;
    scan->marks = 0;
    scan->open = false;
    memset(scan->slot_len, 0, sizeof scan->slot_len);
    scan->state = STATE_START;
    scan->depth = 0;
    scan->at = UNS_TRIE_ROOT;
    scan->raw = false;
    scan->choice_done = false;
    scan->marking = 0;
    scan->twin = UNS_TRIE_NONE;
    scan->part_kind = UNS_PART_UNTOLD;
    scan->arrays = 0;
}

bool uns_scan_empty(const struct uns_scan *scan)
{
    return scan->state == STATE_START;
}

bool uns_scan_complete(const struct uns_scan *scan)
{
    return scan->state == STATE_DONE;
}

bool uns_scan_broken(const struct uns_scan *scan, bool line_ends)
{
    switch (scan->state) {
    case STATE_BROKEN:
        return true;
    case STATE_STRING:
    case STATE_ESCAPE:
    case STATE_HEX:
    case STATE_SKIP_STRING:
    case STATE_SKIP_ESCAPE:
        return line_ends;
    default:
        return false;
    }
}

static bool in_array(const struct uns_scan *scan)
{
    return (scan->arrays >> scan->depth & 1) != 0;
}

static const char *broken(struct uns_scan *scan, const char *end)
{
    scan->state = STATE_BROKEN;
    return end;
}

/* Ops that an object satisfies by being there.  (An array stands for its
 * elements, so it satisfies none itself.) */
static bool object_counts(unsigned op)
{
    return op == UNS_OP_COUNT || op == UNS_OP_MARK || op == UNS_OP_TOLD;
}

/* An object that is entered is there; what a mark asks for is in it. */
static void object_begins(struct uns_scan *scan, unsigned op)
{
    if (op == UNS_OP_MARK) {
        scan->marking = scan->depth;
        scan->told = false;
    } else if (object_counts(op)) {
        uns_scan_value(scan, true);
    }
}

static void object_ends(struct uns_scan *scan)
{
    scan->at = scan->node[scan->depth];
    if (scan->marking == scan->depth) {
        scan->marking = 0;
        uns_scan_value(scan, scan->told);
    }
    uns_scan_group_end(scan, &scan->trie->node[scan->at]);
}

/* A bracket opens where a value is due. */
static const char *open_bracket(struct uns_scan *scan, const char *p)
{
    const struct uns_node *node = &scan->trie->node[scan->at];
    bool array = *p == '[';
    bool raw = node->op == UNS_OP_RAW || node->op == UNS_OP_OPEN_RAW;
    bool empty = node->child == 0 && (!array || node->op == UNS_OP_NONE);

    if (raw || empty || scan->depth + 1 == UNS_SCAN_DEPTH) {
        if (!array && object_counts(node->op)) {
            uns_scan_value(scan, true);
        }
        uns_scan_skip(scan, p, raw);
        return p + 1;
    }
    scan->depth++;
    scan->node[scan->depth] = scan->at;
    scan->arrays &= (uint16_t) ~(1U << scan->depth);
    scan->arrays |= (uint16_t)((unsigned)array << scan->depth);
    scan->state = array ? STATE_VALUE : STATE_MEMBER;
    if (!array) {
        object_begins(scan, node->op);
    }
    return p + 1;
}

static const char *close_bracket(struct uns_scan *scan, const char *p,
                                 const char *end)
{
    if (in_array(scan) != (*p == ']')) {
        return broken(scan, end);
    }
    if (*p == '}') {
        object_ends(scan);
    }
    scan->depth--;
    scan->state = scan->depth == 0 ? STATE_DONE : STATE_NEXT;
    return p + 1;
}

/* A key, or the end of the object. */
static const char *member(struct uns_scan *scan, const char *p, const char *end)
{
    if (*p == '}') {
        return close_bracket(scan, p, end);
    }
    if (*p != '"') {
        return broken(scan, end);
    }
    const char *q = uns_bytes_find2(++p, end, '"', '\\');
    if (q == end || *q != '"') {
        scan->body = BODY_KEY;
        scan->word_len = 0;
        scan->high = 0;
        scan->state = STATE_STRING;
        return p;
    }
    uns_scan_key(scan, p, (size_t)(q - p), end);
    if (++q < end && *q == ':') {
        scan->state = STATE_VALUE;
        return q + 1;
    }
    scan->state = STATE_COLON;
    return q;
}

static const char *string(struct uns_scan *scan, const char *p, const char *end)
{
    scan->body_from = p;
    uns_scan_string_begin(scan);
    return uns_scan_string(scan, p, end);
}

static const char *value(struct uns_scan *scan, const char *p, const char *end)
{
    switch (*p) {
    case '"':
        return string(scan, p + 1, end);
    case '{':
    case '[':
        return open_bracket(scan, p);
    case ']':
        return close_bracket(scan, p, end);
    default:
        if (!uns_scan_literal_begins(*p)) {
            return broken(scan, end);
        }
        scan->told |= *p != '0' && *p != 'n' && *p != 'f';
        scan->word_len = 0;
        scan->state = STATE_LITERAL;
        return uns_scan_literal(scan, p, end);
    }
}

/* After a value. */
static const char *next(struct uns_scan *scan, const char *p, const char *end)
{
    if (*p != ',') {
        return *p == '}' || *p == ']' ? close_bracket(scan, p, end)
                                      : broken(scan, end);
    }
    scan->at = scan->node[scan->depth];
    scan->state = in_array(scan) ? STATE_VALUE : STATE_MEMBER;
    return p + 1;
}

static const char *start(struct uns_scan *scan, const char *p, const char *end)
{
    if (*p != '{' && *p != '[') {
        return broken(scan, end);
    }
    scan->holes = 0;
    scan->counts = 0;
    return open_bracket(scan, p);
}

static const char *colon(struct uns_scan *scan, const char *p, const char *end)
{
    if (*p != ':') {
        return broken(scan, end);
    }
    scan->state = STATE_VALUE;
    return p + 1;
}

/* White space means nothing between tokens. */
static const char *between(struct uns_scan *scan, const char *p,
                           const char *end)
{
    if (uns_scan_space(*p)) {
        return p + 1;
    }
    switch (scan->state) {
    case STATE_MEMBER:
        return member(scan, p, end);
    case STATE_VALUE:
        return value(scan, p, end);
    case STATE_NEXT:
        return next(scan, p, end);
    case STATE_COLON:
        return colon(scan, p, end);
    default:
        return start(scan, p, end);
    }
}

static const char *inside(struct uns_scan *scan, const char *p, const char *end)
{
    switch (scan->state) {
    case STATE_STRING:
        return uns_scan_string(scan, p, end);
    case STATE_ESCAPE:
    case STATE_HEX:
        return uns_scan_escape(scan, p);
    case STATE_LITERAL:
        return uns_scan_literal(scan, p, end);
    case STATE_BROKEN:
        return end;
    default:
        return uns_scan_skipping(scan, p, end);
    }
}

size_t uns_scan_feed(struct uns_scan *scan, const char *bytes, size_t len)
{
    const char *p = bytes;
    const char *end = bytes + len;

    scan->base = bytes;
    while (p < end && scan->state != STATE_DONE) {
        p = scan->state <= STATE_NEXT ? between(scan, p, end)
                                      : inside(scan, p, end);
    }
    while (p < end && scan->state == STATE_DONE && uns_scan_space(*p)) {
        p++;
    }
    scan->base = NULL;
    scan->body_from = NULL;
    return (size_t)(p - bytes);
}
