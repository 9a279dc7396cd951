/* SPDX-License-Identifier: MIT */
#include "again.h"

#include "notes.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define SLOTS 16

static struct slot {
    _Atomic uint64_t request; /* its hash; 0: free */
    _Atomic int64_t until;    /* remembered */
} slots[SLOTS];

/* FNV-1a. */
static uint64_t mix(uint64_t hash, const char *bytes, size_t len)
{
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of(const struct uns_call *call)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    hash = mix(hash, call->url_text, strlen(call->url_text) + 1);
    hash = mix(hash, call->body.data, call->body.len);
    return hash ? hash : 1;
}

static struct slot *find(uint64_t hash)
{
    for (size_t i = 0; i < SLOTS; i++)
        if (atomic_load(&slots[i].request) == hash)
            return &slots[i];
    return NULL;
}

/* Its own, one that is free or over, or that which is over first. */
static struct slot *claim(uint64_t hash)
{
    struct slot *first = find(hash);

    for (size_t i = 0; !first && i < SLOTS; i++)
        if (atomic_load(&slots[i].request) == 0)
            first = &slots[i];
    if (first)
        return first;
    first = slots;
    for (size_t i = 1; i < SLOTS; i++)
        if (atomic_load(&slots[i].until) < atomic_load(&first->until))
            first = &slots[i];
    return first;
}

static bool is_whole(const struct uns_call *call)
{
    return call->body.complete && !call->body.lost;
}

static bool is_counted(const struct uns_app *app)
{
    static const char name[] = "x-stainless-retry-count:";
    const struct curl_slist *line =
        uns_notes_pointer(app, CURLOPT_HTTPHEADER, NULL);

    for (; line; line = line->next)
        if (!strncasecmp(line->data, name, sizeof name - 1))
            return strtol(line->data + sizeof name - 1, NULL, 10) > 0;
    return false;
}

bool uns_again_is(const struct uns_call *call, uns_ns now_ns)
{
    struct slot *slot;

    if (is_counted(call->app))
        return true;
    slot = is_whole(call) ? find(hash_of(call)) : NULL;
    return slot && atomic_load(&slot->until) > now_ns;
}

static bool has_failed(const struct uns_call *call)
{
    const struct uns_attempt *a = call->voice ? call->voice : call->attempt[0];

    return !call->aborted &&
           (call->code != CURLE_OK || !uns_head_success(&a->head));
}

void uns_again_note(const struct uns_call *call, uns_ns now_ns)
{
    struct slot *slot;
    uint64_t hash;

    if (call->policy->retry.max == 0 || !is_whole(call))
        return;
    hash = hash_of(call);
    slot = has_failed(call) ? claim(hash) : find(hash);
    if (!slot)
        return;
    atomic_store(&slot->request, has_failed(call) ? hash : 0);
    atomic_store(&slot->until, now_ns + UNS_AGAIN_SPAN);
}

void uns_again_forget(void)
{
    for (size_t i = 0; i < SLOTS; i++)
        atomic_store(&slots[i].request, 0);
}
