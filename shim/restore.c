/* SPDX-License-Identifier: MIT */

/*
 * restore - puts the application's own callbacks back on a handle.  In the
 * order in which it set them, after the defaults of those that it never set:
 * PROGRESSFUNCTION and XFERINFOFUNCTION undo each other, the later one holds.
 */

#include "note.h"

#include <stdio.h>

static const CURLoption replaced[] = {
#define OPTION(name, kind, heir)
#define NEWER(number, kind, heir)
#define SWAPPED(name, kind, heir) CURLOPT_##name,
#include "options.def"
};

enum {
    REPLACED_COUNT = sizeof(replaced) / sizeof(replaced[0])
};

/* What libcurl has before anybody sets the option; callbacks: NULL. */
static void *default_of(CURLoption option)
{
    if (option == CURLOPT_WRITEDATA)
        return stdout;
    if (option == CURLOPT_READDATA)
        return stdin;
    if (option == CURLOPT_NOPROGRESS)
        return (void *)(intptr_t)1;
    return NULL;
}

/* The replaced option that was set first after `order`; NULL: none was. */
static const CURLoption *next_set(const struct uns_app *app, uint32_t order)
{
    const CURLoption *next = NULL;
    uint32_t best = UINT32_MAX;

    for (unsigned i = 0; i < REPLACED_COUNT; i++) {
        uint32_t found = uns_app_opt(app, replaced[i])->order;

        if (found > order && found <= best) {
            best = found;
            next = &replaced[i];
        }
    }
    return next;
}

void uns_note_restore(const struct uns_app *app, CURL *easy)
{
    const CURLoption *next;
    uint32_t order = 0;

    for (unsigned i = 0; i < REPLACED_COUNT; i++)
        if (!uns_app_opt(app, replaced[i])->order)
            app->real->curl_easy_setopt(easy, replaced[i],
                                        default_of(replaced[i]));
    while ((next = next_set(app, order))) {
        const struct uns_opt *opt = uns_app_opt(app, *next);

        app->real->curl_easy_setopt(easy, *next, opt->value.p);
        order = opt->order;
    }
}
