/* SPDX-License-Identifier: MIT */

/*
 * easy - the functions of libcurl's easy interface that we stand in front of.
 * Each is an exported wrapper, which asks who calls, and an ordinary function.
 * Handles stay libcurl's own pointers, so every function that has no wrapper
 * keeps working; and where nothing is known, the real function is called.
 */

#include "caller.h"
#include "gate.h"
#include "handle.h"
#include "loader.h"
#include "note.h"
#include "options.h"
#include "settings.h"

#include <stdarg.h>
#include <stdlib.h>

/* Whose call this is.  `app` is NULL for handles that are not registered, and
 * for what libcurl calls by itself; `real` when no libcurl could be found. */
struct call {
    const struct uns_real *real;
    struct uns_app *app;
};

static struct call locate(CURL *easy, struct uns_caller caller)
{
    struct uns_app *app = uns_handle_get(easy);

    if (!app)
        return (struct call){uns_caller_real(caller), NULL};
    return (struct call){app->real,
                         uns_real_inside(app->real, caller.addr) ? NULL : app};
}

/* Register `app`, or drop it: an unknown handle works, too. */
static struct uns_app *enter(struct uns_app *app)
{
    if (app && !uns_handle_put(app)) {
        uns_app_free(app);
        return NULL;
    }
    return app;
}

UNS_EXPORT CURL *curl_easy_init(void)
{
    struct uns_caller caller = UNS_CALLER();
    const struct uns_real *real = uns_caller_real(caller);
    CURL *easy = real ? real->curl_easy_init() : NULL;
    struct uns_app *app;

    if (!easy || uns_real_inside(real, caller.addr))
        return easy;
    /* A record of that address is of a handle that was cleaned up unseen. */
    uns_app_free(uns_handle_take(easy));
    app = enter(uns_app_new(easy, real));
    if (app)
        app->stranger = uns_gate_is_shut(real);
    return easy;
}

/* A handle that came by a way we do not see, such as libcurl's server push. */
static void adopt(struct call *call, CURL *easy, struct uns_caller caller)
{
    if (!easy || call->app || uns_real_inside(call->real, caller.addr))
        return;
    call->app = enter(uns_app_new(easy, call->real));
    if (call->app)
        call->app->stranger = true;
}

static bool is_swapped(const struct uns_app *app, CURLoption option)
{
    const struct uns_option *row = app->busy ? uns_option_find(option) : NULL;

    return row && row->replaced;
}

/* Those that have uns_note drop the body that was copied before. */
static bool drops_body(CURLoption option)
{
    return option == CURLOPT_COPYPOSTFIELDS ||
           option == CURLOPT_POSTFIELDSIZE ||
           option == CURLOPT_POSTFIELDSIZE_LARGE;
}

static CURLcode set_option(struct uns_app *app, CURLoption option, void *value)
{
    CURLcode code = CURLE_OK;

    if (!is_swapped(app, option))
        code = app->real->curl_easy_setopt(app->easy, option, value);
    if (code != CURLE_OK || app->stranger)
        return code;
    if (app->busy && drops_body(option))
        uns_loader_peek()->detach(app);
    uns_note(app, option, value);
    return code;
}

UNS_EXPORT CURLcode curl_easy_setopt(CURL *curl, CURLoption option, ...)
{
    struct uns_caller caller = UNS_CALLER();
    struct call call = locate(curl, caller);
    void *value;
    va_list ap;

    /* long, curl_off_t and pointers alike: all 64 bits as they were passed. */
    va_start(ap, option);
    value = va_arg(ap, void *);
    va_end(ap);
    if (!call.real)
        return CURLE_FAILED_INIT;
    if (!call.app)
        adopt(&call, curl, caller);
    if (!call.app)
        return call.real->curl_easy_setopt(curl, option, value);
    return set_option(call.app, option, value);
}

/* Runs the transfer through the engine when it is an LLM call. */
static CURLcode perform(struct uns_app *app)
{
    const struct uns_engine *engine = uns_loader_peek();
    CURLcode code;

    /* From one of its own callbacks. */
    if (app->busy)
        return engine->perform(app, &code)
                   ? code
                   : app->real->curl_easy_perform(app->easy);
    if (uns_gate_opens(app, uns_settings()->match)) {
        engine = uns_loader_open();
        if (engine && engine->perform(app, &code))
            return code;
        if (uns_gate_is_held(app))
            return CURLE_COULDNT_CONNECT;
    }
    if (engine && app->call)
        engine->release(app, false);
    return app->real->curl_easy_perform(app->easy);
}

UNS_EXPORT CURLcode curl_easy_perform(CURL *curl)
{
    struct call call = locate(curl, UNS_CALLER());

    if (!call.real)
        return CURLE_FAILED_INIT;
    if (!call.app)
        return call.real->curl_easy_perform(curl);
    return perform(call.app);
}

/* End what the engine has on the handle.  False: its call is on the stack
 * below us, and the handle must live. */
static bool release(struct uns_app *app, bool whole)
{
    if (app->call || app->inbox)
        uns_loader_peek()->release(app, whole);
    return !app->busy;
}

UNS_EXPORT void curl_easy_cleanup(CURL *curl)
{
    struct call call = locate(curl, UNS_CALLER());

    if (!call.real || (call.app && !release(call.app, true)))
        return;
    if (call.app)
        uns_app_free(uns_handle_take(curl));
    call.real->curl_easy_cleanup(curl);
}

UNS_EXPORT void curl_easy_reset(CURL *curl)
{
    struct call call = locate(curl, UNS_CALLER());

    if (!call.real)
        return;
    if (call.app && !release(call.app, false)) {
        uns_loader_peek()->reset(call.app);
        return;
    }
    call.real->curl_easy_reset(curl);
    if (!call.app)
        return;
    uns_note_clear(call.app);
    /* Whatever a stranger was set to before we met it is gone, too. */
    call.app->stranger = uns_gate_is_shut(call.real);
}

UNS_EXPORT CURL *curl_easy_duphandle(CURL *curl)
{
    struct call call = locate(curl, UNS_CALLER());
    CURL *copy = call.real ? call.real->curl_easy_duphandle(curl) : NULL;

    if (!copy || !call.app)
        return copy;
    uns_app_free(uns_handle_take(copy));
    enter(uns_app_dup(call.app, copy));
    if (call.app->busy)
        uns_note_restore(call.app, copy);
    return copy;
}

UNS_EXPORT CURLcode curl_easy_getinfo(CURL *curl, CURLINFO info, ...)
{
    struct call call = locate(curl, UNS_CALLER());
    void *out;
    va_list ap;

    va_start(ap, info);
    out = va_arg(ap, void *);
    va_end(ap);
    if (!call.real)
        return CURLE_FAILED_INIT;
    if (call.app && call.app->call)
        return uns_loader_peek()->getinfo(call.app, info, out);
    return call.real->curl_easy_getinfo(curl, info, out);
}

UNS_EXPORT CURLcode curl_easy_pause(CURL *handle, int bitmask)
{
    struct call call = locate(handle, UNS_CALLER());

    if (!call.real)
        return CURLE_FAILED_INIT;
    if (call.app && call.app->call)
        return uns_loader_peek()->pause(call.app, bitmask);
    return call.real->curl_easy_pause(handle, bitmask);
}

/* NOLINTNEXTLINE(readability-function-size): the signature is libcurl's */
UNS_EXPORT CURLHcode curl_easy_header(CURL *easy, const char *name,
                                      size_t index, unsigned origin,
                                      int request, struct curl_header **hout)
{
    struct call call = locate(easy, UNS_CALLER());

    if (!call.real || !call.real->curl_easy_header)
        return CURLHE_NOT_BUILT_IN;
    if (call.app && call.app->call)
        return uns_loader_peek()->header(call.app, name, index, origin, request,
                                         hout);
    return call.real->curl_easy_header(easy, name, index, origin, request,
                                       hout);
}

UNS_EXPORT struct curl_header *curl_easy_nextheader(CURL *easy, unsigned origin,
                                                    int request,
                                                    struct curl_header *prev)
{
    struct call call = locate(easy, UNS_CALLER());

    if (!call.real || !call.real->curl_easy_nextheader)
        return NULL;
    if (call.app && call.app->call)
        return uns_loader_peek()->nextheader(call.app, origin, request, prev);
    return call.real->curl_easy_nextheader(easy, origin, request, prev);
}
