/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_INBOX_H
#define UNS_ENGINE_INBOX_H

/*
 * inbox - the messages that the application's curl_multi_info_read will get:
 * one DONE for each call of its own, and libcurl's own messages about other
 * handles as they are.  A message lives in its handle (or in what the engine
 * keeps with it), so the inbox holds pointers.
 */

#include "lane.h"

/* One message. */
struct uns_inbox_item {
    CURLMsg *message;
    void **holder; /* told whether it lies in an inbox, and in which; NULL:
                      nobody wants to know */
};

/* The host's: a queue of borrowed messages. */
struct uns_inbox {
    struct uns_inbox_item *queue;
    size_t at, len, cap;
};

/* Is there room for another?  Always in a private lane, which has none. */
bool uns_inbox_has_room(struct uns_lane *lane);

/* Append; there must be room.  *holder points to the inbox until the message
 * was taken or is gone; NULL: nobody wants to know. */
void uns_inbox_put(struct uns_lane *lane, CURLMsg *message, void **holder);

/* The oldest, or NULL; `ret_left` as curl_multi_info_read tells. */
CURLMsg *uns_inbox_take(struct uns_inbox *inbox, int *ret_left);

/* The handle is removed: its messages are no more.  Takes NULL. */
void uns_inbox_purge(struct uns_inbox *inbox, const CURL *easy);

void uns_inbox_done(struct uns_inbox *inbox);

#endif
