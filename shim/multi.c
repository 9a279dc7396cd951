/* SPDX-License-Identifier: MIT */

/*
 * multi - a multi handle's life, its options and what is in it.  Where the
 * engine has a lane on the multi, its function answers; else the real one
 * does.  A lane comes with the first LLM call that is added.  libcurl's own
 * curl_easy_perform comes through here, too: what is called from inside
 * libcurl goes straight on.
 */

#include "multi.h"
#include "caller.h"
#include "gate.h"
#include "handle.h"
#include "loader.h"
#include "settings.h"

#include <stdarg.h>
#include <stdlib.h>

struct uns_multi_call uns_multi_locate(CURLM *multi, struct uns_caller caller)
{
    struct uns_multi *known = uns_handle_get_multi(multi);

    if (!known)
        return (struct uns_multi_call){uns_caller_real(caller), NULL, NULL};
    if (uns_real_inside(known->real, caller.addr))
        return (struct uns_multi_call){known->real, NULL, NULL};
    if (!known->lane)
        return (struct uns_multi_call){known->real, known, NULL};
    return (struct uns_multi_call){known->real, known,
                                   uns_loader_peek()->multi};
}

UNS_EXPORT CURLM *curl_multi_init(void)
{
    struct uns_caller caller = UNS_CALLER();
    const struct uns_real *real = uns_caller_real(caller);
    CURLM *handle = real ? real->curl_multi_init() : NULL;
    struct uns_multi *multi;

    if (!handle || uns_real_inside(real, caller.addr))
        return handle;
    /* A record of that address is of a multi that was cleaned up unseen. */
    free(uns_handle_take_multi(handle));
    multi = calloc(1, sizeof(*multi));
    if (!multi)
        return handle;
    multi->multi = handle;
    multi->real = real;
    multi->stranger = uns_gate_is_shut(real);
    if (!uns_handle_put_multi(multi))
        free(multi);
    return handle;
}

/* Taken out first, since the address may come back to another thread before
 * the real function returns; put back when libcurl refused. */
static CURLMcode cleanup(struct uns_multi *multi)
{
    const struct uns_real *real = multi->real;
    CURLM *handle = multi->multi;
    CURLMcode code;

    (void)uns_handle_take_multi(handle);
    code = real->curl_multi_cleanup(handle);
    if (code != CURLM_RECURSIVE_API_CALL || !uns_handle_put_multi(multi))
        free(multi);
    return code;
}

UNS_EXPORT CURLMcode curl_multi_cleanup(CURLM *multi_handle)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.lane && !call.lane->cleanup(call.multi))
        return CURLM_RECURSIVE_API_CALL;
    if (call.multi)
        return cleanup(call.multi);
    return call.real->curl_multi_cleanup(multi_handle);
}

static void note(struct uns_multi *multi, CURLMoption option, void *value)
{
    unsigned slot = (unsigned)option % 10000;

    if (slot >= UNS_MULTI_OPT_SLOTS || multi->order == UINT32_MAX)
        return;
    multi->opt[slot].value.p = value;
    multi->opt[slot].order = ++multi->order;
}

static CURLMcode set_option(const struct uns_multi_call *call,
                            CURLMoption option, void *value)
{
    struct uns_multi *multi = call->multi;
    CURLMcode code;

    if (call->lane) {
        if (call->lane->is_inside(multi))
            return CURLM_RECURSIVE_API_CALL;
        note(multi, option, value);
        return call->lane->setopt(multi, option, value);
    }
    code = call->real->curl_multi_setopt(multi->multi, option, value);
    if (code == CURLM_OK)
        note(multi, option, value);
    return code;
}

UNS_EXPORT CURLMcode curl_multi_setopt(CURLM *multi_handle, CURLMoption option,
                                       ...)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());
    void *value;
    va_list ap;

    /* long, curl_off_t and pointers alike: all 64 bits as they were passed. */
    va_start(ap, option);
    value = va_arg(ap, void *);
    va_end(ap);
    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.multi)
        return set_option(&call, option, value);
    return call.real->curl_multi_setopt(multi_handle, option, value);
}

static bool add_through(const struct uns_engine *engine,
                        struct uns_multi *multi, struct uns_app *app,
                        CURLMcode *ret_code)
{
    return engine && engine->multi && multi && !multi->stranger &&
           multi->real == app->real && engine->multi->add(multi, app, ret_code);
}

/* Adds an LLM call through the engine.  False: libcurl is to add the handle,
 * which is free of what the engine may have kept from its last call. */
static bool add(struct uns_multi *multi, struct uns_app *app,
                CURLMcode *ret_code)
{
    if (uns_gate_opens(app, uns_settings()->match)) {
        if (add_through(uns_loader_open(), multi, app, ret_code))
            return true;
        *ret_code = CURLM_INTERNAL_ERROR;
        if (uns_gate_is_held(app))
            return true;
    }
    if (app->call)
        uns_loader_peek()->release(app, false);
    return false;
}

UNS_EXPORT CURLMcode curl_multi_add_handle(CURLM *multi_handle,
                                           CURL *curl_handle)
{
    struct uns_caller caller = UNS_CALLER();
    struct uns_multi_call call = uns_multi_locate(multi_handle, caller);
    struct uns_app *app;
    CURLMcode code;

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    app = uns_real_inside(call.real, caller.addr) ? NULL
                                                  : uns_handle_get(curl_handle);
    if (app && (app->busy || app->inside))
        return CURLM_ADDED_ALREADY;
    if (call.lane && call.lane->is_inside(call.multi))
        return CURLM_RECURSIVE_API_CALL;
    if (app && add(call.multi, app, &code))
        return code;
    return call.real->curl_multi_add_handle(multi_handle, curl_handle);
}

UNS_EXPORT CURLMcode curl_multi_remove_handle(CURLM *multi_handle,
                                              CURL *curl_handle)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->remove(call.multi, uns_handle_get(curl_handle),
                                 curl_handle);
    return call.real->curl_multi_remove_handle(multi_handle, curl_handle);
}

UNS_EXPORT CURL **curl_multi_get_handles(CURLM *multi_handle)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real || !call.real->curl_multi_get_handles)
        return NULL;
    if (call.lane)
        return call.lane->get_handles(call.multi);
    return call.real->curl_multi_get_handles(multi_handle);
}

UNS_EXPORT CURLMcode curl_multi_get_offt(CURLM *multi_handle,
                                         CURLMinfo_offt info,
                                         curl_off_t *pvalue)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real || !call.real->curl_multi_get_offt)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->get_offt(call.multi, info, pvalue);
    return call.real->curl_multi_get_offt(multi_handle, info, pvalue);
}

UNS_EXPORT CURLMsg *curl_multi_info_read(CURLM *multi_handle,
                                         int *msgs_in_queue)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real)
        return NULL;
    if (call.lane)
        return call.lane->info_read(call.multi, msgs_in_queue);
    return call.real->curl_multi_info_read(multi_handle, msgs_in_queue);
}

/* Remembered although libcurl does it: our own messages notify, too. */
static CURLMcode notify(struct uns_multi *multi, unsigned notification, bool on,
                        CURLMcode code)
{
    uint32_t bit = notification < 32 ? UINT32_C(1) << notification : 0;

    if (multi && code == CURLM_OK)
        multi->notify = on ? multi->notify | bit : multi->notify & ~bit;
    return code;
}

UNS_EXPORT CURLMcode curl_multi_notify_enable(CURLM *multi,
                                              unsigned notification)
{
    struct uns_multi_call call = uns_multi_locate(multi, UNS_CALLER());

    if (!call.real || !call.real->curl_multi_notify_enable)
        return CURLM_INTERNAL_ERROR;
    return notify(call.multi, notification, true,
                  call.real->curl_multi_notify_enable(multi, notification));
}

UNS_EXPORT CURLMcode curl_multi_notify_disable(CURLM *multi,
                                               unsigned notification)
{
    struct uns_multi_call call = uns_multi_locate(multi, UNS_CALLER());

    if (!call.real || !call.real->curl_multi_notify_disable)
        return CURLM_INTERNAL_ERROR;
    return notify(call.multi, notification, false,
                  call.real->curl_multi_notify_disable(multi, notification));
}
