/* SPDX-License-Identifier: MIT */

/*
 * restore - puts the application's own callbacks back on a handle, or
 * libcurl's defaults where it never set any.  None of them changes what
 * another one is, so their order does not matter.
 */

#include "note.h"

#include <stdio.h>

static const CURLoption replaced[] = {
#define OPTION(name, kind, heir)
#define NEWER(number, kind, heir)
#define SWAPPED(name, kind, heir) CURLOPT_##name,
#include "options.def"
};

/* What libcurl has before anybody sets the option; callbacks: NULL. */
static void *default_of(CURLoption option)
{
    if (option == CURLOPT_WRITEDATA)
        return stdout;
    if (option == CURLOPT_READDATA)
        return stdin;
    return NULL;
}

void uns_note_restore(const struct uns_app *app, CURL *easy)
{
    for (size_t i = 0; i < sizeof(replaced) / sizeof(replaced[0]); i++) {
        const struct uns_opt *opt = uns_app_opt(app, replaced[i]);

        app->real->curl_easy_setopt(easy, replaced[i],
                                    opt->order ? opt->value.p
                                               : default_of(replaced[i]));
    }
}
