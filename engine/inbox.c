/* SPDX-License-Identifier: MIT */
#include "inbox.h"

#include "loop.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(struct uns_inbox *inbox)
{
    size_t cap = inbox->cap ? inbox->cap * 2 : 16;
    CURLMsg **queue;

    if (inbox->len < inbox->cap)
        return true;
    if (inbox->at > 0) {
        memmove(inbox->queue, inbox->queue + inbox->at,
                (inbox->len - inbox->at) * sizeof(CURLMsg *));
        inbox->len -= inbox->at;
        inbox->at = 0;
        return true;
    }
    queue = realloc(inbox->queue, cap * sizeof(CURLMsg *));
    if (!queue)
        return false;
    inbox->queue = queue;
    inbox->cap = cap;
    return true;
}

bool uns_inbox_has_room(struct uns_lane *lane)
{
    return !lane->host || reserve(&uns_loop_of(lane)->inbox);
}

void uns_inbox_put(struct uns_lane *lane, CURLMsg *message)
{
    struct uns_inbox *inbox;

    if (!lane->host)
        return;
    inbox = &uns_loop_of(lane)->inbox;
    if (reserve(inbox))
        inbox->queue[inbox->len++] = message;
}

CURLMsg *uns_inbox_take(struct uns_inbox *inbox, int *ret_left)
{
    CURLMsg *message = NULL;

    if (inbox->at < inbox->len)
        message = inbox->queue[inbox->at++];
    *ret_left = (int)(inbox->len - inbox->at);
    return message;
}

void uns_inbox_purge(struct uns_inbox *inbox, const CURL *easy)
{
    size_t kept = inbox->at;

    for (size_t i = inbox->at; i < inbox->len; i++)
        if (inbox->queue[i]->easy_handle != easy)
            inbox->queue[kept++] = inbox->queue[i];
    inbox->len = kept;
}

void uns_inbox_done(struct uns_inbox *inbox)
{
    free(inbox->queue);
    *inbox = (struct uns_inbox){0};
}
