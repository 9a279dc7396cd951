/* SPDX-License-Identifier: MIT */

/*
 * A function per verb.  What is null or empty says nothing and replaces
 * nothing: servers repeat such members in every event.
 */

#include "promote_merge.h"

#include "ascii.h"
#include "item.h"

#include <string.h>

typedef void put_fn(struct uns_tree *tree, struct uns_tree_node *node,
                    const struct uns_shape_row *row, struct uns_slice value);

static bool same(struct uns_slice a, struct uns_slice b)
{
    return a.len == b.len && (a.len == 0 || !memcmp(a.data, b.data, a.len));
}

static bool says(struct uns_slice value)
{
    return value.len && uns_item_kind(value) != 'n' &&
           !uns_item_is(value, "\"\"");
}

static void set(struct uns_tree *tree, struct uns_tree_node *node,
                const struct uns_shape_row *row, struct uns_slice value)
{
    (void)row;
    if (node->kind != UNS_TREE_NEW && !says(value))
        return;
    if (node->kind == UNS_TREE_RAW && same(uns_run_slice(&node->text), value))
        return;
    uns_tree_turn(tree, node, UNS_TREE_RAW);
    uns_tree_add(tree, node, value);
}

static void unchunk(struct uns_tree *tree, struct uns_tree_node *node,
                    const struct uns_shape_row *row, struct uns_slice value)
{
    static const char end[] = ".chunk\"";
    size_t len = sizeof end - 1;

    if (value.len <= len ||
        memcmp(value.data + value.len - len, end, len) != 0) {
        set(tree, node, row, value);
        return;
    }
    uns_tree_turn(tree, node, UNS_TREE_RAW);
    uns_tree_add(tree, node, (struct uns_slice){value.data, value.len - len});
    uns_tree_add(tree, node, uns_slice_of("\""));
}

static void fuller(struct uns_tree *tree, struct uns_tree_node *node,
                   const struct uns_shape_row *row, struct uns_slice value)
{
    bool bare = uns_item_kind(value) == '[' &&
                uns_item_trim(uns_item_inside(value)).len == 0;

    if (!bare || node->kind == UNS_TREE_NEW)
        set(tree, node, row, value);
}

/* --- lists ---------------------------------------------------------------- */

static void become(struct uns_tree *tree, struct uns_tree_node *node,
                   enum uns_tree_kind kind)
{
    if (node->kind != kind)
        uns_tree_turn(tree, node, kind);
}

static void add_raw(struct uns_tree *tree, struct uns_tree_node *list,
                    struct uns_slice value)
{
    struct uns_tree_node *element =
        uns_tree_element(tree, list, list->last ? list->last->place : 0);

    if (!element)
        return;
    element->kind = UNS_TREE_RAW;
    uns_tree_add(tree, element, value);
}

static struct uns_tree_node *add_object(struct uns_tree *tree,
                                        struct uns_tree_node *list,
                                        int64_t place,
                                        const struct uns_shape *shape)
{
    struct uns_tree_node *element = uns_tree_element(tree, list, place);

    if (element) {
        element->kind = UNS_TREE_OBJECT;
        element->shape = shape;
    }
    return element;
}

static void push(struct uns_tree *tree, struct uns_tree_node *node,
                 const struct uns_shape_row *row, struct uns_slice value)
{
    (void)row;
    become(tree, node, UNS_TREE_LIST);
    add_raw(tree, node, value);
}

/* Each element of a list in turn; false: it is no list. */
static bool each(struct uns_tree *tree, struct uns_tree_node *node,
                 const struct uns_shape_row *row, struct uns_slice value,
                 put_fn *put)
{
    struct uns_slice inside = uns_item_inside(value);
    struct uns_item item;

    if (uns_item_kind(value) != '[')
        return false;
    become(tree, node, UNS_TREE_LIST);
    while (tree->err == UNS_OK && uns_item_next(&inside, false, &item))
        put(tree, node, row, item.value);
    return true;
}

static void append(struct uns_tree *tree, struct uns_tree_node *node,
                   const struct uns_shape_row *row, struct uns_slice value)
{
    if (!each(tree, node, row, value, push))
        set(tree, node, row, value);
}

/* --- entries: elements with an index -------------------------------------- */

/* -1: it has none. */
static int64_t place_of(struct uns_slice digits)
{
    int64_t place = 0;

    if (digits.len == 0 || digits.len > 9)
        return -1;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.data[i] < '0' || digits.data[i] > '9')
            return -1;
        place = place * 10 + (digits.data[i] - '0');
    }
    return place;
}

/* Some servers give each call the same index, and another name. */
static bool differs(const struct uns_tree_node *entry, struct uns_slice object,
                    const char *name)
{
    const struct uns_tree_node *had = uns_tree_find(entry, uns_slice_of(name));
    struct uns_slice has = uns_item_get(object, name);

    return had && says(uns_run_slice(&had->text)) && says(has) &&
           !same(uns_run_slice(&had->text), has);
}

static struct uns_tree_node *entry_of(const struct uns_tree_node *list,
                                      int64_t place, struct uns_slice object)
{
    struct uns_tree_node *found = place < 0 ? list->last : NULL;

    for (struct uns_tree_node *at = list->child; place >= 0 && at;
         at = at->next)
        if (at->place == place)
            found = at;
    if (found &&
        (found->kind != UNS_TREE_OBJECT || differs(found, object, "id") ||
         differs(found, object, "type")))
        return NULL;
    return found;
}

static void add_entry(struct uns_tree *tree, struct uns_tree_node *list,
                      const struct uns_shape_row *row, struct uns_slice value)
{
    int64_t place = place_of(uns_item_get(value, "index"));
    struct uns_tree_node *entry;

    if (uns_item_kind(value) != '{') {
        add_raw(tree, list, value);
        return;
    }
    entry = entry_of(list, place, value);
    if (!entry && place < 0)
        place = list->last ? list->last->place : 0;
    if (!entry)
        entry = add_object(tree, list, place, row->inner);
    if (entry)
        uns_merge_object(tree, entry, row->inner, value);
}

static void entries(struct uns_tree *tree, struct uns_tree_node *node,
                    const struct uns_shape_row *row, struct uns_slice value)
{
    if (!each(tree, node, row, value, add_entry))
        set(tree, node, row, value);
}

struct uns_tree_node *uns_merge_block(struct uns_tree *tree, const char *list,
                                      struct uns_slice place)
{
    int64_t at = place_of(place) < 0 ? 0 : place_of(place);
    struct uns_tree_node *node =
        uns_tree_member(tree, &tree->root, uns_slice_of(list));
    struct uns_tree_node *entry;

    if (!node)
        return NULL;
    become(tree, node, UNS_TREE_LIST);
    entry = entry_of(node, at, (struct uns_slice){0});
    return entry ? entry : add_object(tree, node, at, NULL);
}

/* --- parts: texts with neighbours ----------------------------------------- */

static const char signature[] = "thoughtSignature";

static bool has_alike(const struct uns_tree_node *part, struct uns_slice object,
                      const char *name)
{
    const struct uns_tree_node *had = uns_tree_find(part, uns_slice_of(name));
    struct uns_slice text = {0};

    if (had)
        text = uns_run_slice(&had->text);
    return same(text, uns_item_get(object, name));
}

/* Does the new part go on with the text of the one before? */
static bool goes_on(const struct uns_tree_node *before, struct uns_slice part)
{
    bool text = uns_item_kind(uns_item_get(part, "text")) == '"' &&
                uns_tree_find(before, uns_slice_of("text"));
    bool thinking = uns_item_kind(uns_item_get(part, "thinking")) == '[' &&
                    uns_tree_find(before, uns_slice_of("thinking"));

    return before->kind == UNS_TREE_OBJECT && (text || thinking) &&
           has_alike(before, part, "type") &&
           has_alike(before, part, "thought") &&
           !uns_tree_find(before, uns_slice_of(signature));
}

static bool is_silent(struct uns_slice part)
{
    return uns_item_is(uns_item_get(part, "text"), "\"\"") &&
           !uns_item_get(part, signature).len;
}

static void add_part(struct uns_tree *tree, struct uns_tree_node *list,
                     const struct uns_shape_row *row, struct uns_slice value)
{
    struct uns_tree_node *part = list->last;

    if (uns_item_kind(value) != '{') {
        add_raw(tree, list, value);
        return;
    }
    if (!part || !goes_on(part, value)) {
        if (part && is_silent(value))
            return;
        part = add_object(tree, list, 0, row->inner);
    }
    if (part)
        uns_merge_object(tree, part, row->inner, value);
}

static void parts(struct uns_tree *tree, struct uns_tree_node *node,
                  const struct uns_shape_row *row, struct uns_slice value)
{
    if (!each(tree, node, row, value, add_part))
        set(tree, node, row, value);
}

/* --- texts ---------------------------------------------------------------- */

/* A bare string behind a list of parts is one more of them. */
static void join_part(struct uns_tree *tree, struct uns_tree_node *list,
                      const struct uns_shape_row *row, struct uns_slice value)
{
    struct uns_tree_node *part = list->last;
    struct uns_tree_node *text;

    if (!part || !uns_tree_find(part, uns_slice_of("text"))) {
        part = add_object(tree, list, 0, row->inner);
        if (part)
            uns_merge_object(tree, part, NULL,
                             uns_slice_of("{\"type\":\"text\"}"));
    }
    text = part ? uns_tree_member(tree, part, uns_slice_of("text")) : NULL;
    if (!text)
        return;
    become(tree, text, UNS_TREE_TEXT);
    uns_tree_add(tree, text, uns_item_inside(value));
}

static void join(struct uns_tree *tree, struct uns_tree_node *node,
                 const struct uns_shape_row *row, struct uns_slice value)
{
    char kind = uns_item_kind(value);

    if (kind == '[' && row->inner) {
        if (node->kind == UNS_TREE_TEXT && node->text.len)
            tree->err = UNS_UNSUPPORTED;
        else
            parts(tree, node, row, value);
    } else if (kind != '"') {
        set(tree, node, row, value);
    } else if (node->kind != UNS_TREE_LIST) {
        become(tree, node, UNS_TREE_TEXT);
        uns_tree_add(tree, node, uns_item_inside(value));
    } else if (says(value)) {
        join_part(tree, node, row, value);
    }
}

static void pieces(struct uns_tree *tree, struct uns_tree_node *node,
                   const struct uns_shape_row *row, struct uns_slice value)
{
    (void)row;
    if (uns_item_kind(value) != '"' || !says(value))
        return;
    become(tree, node, UNS_TREE_PIECES);
    uns_tree_add(tree, node, uns_item_inside(value));
}

/* --- objects -------------------------------------------------------------- */

static void merge(struct uns_tree *tree, struct uns_tree_node *node,
                  const struct uns_shape_row *row, struct uns_slice value)
{
    if (uns_item_kind(value) != '{') {
        set(tree, node, row, value);
        return;
    }
    if (node->kind != UNS_TREE_OBJECT) {
        uns_tree_turn(tree, node, UNS_TREE_OBJECT);
        node->shape = row->inner;
    }
    uns_merge_object(tree, node, row->inner, value);
}

static put_fn *const verbs[] = {
    [UNS_SHAPE_SET] = set,       [UNS_SHAPE_JOIN] = join,
    [UNS_SHAPE_MERGE] = merge,   [UNS_SHAPE_ENTRIES] = entries,
    [UNS_SHAPE_APPEND] = append, [UNS_SHAPE_PUSH] = push,
    [UNS_SHAPE_PARTS] = parts,   [UNS_SHAPE_PIECES] = pieces,
    [UNS_SHAPE_FULLER] = fuller, [UNS_SHAPE_UNCHUNK] = unchunk,
    [UNS_SHAPE_FAIL] = NULL,
};

static void put_member(struct uns_tree *tree, struct uns_tree_node *object,
                       const struct uns_shape_row *row,
                       const struct uns_item *item)
{
    struct uns_slice name = row->as ? uns_slice_of(row->as) : item->key;
    struct uns_tree_node *node = uns_tree_member(tree, object, name);

    if (node)
        verbs[row->verb](tree, node, row, item->value);
}

static void merge_item(struct uns_tree *tree, struct uns_tree_node *node,
                       const struct uns_shape *shape,
                       const struct uns_item *item)
{
    static const struct uns_shape_row unlisted = {.verb = UNS_SHAPE_SET};
    const struct uns_shape_row *row = uns_shape_row(shape, item->key);

    if (!row && shape && shape->closed)
        return;
    if (!row)
        row = &unlisted;
    if (row->verb == UNS_SHAPE_LIFT)
        uns_merge_object(tree, node, row->inner, item->value);
    else if (row->verb == UNS_SHAPE_FAIL)
        tree->err = uns_item_told(item->value) ? UNS_UNSUPPORTED : tree->err;
    else if (row->verb != UNS_SHAPE_DROP)
        put_member(tree, node, row, item);
}

void uns_merge_object(struct uns_tree *tree, struct uns_tree_node *node,
                      const struct uns_shape *shape, struct uns_slice object)
{
    struct uns_slice inside = uns_item_inside(object);
    struct uns_item item;

    if (uns_item_kind(object) != '{')
        return;
    while (tree->err == UNS_OK && uns_item_next(&inside, true, &item))
        merge_item(tree, node, shape, &item);
}
