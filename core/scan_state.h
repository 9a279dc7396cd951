/* SPDX-License-Identifier: MIT */
#ifndef UNS_SCAN_STATE_H
#define UNS_SCAN_STATE_H

/* What scan.c, scan_value.c and scan_string.c share; for nobody else. */

#include "bytes.h"
#include "scan.h"

enum state {
    /* between tokens, where white space is skipped */
    STATE_START,
    STATE_MEMBER, /* a key or '}' */
    STATE_COLON,
    STATE_VALUE, /* a value, or ']' */
    STATE_NEXT,  /* ',' or a closing bracket */
    /* inside of a token */
    STATE_STRING,
    STATE_ESCAPE, /* after a backslash */
    STATE_HEX,    /* in the digits of \uXXXX */
    STATE_LITERAL,
    STATE_SKIP, /* in a part that no path leads into */
    STATE_SKIP_STRING,
    STATE_SKIP_ESCAPE,
    /* at the end */
    STATE_DONE,
    STATE_BROKEN
};

/* What becomes of a string's bytes. */
enum body {
    BODY_IGNORE, /* only whether there are any */
    BODY_KEY,
    BODY_SLOT,
    BODY_SINK
};

/* The part has not said what its open payload is. */
#define UNS_PART_UNTOLD (UNS_KIND_COUNT + 1)

static inline bool uns_scan_space(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

/* Does the slot hold a number of tokens? */
static inline bool uns_scan_counts(unsigned slot)
{
    return slot >= UNS_SLOT_TOKENS_IN && slot <= UNS_SLOT_TOKENS_HIDDEN;
}

/* The member's key is known: find its node. */
static inline void uns_scan_key(struct uns_scan *scan, const char *key,
                                size_t len, const char *end)
{
    const struct uns_trie *trie = scan->trie;
    unsigned parent = scan->node[scan->depth];

    scan->at = UNS_TRIE_NONE;
    if (len < sizeof scan->word && uns_trie_width(trie, parent, len)) {
        scan->at = (uint8_t)uns_trie_child(trie, parent, key, len, end);
    }
}

/* The current value, of a row TWIN, is the first of this choice or goes on
 * from the same place. */
static inline bool uns_scan_twin_wanted(const struct uns_scan *scan)
{
    return scan->twin == UNS_TRIE_NONE || scan->twin == scan->at;
}

/* ---- scan_hole.c: what may differ ---- */

/* The current value, a string or a number, stands at [p, end) of this piece. */
void uns_scan_hole(struct uns_scan *scan, enum uns_hole_kind kind,
                   const char *p, const char *end);

/* ---- scan_value.c: what values mean ---- */

/* A value other than null and false is there; `some`: it is not empty. */
void uns_scan_value(struct uns_scan *scan, bool some);

/* The object of `node` has ended. */
void uns_scan_group_end(struct uns_scan *scan, const struct uns_node *node);

/* Numbers, true, false, null, and the word of `[DONE]`. */
bool uns_scan_literal_begins(char c);
const char *uns_scan_literal(struct uns_scan *scan, const char *p,
                             const char *end);

/* Skip the object or array that begins at `p`; `raw`: it is payload. */
void uns_scan_skip(struct uns_scan *scan, const char *p, bool raw);
const char *uns_scan_skipping(struct uns_scan *scan, const char *p,
                              const char *end);

/* ---- scan_string.c: bodies of strings ---- */

/* A string begins at the current node. */
void uns_scan_string_begin(struct uns_scan *scan);
const char *uns_scan_string(struct uns_scan *scan, const char *p,
                            const char *end);

/* The byte after a backslash, or a digit of \uXXXX. */
const char *uns_scan_escape(struct uns_scan *scan, const char *p);

#endif
