/* SPDX-License-Identifier: MIT */

/*
 * Frames are cut as they arrive, their data is checked by walk.c, and only
 * what is well formed gets into the tree.  Data that is no object (pings,
 * [DONE]) says nothing; an object that is broken is an answer with a hole.
 */

#include "promote.h"

#include "ascii.h"
#include "item.h"
#include "promote_merge.h"
#include "walk.h"

#define STEP_BYTES ((size_t)4096)

bool uns_promote_can(enum uns_dialect dialect)
{
    return uns_shape_of(dialect)->answer != NULL;
}

void uns_promote_init(struct uns_promote *promote, enum uns_dialect dialect,
                      const struct uns_heap *heap, size_t limit)
{
    *promote = (struct uns_promote){.dialect = uns_shape_of(dialect)};
    uns_tree_init(&promote->tree, promote->dialect->answer, heap, limit);
    if (!promote->dialect->answer)
        promote->tree.err = UNS_UNSUPPORTED;
}

void uns_promote_done(struct uns_promote *promote)
{
    if (!promote || !promote->tree.heap)
        return;
    uns_run_free(&promote->rest, promote->tree.heap);
    uns_run_free(&promote->data, promote->tree.heap);
    uns_tree_done(&promote->tree);
}

static void fail(struct uns_promote *promote, enum uns_err err)
{
    if (promote->tree.err == UNS_OK)
        promote->tree.err = err;
}

static bool is_well_formed(struct uns_slice text)
{
    struct uns_walk walk;
    struct uns_walk_value value;

    uns_walk_init(&walk, text.data, text.len, false);
    while (uns_walk_next(&walk, &value)) {
    }
    return walk.ok;
}

/* --- one event ------------------------------------------------------------ */

static void begin_afresh(struct uns_promote *promote)
{
    const struct uns_shape *shape = promote->dialect->answer;
    struct uns_tree *tree = &promote->tree;

    uns_tree_turn(tree, &tree->root, UNS_TREE_OBJECT);
    tree->root.shape = shape;
}

/* Its type: as it says, else as its line does. */
static struct uns_slice type_of(struct uns_slice event, struct uns_slice name)
{
    struct uns_slice type = uns_item_get(event, "type");

    return uns_item_kind(type) == '"' ? uns_item_inside(type) : name;
}

static struct uns_tree_node *node_for(struct uns_promote *promote,
                                      enum uns_shape_effect effect,
                                      struct uns_slice event)
{
    struct uns_tree *tree = &promote->tree;

    if (effect == UNS_EVENT_BLOCK)
        return uns_merge_block(tree, promote->dialect->list,
                               uns_item_get(event, promote->dialect->number));
    if (effect == UNS_EVENT_AFRESH)
        begin_afresh(promote);
    return &tree->root;
}

static void take_typed(struct uns_promote *promote, struct uns_slice event,
                       struct uns_slice name)
{
    const struct uns_shape_event *row =
        uns_shape_event(promote->dialect, type_of(event, name));
    struct uns_tree_node *node;

    if (!row)
        return;
    if (row->effect == UNS_EVENT_ERROR)
        fail(promote, UNS_UNSUPPORTED);
    promote->told |= row->effect == UNS_EVENT_TELLS;
    if (!row->shape)
        return;
    node = node_for(promote, row->effect, event);
    if (node)
        uns_merge_object(&promote->tree, node, row->shape, event);
    promote->events++;
}

static void take_event(struct uns_promote *promote, struct uns_slice event,
                       struct uns_slice name)
{
    struct uns_tree *tree = &promote->tree;

    if (!is_well_formed(event)) {
        fail(promote, UNS_SYNTAX);
        return;
    }
    if (promote->dialect->events) {
        take_typed(promote, event, name);
        return;
    }
    uns_merge_object(tree, &tree->root, promote->dialect->answer, event);
    promote->events++;
}

/* One event's data; where a blank line is missing, that of several. */
static void take_data(struct uns_promote *promote, struct uns_slice data,
                      struct uns_slice name)
{
    for (;;) {
        size_t len;

        data = uns_item_trim(data);
        if (uns_item_kind(data) != '{' || promote->tree.err != UNS_OK)
            return;
        len = uns_item_extent(data);
        if (len == 0)
            fail(promote, UNS_SYNTAX);
        take_event(promote, (struct uns_slice){data.data, len}, name);
        data = (struct uns_slice){data.data + len, data.len - len};
    }
}

/* --- one frame ------------------------------------------------------------ */

/* What follows the field's name, colon and one space.  False: another. */
static bool is_field(struct uns_slice line, const char *name,
                     struct uns_slice *ret_value)
{
    size_t len = strlen(name);

    if (line.len < len || memcmp(line.data, name, len) != 0)
        return false;
    len += line.len > len && line.data[len] == ' ';
    *ret_value = (struct uns_slice){line.data + len, line.len - len};
    return true;
}

static void add_data(struct uns_promote *promote, struct uns_slice line)
{
    struct uns_run *data = &promote->data;
    const struct uns_heap *heap = promote->tree.heap;

    if ((data->len && !uns_run_add(data, heap, "\n", 1)) ||
        !uns_run_add(data, heap, line.data, line.len))
        fail(promote, UNS_NOMEM);
}

/* Server-sent events.  JSON that no field frames would be lost. */
static void take_lines(struct uns_promote *promote, struct uns_slice frame)
{
    struct uns_slice name = {0};
    struct uns_slice value;

    promote->data.len = 0;
    while (frame.len && promote->tree.err == UNS_OK) {
        struct uns_slice line = uns_cut_line(&frame);

        if (is_field(line, "data:", &value))
            add_data(promote, value);
        else if (is_field(line, "event:", &value))
            name = value;
        else if (line.len && memchr("{}[]\"", *line.data, 5))
            fail(promote, UNS_SYNTAX);
    }
    take_data(promote, uns_run_slice(&promote->data), name);
}

/* A line of JSON, or an array's element with what stands before it. */
static void take_bare(struct uns_promote *promote, struct uns_slice frame)
{
    bool array = promote->cut.kind == UNS_CUT_ARRAY;

    frame = uns_item_trim(frame);
    while (array && frame.len && (*frame.data == '[' || *frame.data == ','))
        frame =
            uns_item_trim((struct uns_slice){frame.data + 1, frame.len - 1});
    if (frame.len == 0 || (array && *frame.data == ']'))
        return;
    if (*frame.data != '{')
        fail(promote, UNS_SYNTAX);
    take_data(promote, frame, (struct uns_slice){0});
}

static struct uns_slice without_mark(struct uns_slice frame)
{
    static const char mark[] = "\xef\xbb\xbf";

    if (frame.len < 3 || memcmp(frame.data, mark, 3) != 0)
        return frame;
    return (struct uns_slice){frame.data + 3, frame.len - 3};
}

static bool is_too_big(const struct uns_promote *promote, size_t len)
{
    return len > promote->tree.limit - promote->tree.used;
}

static void take_frame(struct uns_promote *promote, struct uns_slice frame)
{
    if (is_too_big(promote, frame.len)) {
        fail(promote, UNS_TOOBIG);
        return;
    }
    if (!promote->begun)
        frame = without_mark(frame);
    promote->begun = true;
    if (promote->cut.kind == UNS_CUT_EVENTS)
        take_lines(promote, frame);
    else
        take_bare(promote, frame);
}

/* --- the body ------------------------------------------------------------- */

static void take_frames(struct uns_promote *promote)
{
    struct uns_slice rest = uns_run_slice(&promote->rest);
    size_t used = 0;
    size_t len;

    while (promote->tree.err == UNS_OK &&
           (len = uns_cut_next(&promote->cut, rest)) != 0) {
        take_frame(promote, (struct uns_slice){rest.data, len});
        rest = (struct uns_slice){rest.data + len, rest.len - len};
        used += len;
    }
    uns_run_drop(&promote->rest, used);
}

/* A step at a time: how much is held does not depend on the pieces. */
static void take_step(struct uns_promote *promote, const char *bytes,
                      size_t len)
{
    if (!uns_run_add(&promote->rest, promote->tree.heap, bytes, len)) {
        fail(promote, UNS_NOMEM);
        return;
    }
    take_frames(promote);
    if (is_too_big(promote, promote->rest.len))
        fail(promote, UNS_TOOBIG);
}

enum uns_err uns_promote_feed(struct uns_promote *promote, const char *bytes,
                              size_t len)
{
    while (len && promote->tree.err == UNS_OK) {
        size_t step = len < STEP_BYTES ? len : STEP_BYTES;

        take_step(promote, bytes, step);
        bytes += step;
        len -= step;
    }
    return promote->tree.err;
}

/* Text was written, and the answer that repeats it has none. */
static bool is_hollow(const struct uns_promote *promote)
{
    const struct uns_tree_node *list;

    if (!promote->told)
        return false;
    list = uns_tree_find(&promote->tree.root,
                         uns_slice_of(promote->dialect->list));
    return !list || uns_item_is(uns_run_slice(&list->text), "[]") ||
           (list->kind == UNS_TREE_LIST && !list->child);
}

enum uns_err uns_promote_end(struct uns_promote *promote,
                             struct uns_run *ret_body)
{
    struct uns_tree *tree = &promote->tree;

    if (tree->err == UNS_OK && promote->rest.len)
        take_frame(promote, uns_run_slice(&promote->rest));
    promote->rest.len = 0;
    if (promote->events == 0)
        fail(promote, UNS_NOTFOUND);
    if (is_hollow(promote))
        fail(promote, UNS_UNSUPPORTED);
    uns_tree_print(tree, &tree->root, ret_body);
    return tree->err;
}
