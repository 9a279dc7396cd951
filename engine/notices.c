/* SPDX-License-Identifier: MIT */
#include "notices.h"

#include <stdlib.h>

void uns_notices_put(struct uns_notices *notices, CURL *easy)
{
    size_t cap = notices->cap ? notices->cap * 2 : 16;
    CURL **done;

    notices->info_read = true;
    if (notices->len == notices->cap) {
        done = realloc(notices->done, cap * sizeof *done);
        if (!done)
            return;
        notices->done = done;
        notices->cap = cap;
    }
    notices->done[notices->len++] = easy;
}

void uns_notices_purge(struct uns_notices *notices, const CURL *easy)
{
    size_t kept = 0;

    for (size_t i = 0; i < notices->len; i++)
        if (notices->done[i] != easy)
            notices->done[kept++] = notices->done[i];
    notices->len = kept;
}

static void tell(const struct uns_multi *multi, enum uns_notice notice,
                 CURL *easy)
{
    uns_notify_callback *notify =
        (uns_notify_callback *)uns_multi_opt(multi, UNS_MOPT_NOTIFYFUNCTION)
            ->value.f;

    if (notify && multi->notify & 1u << notice)
        notify(multi->multi, notice, easy,
               uns_multi_opt(multi, UNS_MOPT_NOTIFYDATA)->value.p);
}

/* The callback may read messages and remove handles: each notice is taken off
 * before it is told. */
void uns_notices_tell(struct uns_notices *notices,
                      const struct uns_multi *multi)
{
    bool info_read = notices->info_read;

    notices->info_read = false;
    while (notices->len > 0)
        tell(multi, UNS_NOTICE_EASY_DONE, notices->done[--notices->len]);
    if (info_read)
        tell(multi, UNS_NOTICE_INFO_READ, NULL);
}

void uns_notices_done(struct uns_notices *notices)
{
    free(notices->done);
    *notices = (struct uns_notices){0};
}
