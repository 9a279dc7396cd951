/* SPDX-License-Identifier: MIT */
/*
 * pushback - a slot belongs to an origin (by its hash) from its first use on,
 * until it is needed for another and both of its spans are over.  Readers may
 * then see the new origin with the old spans, which close nothing.
 */
#include "pushback.h"

#include "log.h"
#include "origin.h"

#include "core/ascii.h"

#include <stdatomic.h>

#define SLOTS 64

/* When the headers do not say it: the minute that such limits are for. */
#define USUAL_RESET (60 * UNS_S)

/* No header is believed for longer. */
#define LONGEST (24 * 3600 * UNS_S)

/* Fewer than one in so many requests left are few. */
#define SHARE 20

static struct slot {
    _Atomic uint64_t origin; /* its hash; 0: free */
    _Atomic int64_t closed;  /* to every request, until then */
    _Atomic int64_t scarce;  /* to hedges, until then */
} slots[SLOTS];

/* FNV-1a, without case. */
static uint64_t hash_of(const struct uns_origin *origin)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    for (const char *at = origin->text; *at; at++)
        hash = (hash ^ (unsigned char)uns_lower(*at)) * UINT64_C(0x100000001b3);
    return hash ? hash : 1;
}

static struct slot *find(uint64_t hash)
{
    for (size_t i = 0; i < SLOTS; i++)
        if (atomic_load(&slots[(hash + i) % SLOTS].origin) == hash)
            return &slots[(hash + i) % SLOTS];
    return NULL;
}

static bool is_over(struct slot *slot, uns_ns now_ns)
{
    return atomic_load(&slot->closed) <= now_ns &&
           atomic_load(&slot->scarce) <= now_ns;
}

/* The origin's slot, or a new one; NULL: all are in use. */
static struct slot *claim(uint64_t hash, uns_ns now_ns)
{
    struct slot *slot = find(hash);

    for (size_t i = 0; !slot && i < SLOTS; i++) {
        struct slot *other = &slots[(hash + i) % SLOTS];
        uint64_t owner = atomic_load(&other->origin);

        if ((owner == 0 || is_over(other, now_ns)) &&
            atomic_compare_exchange_strong(&other->origin, &owner, hash))
            slot = other;
    }
    return slot;
}

static uns_ns until(uns_ns span_ns, uns_ns now_ns)
{
    return now_ns + (span_ns < LONGEST ? span_ns : LONGEST);
}

/* The later of two holds; another thread may be at it. */
static void extend(_Atomic int64_t *moment, int64_t until_ns)
{
    int64_t old = atomic_load(moment);

    while (old < until_ns &&
           !atomic_compare_exchange_weak(moment, &old, until_ns))
        continue;
}

static bool is_scarce(const struct uns_head *head)
{
    if (head->left == UNS_NULL)
        return false;
    return head->left == 0 ||
           (head->limit != UNS_NULL && head->left < head->limit / SHARE);
}

static bool has_news(const struct uns_head *head)
{
    return (head->status >= 400 && head->retry_ns > 0) || is_scarce(head);
}

static void close_for(struct slot *slot, const struct uns_head *head,
                      uns_ns now_ns)
{
    if (head->status >= 400 && head->retry_ns > 0)
        extend(&slot->closed, until(head->retry_ns, now_ns));
    if (is_scarce(head))
        atomic_store(
            &slot->scarce,
            until(head->reset_ns ? head->reset_ns : USUAL_RESET, now_ns));
}

/* It answers, so its quota is not used up any more; it has requests left. */
static void open_for(struct slot *slot, const struct uns_head *head)
{
    int64_t never = UNS_NEVER;

    if (uns_head_success(head))
        (void)atomic_compare_exchange_strong(&slot->closed, &never, 0);
    if (head->left != UNS_NULL && !is_scarce(head))
        atomic_store(&slot->scarce, 0);
}

void uns_pushback_note(const struct uns_attempt *a, uns_ns now_ns)
{
    struct uns_origin origin = uns_origin_of(a->call, a->source);
    uint64_t hash = hash_of(&origin);
    struct slot *slot = has_news(&a->head) ? claim(hash, now_ns) : find(hash);

    if (!slot)
        return;
    open_for(slot, &a->head);
    close_for(slot, &a->head, now_ns);
    if (!is_over(slot, now_ns))
        uns_log("%s: no extra requests for now", origin.text);
}

static const char quota[] = "insufficient_quota";

/* After `count` of its letters another one came than the next: how many of
 * its first letters are also the last of those (Knuth, Morris and Pratt)? */
static uint8_t border(uint8_t count)
{
    for (uint8_t shift = 1; shift < count; shift++)
        if (memcmp(quota, quota + shift, (size_t)(count - shift)) == 0)
            return (uint8_t)(count - shift);
    return 0;
}

static uint8_t follow(uint8_t count, char c)
{
    while (count && c != quota[count])
        count = border(count);
    return (uint8_t)(count + (c == quota[count]));
}

static void close_for_good(const struct uns_attempt *a)
{
    struct uns_origin origin = uns_origin_of(a->call, a->source);
    struct slot *slot = claim(hash_of(&origin), a->piece_ns);

    if (slot)
        extend(&slot->closed, UNS_NEVER);
    uns_log("%s: the quota is used up: no extra requests", origin.text);
}

bool uns_pushback_read(struct uns_attempt *a, const char *bytes, size_t len)
{
    for (size_t i = 0; a->head.status == 429 && i < len; i++) {
        a->quota = follow(a->quota, bytes[i]);
        if (a->quota < sizeof quota - 1)
            continue;
        a->quota = 0;
        close_for_good(a);
        return true;
    }
    return false;
}

/* Has it told this very call to stay away for longer than a call lasts? */
static bool is_out(const struct uns_call *call, const struct uns_url *url)
{
    for (unsigned i = 0; i < call->attempts; i++) {
        const struct uns_attempt *a = call->attempt[i];
        struct uns_url other = uns_origin_url(call, a->source);

        if (a->head.status >= 400 && a->head.retry_ns > UNS_PUSHBACK_PATIENCE &&
            uns_url_same_origin(url, &other))
            return true;
    }
    return false;
}

bool uns_pushback_blocks(const struct uns_call *call,
                         const struct uns_source *source, enum uns_why why,
                         uns_ns now_ns)
{
    struct uns_url url = uns_origin_url(call, source);
    struct uns_origin origin = uns_origin_print(&url);
    struct slot *slot = find(hash_of(&origin));

    if (is_out(call, &url))
        return true;
    if (!slot)
        return false;
    return atomic_load(&slot->closed) > now_ns ||
           (why != UNS_WHY_FAILURE && atomic_load(&slot->scarce) > now_ns);
}

void uns_pushback_forget(void)
{
    for (size_t i = 0; i < SLOTS; i++) {
        atomic_store(&slots[i].closed, 0);
        atomic_store(&slots[i].scarce, 0);
    }
}
