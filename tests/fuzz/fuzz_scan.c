/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as JSON, by the tables of any dialect, cut anywhere: the scanner
 * ends where it would have with the whole, has seen the same, has given the
 * same text, and remembers nothing wrong of the document before.
 */
#include "core/wire.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds)
{
    if (!holds)
        abort();
}

struct seen {
    uint64_t hash; /* of the text given */
    unsigned kinds, marks;
    bool open, complete, broken;
    size_t used;
    uint8_t slot_len[UNS_SLOT_COUNT];
    char slot[UNS_SLOT_COUNT][UNS_SLOT_BYTES];
};

static void on_text(void *ctx, const char *bytes, size_t len)
{
    struct seen *seen = ctx;

    for (size_t i = 0; i < len; i++)
        seen->hash = (seen->hash ^ (unsigned char)bytes[i]) * 1099511628211U;
}

static void on_kind(void *ctx, enum uns_kind kind)
{
    struct seen *seen = ctx;

    seen->hash = (seen->hash ^ (1000U + (unsigned)kind)) * 1099511628211U;
}

static size_t feed(struct uns_scan *scan, const uint8_t *bytes, size_t len)
{
    char *copy = malloc(len ? len : 1);

    if (copy == NULL)
        abort();
    memcpy(copy, bytes, len);
    size_t used = uns_scan_feed(scan, copy, len);
    check(used <= len);
    check(used == len || uns_scan_complete(scan));
    free(copy);
    return used;
}

/* One document, in pieces of `step`. */
static void run(struct uns_scan *scan, struct seen *seen, const uint8_t *bytes,
                size_t len, size_t step)
{
    memset(seen, 0, sizeof *seen);
    uns_scan_reset(scan);
    for (size_t at = 0; at < len && seen->used == at; at += step)
        seen->used += feed(scan, bytes + at, len - at < step ? len - at : step);
    seen->kinds = scan->kinds;
    seen->marks = scan->marks;
    seen->open = scan->open;
    seen->complete = uns_scan_complete(scan);
    seen->broken = uns_scan_broken(scan, false);
    for (int i = 0; i < UNS_SLOT_COUNT; i++) {
        seen->slot_len[i] = i == UNS_SLOT_INDEX ? 0 : scan->slot_len[i];
        check(seen->slot_len[i] <= UNS_SLOT_BYTES);
        memcpy(seen->slot[i], scan->slot[i], seen->slot_len[i]);
    }
}

static void same(const struct seen *a, const struct seen *b)
{
    check(a->complete == b->complete && a->broken == b->broken);
    if (!a->complete)
        return; /* how far garbage was read is nobody's business */
    check(a->hash == b->hash && a->used == b->used);
    check(a->kinds == b->kinds && a->marks == b->marks && a->open == b->open);
    check(memcmp(a->slot_len, b->slot_len, sizeof a->slot_len) == 0);
    check(memcmp(a->slot, b->slot, sizeof a->slot) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct uns_trie trie;
    static struct uns_scan once, again;
    static struct seen whole, cut, second;
    const struct uns_sink sink = {&whole, on_text, on_kind, NULL};
    struct uns_sink others = {&cut, on_text, on_kind, NULL};

    if (size < 3)
        return 0;
    const struct uns_wire *wire =
        uns_wire((enum uns_dialect)(data[0] % UNS_DIALECT_COUNT));
    size_t step = 1 + data[1] % 20;
    /* the second document begins like the first, up to a point */
    size_t len = size - 2, like = len * (data[1] >> 4) / 15;
    const uint8_t *body = data + 2;

    uns_trie_init(&trie, wire->paths, wire->path_count, data[0] & 0x80);
    uns_scan_init(&once, &trie, &sink);
    run(&once, &whole, body, len, len);
    uns_scan_init(&again, &trie, &others);
    run(&again, &cut, body, len, step);
    same(&whole, &cut);

    others.ctx = &second;
    uint8_t *other = malloc(len);
    if (other == NULL)
        abort();
    memcpy(other, body, len);
    for (size_t i = like; i < len; i++)
        other[i] = body[len - 1 - (i - like)];
    run(&again, &second, body, len, len);
    same(&whole, &second);
    run(&again, &second, other, len, len);
    run(&again, &second, body, len, len);
    same(&whole, &second);
    free(other);
    return 0;
}
