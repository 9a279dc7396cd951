/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_NOTICES_H
#define UNS_ENGINE_NOTICES_H

/*
 * notices - what the application's notify callback (libcurl 8.17 and later)
 * will hear at the end of a turn.  libcurl calls it in the middle of its work,
 * when the messages it is about are not sorted yet; and it knows of rivals.
 */

#include "shim/abi_multi.h"

/* CURLMNOTIFY_*, which older headers lack. */
enum uns_notice {
    UNS_NOTICE_INFO_READ,
    UNS_NOTICE_EASY_DONE
};

/* Options that older headers lack. */
#define UNS_MOPT_NOTIFYFUNCTION ((CURLMoption)(CURLOPTTYPE_FUNCTIONPOINT + 18))
#define UNS_MOPT_NOTIFYDATA     ((CURLMoption)(CURLOPTTYPE_OBJECTPOINT + 19))

typedef void uns_notify_callback(CURLM *multi, unsigned notification,
                                 CURL *easy, void *data);

struct uns_notices {
    bool info_read; /* there is something to read */
    CURL **done;    /* whose end is to be told */
    size_t len, cap;
};

/* `easy` of the application's has ended.  Without memory only INFO_READ will
 * be told, which is the one that says that there is something to do. */
void uns_notices_put(struct uns_notices *notices, CURL *easy);

/* The handle is removed. */
void uns_notices_purge(struct uns_notices *notices, const CURL *easy);

/* Tell the application what it has asked to be told. */
void uns_notices_tell(struct uns_notices *notices,
                      const struct uns_multi *multi);

void uns_notices_done(struct uns_notices *notices);

#endif
