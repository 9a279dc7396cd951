/* SPDX-License-Identifier: MIT */

/*
 * Nodes are as deep as shapes are, a handful of levels, whatever is nested in
 * the values; so recursion ends.
 */

#include "promote_tree.h"

#include "ascii.h"
#include "item.h"
#include "promote_shape.h"
#include "walk.h"

#include <string.h>

void uns_tree_init(struct uns_tree *tree, const struct uns_shape *shape,
                   const struct uns_heap *heap, size_t limit)
{
    *tree = (struct uns_tree){.heap = heap, .limit = limit};
    tree->root.kind = UNS_TREE_OBJECT;
    tree->root.shape = shape;
}

/* --- memory --------------------------------------------------------------- */

static bool charge(struct uns_tree *tree, size_t len)
{
    if (tree->err != UNS_OK)
        return false;
    if (len > tree->limit - tree->used)
        tree->err = UNS_TOOBIG;
    else
        tree->used += len;
    return tree->err == UNS_OK;
}

static void add_to(struct uns_tree *tree, struct uns_run *run,
                   struct uns_slice text)
{
    if (!charge(tree, text.len))
        return;
    if (!uns_run_add(run, tree->heap, text.data, text.len)) {
        tree->used -= text.len;
        tree->err = UNS_NOMEM;
    }
}

static void drop_run(struct uns_tree *tree, struct uns_run *run)
{
    tree->used -= run->len;
    uns_run_free(run, tree->heap);
}

/* All that is in the node, but for its key. */
static void empty(struct uns_tree *tree, struct uns_tree_node *node)
{
    struct uns_tree_node *next;

    for (struct uns_tree_node *child = node->child; child; child = next) {
        next = child->next;
        empty(tree, child);
        drop_run(tree, &child->key);
        tree->heap->release(tree->heap->ctx, child);
        tree->used -= sizeof *child;
    }
    drop_run(tree, &node->text);
    node->child = node->last = NULL;
}

void uns_tree_done(struct uns_tree *tree)
{
    if (tree && tree->heap)
        empty(tree, &tree->root);
}

static struct uns_tree_node *new_node(struct uns_tree *tree)
{
    struct uns_tree_node *node;

    if (!charge(tree, sizeof *node))
        return NULL;
    node = tree->heap->resize(tree->heap->ctx, NULL, sizeof *node);
    if (node) {
        *node = (struct uns_tree_node){.kind = UNS_TREE_NEW};
    } else {
        tree->used -= sizeof *node;
        tree->err = UNS_NOMEM;
    }
    return node;
}

/* --- nodes ---------------------------------------------------------------- */

static bool same(struct uns_slice a, struct uns_slice b)
{
    return a.len == b.len && (a.len == 0 || !memcmp(a.data, b.data, a.len));
}

struct uns_tree_node *uns_tree_find(const struct uns_tree_node *object,
                                    struct uns_slice key)
{
    struct uns_tree_node *node = object->child;

    while (node && !same(uns_run_slice(&node->key), key))
        node = node->next;
    return node;
}

/* `before` NULL: as the first one. */
static void link_behind(struct uns_tree_node *parent,
                        struct uns_tree_node *before,
                        struct uns_tree_node *node)
{
    struct uns_tree_node **from = before ? &before->next : &parent->child;

    node->next = *from;
    *from = node;
    if (!node->next)
        parent->last = node;
}

struct uns_tree_node *uns_tree_member(struct uns_tree *tree,
                                      struct uns_tree_node *object,
                                      struct uns_slice key)
{
    struct uns_tree_node *node = uns_tree_find(object, key);

    if (node)
        return node;
    node = new_node(tree);
    if (!node)
        return NULL;
    link_behind(object, object->last, node);
    add_to(tree, &node->key, key);
    return tree->err == UNS_OK ? node : NULL;
}

struct uns_tree_node *uns_tree_element(struct uns_tree *tree,
                                       struct uns_tree_node *list,
                                       int64_t place)
{
    struct uns_tree_node *node = new_node(tree);
    struct uns_tree_node *before = NULL;

    if (!node)
        return NULL;
    node->place = place;
    if (list->last && list->last->place <= place)
        before = list->last;
    else
        for (struct uns_tree_node *at = list->child; at && at->place <= place;
             at = at->next)
            before = at;
    link_behind(list, before, node);
    return node;
}

void uns_tree_add(struct uns_tree *tree, struct uns_tree_node *node,
                  struct uns_slice text)
{
    add_to(tree, &node->text, text);
}

void uns_tree_turn(struct uns_tree *tree, struct uns_tree_node *node,
                   enum uns_tree_kind kind)
{
    empty(tree, node);
    node->kind = kind;
    node->shape = NULL;
}

/* --- printing ------------------------------------------------------------- */

static void put(struct uns_tree *tree, struct uns_run *out, const char *text)
{
    add_to(tree, out, uns_slice_of(text));
}

static bool is_json(struct uns_slice text)
{
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, text.data, text.len, false);
    while (uns_walk_next(&walk, &value)) {
    }
    return walk.ok;
}

/* A tool's arguments that the answer's own length limit has cut off are none,
 * as the block began; in an answer that ends with its call they are broken. */
static const char *cut_arguments(struct uns_tree *tree)
{
    const struct uns_tree_node *why =
        uns_tree_find(&tree->root, uns_slice_of("stop_reason"));

    if (why && uns_item_is(uns_run_slice(&why->text), "\"tool_use\""))
        tree->err = UNS_SYNTAX;
    return "{}";
}

static void put_pieces(struct uns_tree *tree, struct uns_slice raw,
                       struct uns_run *out)
{
    const struct uns_heap *heap = tree->heap;
    char *text;

    if (!charge(tree, raw.len + 1))
        return;
    tree->used -= raw.len + 1;
    text = heap->resize(heap->ctx, NULL, raw.len + 1);
    if (!text) {
        tree->err = UNS_NOMEM;
        return;
    }
    put(tree, out,
        uns_walk_decode(raw, text, raw.len + 1) && is_json(uns_slice_of(text))
            ? text
            : cut_arguments(tree));
    heap->release(heap->ctx, text);
}

static void put_name(struct uns_tree *tree, struct uns_slice key, bool first,
                     struct uns_run *out)
{
    put(tree, out, first ? "\"" : ",\"");
    add_to(tree, out, key);
    put(tree, out, "\":");
}

static bool is_there(const struct uns_tree_node *node)
{
    return node && node->kind != UNS_TREE_NEW;
}

/* What an answer that comes whole has in any case. */
static void put_missing(struct uns_tree *tree,
                        const struct uns_tree_node *object, bool first,
                        struct uns_run *out)
{
    const struct uns_shape *shape = object->shape;

    for (size_t i = 0; shape && i < shape->count; i++) {
        const struct uns_shape_row *row = &shape->rows[i];
        struct uns_slice key = uns_slice_of(row->as ? row->as : row->key);

        if (!row->otherwise || is_there(uns_tree_find(object, key)))
            continue;
        put_name(tree, key, first, out);
        put(tree, out, row->otherwise);
        first = false;
    }
}

static void put_object(struct uns_tree *tree,
                       const struct uns_tree_node *object, struct uns_run *out)
{
    bool first = true;

    put(tree, out, "{");
    for (const struct uns_tree_node *at = object->child; at; at = at->next) {
        if (!is_there(at))
            continue;
        put_name(tree, uns_run_slice(&at->key), first, out);
        uns_tree_print(tree, at, out);
        first = false;
    }
    put_missing(tree, object, first, out);
    put(tree, out, "}");
}

static void put_list(struct uns_tree *tree, const struct uns_tree_node *list,
                     struct uns_run *out)
{
    put(tree, out, "[");
    for (const struct uns_tree_node *at = list->child; at; at = at->next) {
        if (at != list->child)
            put(tree, out, ",");
        uns_tree_print(tree, at, out);
    }
    put(tree, out, "]");
}

void uns_tree_print(struct uns_tree *tree, const struct uns_tree_node *node,
                    struct uns_run *out)
{
    struct uns_slice text = uns_run_slice(&node->text);

    switch (node->kind) {
    case UNS_TREE_NEW:
        put(tree, out, "null");
        break;
    case UNS_TREE_RAW:
        add_to(tree, out, text);
        break;
    case UNS_TREE_TEXT:
        put(tree, out, "\"");
        add_to(tree, out, text);
        put(tree, out, "\"");
        break;
    case UNS_TREE_PIECES:
        put_pieces(tree, text, out);
        break;
    case UNS_TREE_OBJECT:
        put_object(tree, node, out);
        break;
    case UNS_TREE_LIST:
        put_list(tree, node, out);
        break;
    }
}
