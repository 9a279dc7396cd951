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

/* The text payload kinds. */
enum uns_kind {
    UNS_KIND_TEXT,
    UNS_KIND_REASONING,
    UNS_KIND_TOOL_ARGS,
    UNS_KIND_REFUSAL,
    UNS_KIND_AUDIO,
    UNS_KIND_OTHER, /* images, code that was run and its output */
    UNS_KIND_COUNT  /* as an argument: no payload at all */
};

/* What an event can say without payload; bits of uns_scan.marks. */
enum uns_leaf_mark {
    UNS_LEAF_STRUCTURAL = 1 << 0,
    UNS_LEAF_FINISH = 1 << 1, /* finished, whether or not with a reason */
    UNS_LEAF_ERROR = 1 << 2,
    UNS_LEAF_DONE = 1 << 3 /* the document is `[DONE]` */
};

/* Short values that are kept. */
enum uns_slot {
    UNS_SLOT_TYPE, /* of the event */
    UNS_SLOT_ITEM, /* of what the event is about */
    UNS_SLOT_FINISH,
    UNS_SLOT_BLOCKED, /* why the prompt was refused */
    UNS_SLOT_ERROR_TYPE,
    UNS_SLOT_ERROR_STATUS,
    UNS_SLOT_ERROR_CODE,
    UNS_SLOT_INDEX, /* of a choice */
    UNS_SLOT_TOKENS_IN,
    UNS_SLOT_TOKENS_OUT,
    UNS_SLOT_TOKENS_HIDDEN, /* output tokens that TOKENS_OUT leaves out */
    UNS_SLOT_MODEL,
    UNS_SLOT_COUNT
};

/* Longer values are cut. */
enum {
    UNS_SLOT_BYTES = 64
};

struct uns_event;

/* Who wants the payload itself, not only its presence.  Any may be NULL. */
struct uns_sink {
    void *ctx;

    /* Payload bytes, unescaped; borrowed during the call.  In pieces: a
     * UTF-8 sequence may be split where the input was. */
    void (*text)(void *ctx, const char *bytes, size_t len);

    /* All text since the last call was of `kind`; UNS_KIND_COUNT: it was no
     * payload after all.  (The kind can come after the text.) */
    void (*kind)(void *ctx, enum uns_kind kind);

    /* An event has ended: what it was.  Unless it has UNS_NEWS_CONTENT, no
     * text since the event before counts. */
    void (*event)(void *ctx, const struct uns_event *event);
};

enum {
    UNS_SCAN_DEPTH = 16
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
    uint8_t part_kind; /* UNS_KIND_COUNT + 1: the part has not said */
    uint32_t nest;     /* brackets open in the skipped part */
    uint16_t arrays;   /* bit n: level n is an array */
    uint8_t node[UNS_SCAN_DEPTH];
    uint8_t hex_left;
    uint16_t unit, high; /* \uXXXX so far; a high surrogate before it */
    uint8_t word_len;
    char word[32]; /* a key or a literal */
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
