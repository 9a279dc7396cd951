/* SPDX-License-Identifier: MIT */
#include "method.h"

#include <string.h>

/* What an option makes of the request when it is set to something, or to 0;
 * KEEPS: it changes nothing. */
enum effect {
    KEEPS,
    GETS,
    POSTS,
    UPLOADS,
    FORMS
};

static const struct {
    CURLoption option;
    enum effect on, off;
} deciders[] = {
    {CURLOPT_POST,           POSTS,   GETS },
    {CURLOPT_POSTFIELDS,     POSTS,   POSTS},
    {CURLOPT_COPYPOSTFIELDS, POSTS,   POSTS},
    {CURLOPT_HTTPGET,        GETS,    KEEPS},
    {CURLOPT_NOBODY,         GETS,    KEEPS},
    {CURLOPT_UPLOAD,         UPLOADS, GETS },
    {CURLOPT_PUT,            UPLOADS, GETS },
    {CURLOPT_HTTPPOST,       FORMS,   GETS },
    {CURLOPT_MIMEPOST,       FORMS,   GETS },
};

static enum effect last_effect(const struct uns_app *app)
{
    enum effect last = GETS;
    uint32_t order = 0;

    for (size_t i = 0; i < sizeof deciders / sizeof *deciders; i++) {
        const struct uns_opt *opt = uns_app_opt(app, deciders[i].option);
        enum effect effect = opt->value.l ? deciders[i].on : deciders[i].off;

        if (opt->order <= order || effect == KEEPS)
            continue;
        order = opt->order;
        last = effect;
    }
    return last;
}

enum uns_method uns_method_of(const struct uns_app *app)
{
    const char *custom = uns_app_opt(app, CURLOPT_CUSTOMREQUEST)->value.p;
    bool posts = custom && strcmp(custom, "POST") == 0;

    if (custom && !posts)
        return UNS_METHOD_OTHER;
    switch (last_effect(app)) {
    case POSTS:
        return UNS_METHOD_FIELDS;
    case UPLOADS:
        return posts ? UNS_METHOD_UPLOAD : UNS_METHOD_OTHER;
    case FORMS:
        return UNS_METHOD_FORM;
    case KEEPS:
    case GETS:
        break;
    }
    return UNS_METHOD_OTHER;
}
