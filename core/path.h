/* SPDX-License-Identifier: MIT */
#ifndef UNS_PATH_H
#define UNS_PATH_H

/*
 * path - the places in a JSON document that mean something.
 *
 * A dialect lists them as rows ("choices[].delta.content"); uns_trie_init()
 * turns the rows into a tree, so that the scanner takes one step per key.
 * An array stands for its elements: "a[].b" and "a.b" are the same path, and
 * the brackets are for the reader.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the value at a path does. */
enum uns_op {
    UNS_OP_NONE,     /* nothing: the way to deeper keys, or a group */
    UNS_OP_TEXT,     /* a string: payload of kind `arg` */
    UNS_OP_TWIN,     /* likewise; of several in a choice the first is given */
    UNS_OP_OPEN,     /* a string: payload whose kind is told later */
    UNS_OP_BLOB,     /* as OPEN, but its bytes are no text for the sink */
    UNS_OP_RAW,      /* any value: payload of kind `arg`, as it is written */
    UNS_OP_OPEN_RAW, /* any value: as OPEN, as it is written */
    UNS_OP_COUNT,    /* any value: payload of kind `arg`, its text not wanted */
    UNS_OP_MARK,     /* any value that is not empty: sets mark `arg` */
    UNS_OP_TOLD,     /* any value, an empty string too: sets mark `arg` */
    UNS_OP_KIND,     /* true: the open payload of this part is of kind `arg` */
    UNS_OP_SAVE      /* a string or number: kept in slot `arg` */
};

/* Of all ops: null and false are no value, and neither is an empty string
 * but for TOLD.  For MARK, 0 is none, nor is an object that paths lead into
 * and that has no value in it. */

/* What the object at a path is, besides. */
enum uns_group {
    UNS_GROUP_NONE,
    UNS_GROUP_PART,  /* at its end open payload becomes kind `arg` */
    UNS_GROUP_CHOICE /* one of n answers, with an index and a finish */
};

/* One row of a table of paths. */
struct uns_path {
    const char *path;
    uint8_t op;
    uint8_t arg;
    uint8_t group;
    bool document; /* only in a reply that does not stream */
};

/* The tree: node 0 is "no such path", node 1 the root. */
enum {
    UNS_TRIE_NODES = 80,
    UNS_TRIE_NONE = 0,
    UNS_TRIE_ROOT = 1
};

struct uns_node {
    uint64_t head;    /* first bytes of its key, zero padded */
    const char *key;  /* not terminated */
    uint32_t widths;  /* bit n: a child has a key of n bytes */
    uint16_t len : 5; /* of its key */
    uint16_t op : 4;
    uint16_t arg : 5;
    uint16_t group : 2;
    uint8_t child, next; /* 0: none */
};

_Static_assert(UNS_OP_SAVE < 16, "four bits of a node");

struct uns_trie {
    struct uns_node node[UNS_TRIE_NODES];
    uint8_t count;
};

/* Build the tree of `rows` (borrowed as long as the tree is used), those of
 * documents only if `document`.  Rows beyond UNS_TRIE_NODES are left out; a
 * test sees to it that no table has so many. */
void uns_trie_init(struct uns_trie *trie, const struct uns_path *rows,
                   size_t count, bool document);

/* False: no child of `node` has a key of `len` bytes, at most 31. */
static inline bool uns_trie_width(const struct uns_trie *trie, unsigned node,
                                  size_t len)
{
    return (trie->node[node].widths >> len & 1) != 0;
}

/* The child of `node` with that key, or UNS_TRIE_NONE.  `end` bounds what
 * may be read, `len` is at most 31. */
unsigned uns_trie_child(const struct uns_trie *trie, unsigned node,
                        const char *key, size_t len, const char *end);

#endif
