/* SPDX-License-Identifier: MIT */
#ifndef UNS_PROMOTE_MERGE_H
#define UNS_PROMOTE_MERGE_H

/* promote_merge - one event's object put into the answer.  Private to
 * promote*.c. */

#include "promote_shape.h"
#include "promote_tree.h"

/* Put the members of an object, which is well formed, into a node as the
 * shape says; NULL: each stands for itself.  The tree's error tells whether
 * that worked. */
void uns_merge_object(struct uns_tree *tree, struct uns_tree_node *node,
                      const struct uns_shape *shape, struct uns_slice object);

/* The element of that place in a member that is a list; made if it is not
 * there.  NULL: the tree has an error now. */
struct uns_tree_node *uns_merge_block(struct uns_tree *tree, const char *list,
                                      struct uns_slice place);

#endif
