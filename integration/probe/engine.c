/* SPDX-License-Identifier: MIT */

/*
 * engine - stands in for libunstall-engine.so beside a copy of the preload, to
 * show what the preload does by itself.  It runs each call on the
 * application's own handle with the write callback swapped, passes the bytes
 * on to the application's, and tells stderr what it was asked.
 */

#include "probe.h"

#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

static const struct uns_host *host;

/* The application's own callback, as it is noted now: it may set another
 * one from within. */
static size_t pass_on(char *data, size_t size, size_t count, void *arg)
{
    const struct uns_app *app = arg;
    void *sink = uns_app_opt(app, CURLOPT_WRITEDATA)->value.p;
    void (*own)(void) = uns_app_opt(app, CURLOPT_WRITEFUNCTION)->value.f;

    if (!own)
        return fwrite(data, size, count, sink ? sink : stdout);
    return ((curl_write_callback)own)(data, size, count, sink);
}

static bool perform(struct uns_app *app, CURLcode *ret_code)
{
    const struct uns_real *real = app->real;

    if (app->busy)
        return false;
    fprintf(stderr, "perform %d\n", app->dialect);
    app->call = app;
    app->busy = true;
    real->curl_easy_setopt(app->easy, CURLOPT_WRITEFUNCTION, pass_on);
    real->curl_easy_setopt(app->easy, CURLOPT_WRITEDATA, app);
    *ret_code = real->curl_easy_perform(app->easy);
    host->restore(app, app->easy);
    app->busy = false;
    return true;
}

static CURLcode getinfo(struct uns_app *app, CURLINFO info, void *out)
{
    fprintf(stderr, "getinfo\n");
    return app->real->curl_easy_getinfo(app->easy, info, out);
}

static CURLcode pause_call(struct uns_app *app, int bitmask)
{
    fprintf(stderr, "pause\n");
    return app->real->curl_easy_pause(app->easy, bitmask);
}

static CURLHcode header(struct uns_app *app, const char *name, size_t index,
                        unsigned origin, int request,
                        struct curl_header **ret_header)
{
    fprintf(stderr, "header\n");
    return app->real->curl_easy_header(app->easy, name, index, origin, request,
                                       ret_header);
}

static struct curl_header *nextheader(struct uns_app *app, unsigned origin,
                                      int request, struct curl_header *prev)
{
    fprintf(stderr, "nextheader\n");
    return app->real->curl_easy_nextheader(app->easy, origin, request, prev);
}

static void release(struct uns_app *app, bool whole)
{
    fprintf(stderr, "release %s%s\n", whole ? "whole" : "call",
            app->busy ? ", busy" : "");
    if (!app->busy)
        app->call = NULL;
}

static void reset(struct uns_app *app)
{
    (void)app;
    fprintf(stderr, "reset\n");
}

static void detach(struct uns_app *app)
{
    (void)app;
    fprintf(stderr, "detach\n");
}

EXPORT uns_engine_open_fn uns_engine_open;

EXPORT const struct uns_engine *uns_engine_open(const struct uns_host *lender)
{
    static const struct uns_engine engine = {.abi = UNS_ABI,
                                             .perform = perform,
                                             .getinfo = getinfo,
                                             .pause = pause_call,
                                             .header = header,
                                             .nextheader = nextheader,
                                             .release = release,
                                             .reset = reset,
                                             .detach = detach,
                                             .multi = &probe_multi};

    host = lender;
    return &engine;
}
