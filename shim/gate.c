/* SPDX-License-Identifier: MIT */

/*
 * gate - recognises LLM calls by method and URL.  A yes may be wrong (the
 * engine looks at the body, too); a no is final.
 */

#include "gate.h"

#include "method.h"
#include "settings.h"

#include "core/detect.h"

#include <string.h>

bool uns_gate_is_shut(const struct uns_real *real)
{
    return !real->complete || uns_settings()->off;
}

static bool is_post(const struct uns_app *app)
{
    enum uns_method method = uns_method_of(app);

    return method == UNS_METHOD_FIELDS || method == UNS_METHOD_UPLOAD;
}

static enum uns_dialect detect(const char *url, const char *extra)
{
    enum uns_dialect dialect;
    struct uns_url parts;

    if (!uns_url_split(url, strlen(url), &parts))
        return UNS_DIALECT_NONE;
    dialect = uns_detect(&parts, extra);
    return dialect == UNS_DIALECT_NONE && uns_settings()->any ? UNS_DIALECT_CHAT
                                                              : dialect;
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
    app->forced = uns_settings()->any;
    if (app->stranger || !(app->forced || is_post(app)) ||
        uns_app_opt(app, CURLOPT_CONNECT_ONLY)->value.l)
        return false;
    if (uns_app_opt(app, CURLOPT_CURLU)->value.p)
        app->dialect = detect_parsed(app, extra);
    else if (url)
        app->dialect = detect(url, extra);
    return app->dialect != UNS_DIALECT_NONE;
}

bool uns_gate_opens(struct uns_app *app, const char *extra)
{
    if (uns_gate_is_call(app, extra))
        return true;
    if (!uns_settings()->plan || app->stranger)
        return false;
    (void)uns_gate_is_call(app, NULL);
    return true;
}

bool uns_gate_is_held(const struct uns_app *app)
{
    return uns_settings()->plan && app->dialect != UNS_DIALECT_NONE;
}
