/* SPDX-License-Identifier: MIT */

/*
 * gate - recognises LLM calls by method and URL.  A yes may be wrong (the
 * engine looks at the body, too); a no is final.
 */

#include "gate.h"

#include "core/detect.h"

#include <string.h>

enum effect {
    NONE,
    POSTS,
    OTHER
};

/* What setting an option to something, or to 0, makes of the method; the one
 * that was set last decides.  A multipart form is no LLM call. */
static const struct method {
    CURLoption option;
    enum effect on, off;
} methods[] = {
    {CURLOPT_POST,           POSTS, OTHER},
    {CURLOPT_POSTFIELDS,     POSTS, POSTS},
    {CURLOPT_COPYPOSTFIELDS, POSTS, POSTS},
    {CURLOPT_HTTPGET,        OTHER, NONE },
    {CURLOPT_NOBODY,         OTHER, NONE },
    {CURLOPT_UPLOAD,         OTHER, OTHER},
    {CURLOPT_PUT,            OTHER, OTHER},
    {CURLOPT_HTTPPOST,       OTHER, OTHER},
    {CURLOPT_MIMEPOST,       OTHER, OTHER},
};

static bool is_post(const struct uns_app *app)
{
    const char *custom = uns_app_opt(app, CURLOPT_CUSTOMREQUEST)->value.p;
    enum effect last = OTHER;
    uint32_t order = 0;

    if (custom)
        return strcmp(custom, "POST") == 0;
    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
        const struct uns_opt *opt = uns_app_opt(app, methods[i].option);
        enum effect effect = opt->value.l ? methods[i].on : methods[i].off;

        if (opt->order <= order || effect == NONE)
            continue;
        order = opt->order;
        last = effect;
    }
    return last == POSTS;
}

static enum uns_dialect detect(const char *url, const char *extra)
{
    struct uns_url parts;

    if (!uns_url_split(url, strlen(url), &parts))
        return UNS_DIALECT_NONE;
    return uns_detect(&parts, extra);
}

/* CURLOPT_CURLU goes before CURLOPT_URL, as in libcurl, and may be changed by
 * the application at any time: its text is taken anew. */
static enum uns_dialect detect_parsed(const struct uns_app *app,
                                      const char *extra)
{
    CURLU *parsed = uns_app_opt(app, CURLOPT_CURLU)->value.p;
    enum uns_dialect dialect;
    char *url = NULL;

    if (!app->real->curl_url_get ||
        app->real->curl_url_get(parsed, CURLUPART_URL, &url, 0) != CURLUE_OK)
        return UNS_DIALECT_NONE;
    dialect = detect(url, extra);
    app->real->curl_free(url);
    return dialect;
}

bool uns_gate_is_call(struct uns_app *app, const char *extra)
{
    const char *url = uns_app_opt(app, CURLOPT_URL)->value.p;

    app->dialect = UNS_DIALECT_NONE;
    if (app->stranger || !is_post(app) ||
        uns_app_opt(app, CURLOPT_CONNECT_ONLY)->value.l)
        return false;
    if (uns_app_opt(app, CURLOPT_CURLU)->value.p)
        app->dialect = detect_parsed(app, extra);
    else if (url)
        app->dialect = detect(url, extra);
    return app->dialect != UNS_DIALECT_NONE;
}
