/* SPDX-License-Identifier: MIT */
#ifndef UNS_SCAN_H
#define UNS_SCAN_H

/*
 * scan - what one JSON document says at the paths of a tree.
 *
 *             key              value
 *   MEMBER --------> COLON ----------> VALUE --> string, literal --+
 *      ^                                 |                         |
 *      |        ,                        +--> object, array, SKIP -+
 *      +----------------- NEXT <-----------------------------------+
 *                          | the outermost bracket: DONE
 *   anything else: BROKEN, until uns_scan_reset()
 *
 * Takes the document in pieces of any size, allocates nothing, does not
 * recurse, and keeps no reference to the bytes.  It is no validator: parts
 * that no path leads into are skipped by counting brackets outside strings.
 * A document is an object, or an array of objects that all count as the root;
 * `[DONE]` is one, too.
 */

#include "path.h"
#include "payload.h"

enum {
    UNS_SCAN_DEPTH = 16, /* levels that a path can lead into */
};

/* A scalar whose bytes may be others without the document meaning anything
 * else, but for the text of its payload and its counts of tokens. */
enum uns_hole_kind {
    UNS_HOLE_STRING, /* nobody asks for it */
    UNS_HOLE_TEXT,   /* payload, not empty */
    UNS_HOLE_NUMBER, /* nobody asks for it; from here on all are numbers */
    UNS_HOLE_COUNT   /* a number of tokens, of the slot UNS_HOLE_COUNT + n */
};

enum {
    UNS_SCAN_HOLES = 12 /* what is beyond is not noted */
};

struct uns_hole {
    uint16_t at, len; /* in the piece; strings without their quotes */
    uint8_t kind;
};

/* All fields are for reading between two calls; private below the line. */
struct uns_scan {
    unsigned kinds; /* bit 1 << kind: a payload that is not empty */
    unsigned marks;
    bool open; /* payload of no known kind is waiting for settle */
    uint64_t seen, finished; /* choices, by index; not reset with the rest */
    uint8_t slot_len[UNS_SLOT_COUNT];
    char slot[UNS_SLOT_COUNT][UNS_SLOT_BYTES];

    /* ---- */
    const struct uns_trie *trie;
    const struct uns_sink *sink;
    uint8_t state, depth;
    uint8_t at;   /* the node of the value that is next, or current */
    uint8_t body; /* what becomes of the current string's bytes */
    bool some;    /* the current string is not empty */
    bool raw;     /* the skipped part is payload as it is written */
    bool choice_done;
    bool told;         /* a value has come in the object at `marking` */
    uint8_t marking;   /* level of the object that waits for its mark, or 0 */
    uint8_t twin;      /* the node whose text this choice has given, or 0 */
    uint8_t part_kind; /* UNS_KIND_COUNT + 1: the part has not said */
    uint32_t nest;     /* brackets open in the skipped part */
    uint16_t arrays;   /* bit n: level n is an array */
    uint8_t node[UNS_SCAN_DEPTH];
    uint8_t hex_left;
    uint16_t unit, high; /* \uXXXX so far; a high surrogate before it */
    uint8_t word_len;
    char word[32]; /* a key or a literal */
    uint8_t holes;
    uint8_t counts;        /* of tokens, that were saved */
    const char *base;      /* the piece that is being read */
    const char *body_from; /* the current string's first byte, if it is in it */
    struct uns_hole hole[UNS_SCAN_HOLES];
};

/* Prepare for documents with the paths of `trie`.  NULL sink: none.  Both
 * are borrowed as long as the scanner is used. */
void uns_scan_init(struct uns_scan *scan, const struct uns_trie *trie,
                   const struct uns_sink *sink);

/* Forget the document; begin the next. */
void uns_scan_reset(struct uns_scan *scan);

/* The next bytes of the document.  Returns how many were used: fewer than
 * `len` only when the document is complete and something follows that is no
 * white space. */
size_t uns_scan_feed(struct uns_scan *scan, const char *bytes, size_t len);

/* Nothing but white space has come. */
bool uns_scan_empty(const struct uns_scan *scan);

/* The document is complete. */
bool uns_scan_complete(const struct uns_scan *scan);

/* It can never be one: no JSON, or, if `line_ends` now, a string that would
 * hold a bare line end. */
bool uns_scan_broken(const struct uns_scan *scan, bool line_ends);

/* The open payload was of `kind`. */
void uns_scan_settle(struct uns_scan *scan, enum uns_kind kind);

/* The slot's text is `word`. */
bool uns_scan_is(const struct uns_scan *scan, enum uns_slot slot,
                 const char *word);

#endif
