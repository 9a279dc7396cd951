/* SPDX-License-Identifier: MIT */
#include "inbox.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(struct uns_inbox *inbox)
{
    size_t cap = inbox->cap ? inbox->cap * 2 : 16;
    struct uns_inbox_item *queue;

    if (inbox->len < inbox->cap)
        return true;
    if (inbox->at > 0) {
        memmove(inbox->queue, inbox->queue + inbox->at,
                (inbox->len - inbox->at) * sizeof *queue);
        inbox->len -= inbox->at;
        inbox->at = 0;
        return true;
    }
    queue = realloc(inbox->queue, cap * sizeof *queue);
    if (!queue)
        return false;
    inbox->queue = queue;
    inbox->cap = cap;
    return true;
}

bool uns_inbox_has_room(struct uns_lane *lane)
{
    return !lane->inbox || reserve(lane->inbox);
}

void uns_inbox_put(struct uns_lane *lane, CURLMsg *message, void **holder)
{
    struct uns_inbox *inbox = lane->inbox;

    if (!inbox || !reserve(inbox))
        return;
    inbox->queue[inbox->len++] = (struct uns_inbox_item){message, holder};
    if (holder)
        *holder = inbox;
}

static void let_go(const struct uns_inbox_item *item)
{
    if (item->holder)
        *item->holder = NULL;
}

CURLMsg *uns_inbox_take(struct uns_inbox *inbox, int *ret_left)
{
    CURLMsg *message = NULL;

    if (inbox->at < inbox->len) {
        let_go(&inbox->queue[inbox->at]);
        message = inbox->queue[inbox->at++].message;
    }
    *ret_left = (int)(inbox->len - inbox->at);
    return message;
}

void uns_inbox_purge(struct uns_inbox *inbox, const CURL *easy)
{
    size_t kept;

    if (!inbox)
        return;
    kept = inbox->at;
    for (size_t i = inbox->at; i < inbox->len; i++) {
        if (inbox->queue[i].message->easy_handle == easy)
            let_go(&inbox->queue[i]);
        else
            inbox->queue[kept++] = inbox->queue[i];
    }
    inbox->len = kept;
}

void uns_inbox_done(struct uns_inbox *inbox)
{
    for (size_t i = inbox->at; i < inbox->len; i++)
        let_go(&inbox->queue[i]);
    free(inbox->queue);
    *inbox = (struct uns_inbox){0};
}
