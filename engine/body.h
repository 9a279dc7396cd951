/* SPDX-License-Identifier: MIT */
#ifndef UNS_ENGINE_BODY_H
#define UNS_ENGINE_BODY_H

/*
 * body - the application's request body, so that it can be sent again: the
 * application's own bytes where libcurl borrows them for the transfer anyway,
 * and a recording where they come from a read callback.
 */

#include "shim/abi.h"

/* A longer recording is not kept: such a call is not sent twice. */
#define UNS_BODY_MAX_BYTES ((size_t)16 << 20)

struct uns_body {
    const struct uns_app *app;
    const char *data; /* borrowed, or `own` */
    size_t len;
    bool post;       /* the request is a POST */
    bool complete;   /* all of it is here */
    bool lost;       /* cannot be replayed: too long, no memory, multipart */
    bool reads;      /* comes from the read callback */
    curl_off_t size; /* announced; -1: not known */
    char *own;
    size_t cap;
};

/* What the application is about to send, from its options.  Borrows `app`
 * until done. */
void uns_body_init(struct uns_body *body, const struct uns_app *app);
void uns_body_done(struct uns_body *body);

/* Have a copy of what is borrowed; without memory for one it is lost.  False:
 * nothing is borrowed. */
bool uns_body_own(struct uns_body *body);

/* Is it read from a file by libcurl itself, which would rewind that to send it
 * again? */
bool uns_body_is_file(const struct uns_body *body);

/* Stand-ins for the application's read, seek and ioctl callbacks; `arg`, the
 * body, is their user pointer.  They call the application's and note what
 * passes.  Without a seek callback a file is rewound as libcurl does it. */
size_t uns_body_on_read(char *out, size_t size, size_t count, void *arg);
int uns_body_on_seek(void *arg, curl_off_t offset, int origin);
curlioerr uns_body_on_ioctl(CURL *easy, int command, void *arg);

#endif
