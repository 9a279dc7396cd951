/* SPDX-License-Identifier: MIT */
#ifndef UNS_PROMOTE_TREE_H
#define UNS_PROMOTE_TREE_H

/*
 * promote_tree - the JSON text that is being put together.  Values that come
 * whole stay the text that they are; only what grows, or has something in it
 * that grows, is a node of its own.  Private to promote*.c.
 */

#include "err.h"
#include "heap.h"

struct uns_shape;

enum uns_tree_kind {
    UNS_TREE_NEW,    /* no value yet: not printed */
    UNS_TREE_RAW,    /* a value as it was written */
    UNS_TREE_TEXT,   /* a string: the raw text between its quotes */
    UNS_TREE_PIECES, /* a JSON text, escaped as a string's inside is */
    UNS_TREE_OBJECT,
    UNS_TREE_LIST
};

struct uns_tree_node {
    enum uns_tree_kind kind;
    struct uns_tree_node *next;         /* beside it */
    struct uns_tree_node *child, *last; /* in it */
    struct uns_run key;                 /* of a member, raw */
    struct uns_run text;
    int64_t place;                 /* of an element that has a number */
    const struct uns_shape *shape; /* of an object; NULL: none */
};

/* All that is held counts against the limit; the first error stays, and
 * nothing is added after it. */
struct uns_tree {
    const struct uns_heap *heap;
    size_t used, limit;
    enum uns_err err;
    struct uns_tree_node root;
};

/* Begin with an empty object of that shape. */
void uns_tree_init(struct uns_tree *tree, const struct uns_shape *shape,
                   const struct uns_heap *heap, size_t limit);
void uns_tree_done(struct uns_tree *tree);

/* The member of that name; NULL: none. */
struct uns_tree_node *uns_tree_find(const struct uns_tree_node *object,
                                    struct uns_slice key);

/* The same, made if it is not there.  NULL: the tree has an error now. */
struct uns_tree_node *uns_tree_member(struct uns_tree *tree,
                                      struct uns_tree_node *object,
                                      struct uns_slice key);

/* A new element behind those of the same and of lower places.  NULL: the tree
 * has an error now. */
struct uns_tree_node *uns_tree_element(struct uns_tree *tree,
                                       struct uns_tree_node *list,
                                       int64_t place);

/* Append to the node's text. */
void uns_tree_add(struct uns_tree *tree, struct uns_tree_node *node,
                  struct uns_slice text);

/* Make it an empty one of that kind; it keeps its key. */
void uns_tree_turn(struct uns_tree *tree, struct uns_tree_node *node,
                   enum uns_tree_kind kind);

/* Write the node as JSON. */
void uns_tree_print(struct uns_tree *tree, const struct uns_tree_node *node,
                    struct uns_run *out);

#endif
