/* SPDX-License-Identifier: MIT */

/*
 * Rows of paths to a tree.  Built once a body, on first use, in the caller's
 * memory: a few thousand instructions, against a tree that could only be
 * const if it were written by hand or by a generator.
 */

#include "path.h"

#include "bytes.h"

unsigned uns_trie_child(const struct uns_trie *trie, unsigned node,
                        const char *key, size_t len, const char *end)
{
    uint64_t head = uns_bytes_head(key, len, end);
    unsigned at = trie->node[node].child;
    for (; at != 0; at = trie->node[at].next) {
        const struct uns_node *it = &trie->node[at];
        if (it->head == head && it->len == len &&
            (len <= 8 || memcmp(it->key + 8, key + 8, len - 8) == 0)) {
            break;
        }
    }
    return at;
}

/* Children keep the order of the rows: the first is found first. */
static unsigned append(struct uns_trie *trie, unsigned parent, const char *key,
                       size_t len)
{
    if (trie->count == UNS_TRIE_NODES) {
        return UNS_TRIE_NONE;
    }
    unsigned at = trie->count++;
    trie->node[at] = (struct uns_node){
        .head = uns_bytes_head(key, len, key + len),
        .key = key,
        .len = len & 31,
    };
    trie->node[parent].widths |= UINT32_C(1) << len;
    uint8_t *link = &trie->node[parent].child;
    while (*link != 0) {
        link = &trie->node[*link].next;
    }
    *link = (uint8_t)at;
    return at;
}

static size_t segment(const char *path)
{
    size_t len = 0;

    while (path[len] != '\0' && path[len] != '.' && path[len] != '[') {
        len++;
    }
    return len;
}

static void insert(struct uns_trie *trie, const struct uns_path *row)
{
    unsigned at = UNS_TRIE_ROOT;

    for (const char *p = row->path; *p != '\0';) {
        size_t len = segment(p);
        unsigned child = uns_trie_child(trie, at, p, len, p + len);
        at = child != 0 ? child : append(trie, at, p, len);
        p += len;
        while (*p == '[' || *p == ']' || *p == '.') {
            p++;
        }
    }
    struct uns_node *node = &trie->node[at];
    if (at != UNS_TRIE_NONE) {
        node->op = row->op & 15U;
        node->arg = row->arg & 31U;
        node->group = row->group & 3U;
    }
}

void uns_trie_init(struct uns_trie *trie, const struct uns_path *rows,
                   size_t count, bool document)
{
    trie->node[UNS_TRIE_NONE] = (struct uns_node){0};
    trie->node[UNS_TRIE_ROOT] = (struct uns_node){0};
    trie->count = UNS_TRIE_ROOT + 1;
    for (size_t i = 0; i < count; i++) {
        if (document || !rows[i].document) {
            insert(trie, &rows[i]);
        }
    }
}
