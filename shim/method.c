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

/* The option that decided last; 0: none has. */
static CURLoption last_decider(const struct uns_app *app, enum effect *ret_last)
{
    CURLoption decider = 0;
    uint32_t order = 0;

    *ret_last = GETS;

    for (size_t i = 0; i < sizeof deciders / sizeof *deciders; i++) {
        const struct uns_opt *opt = uns_app_opt(app, deciders[i].option);
        enum effect effect = opt->value.l ? deciders[i].on : deciders[i].off;

        if (opt->order <= order || effect == KEEPS)
            continue;
        order = opt->order;
        decider = deciders[i].option;
        *ret_last = effect;
    }
    return decider;
}

bool uns_method_is_head(const struct uns_app *app)
{
    enum effect effect;

    return last_decider(app, &effect) == CURLOPT_NOBODY;
}

/* Fields after NOBODY make a POST whose answer has no body. */
static bool wants_body(const struct uns_app *app)
{
    const struct uns_opt *nobody = uns_app_opt(app, CURLOPT_NOBODY);
    const struct uns_opt *post = uns_app_opt(app, CURLOPT_POST);

    return !nobody->value.l || (post->value.l && post->order > nobody->order);
}

enum uns_method uns_method_of(const struct uns_app *app)
{
    const char *custom = uns_app_opt(app, CURLOPT_CUSTOMREQUEST)->value.p;
    bool posts = custom && strcmp(custom, "POST") == 0;
    enum effect effect;

    if (custom && !posts)
        return UNS_METHOD_OTHER;
    (void)last_decider(app, &effect);
    switch (effect) {
    case POSTS:
        return wants_body(app) ? UNS_METHOD_FIELDS : UNS_METHOD_OTHER;
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
