/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_ABI_H
#define UNS_SHIM_ABI_H

/*
 * abi - the joint between the preload and the engine.
 *
 * The preload knows the application: its libcurl's real functions and what it
 * has set on each handle.  The engine knows races.  The preload opens the
 * engine at the first LLM call and gets its functions (struct uns_engine);
 * the engine gets handles (struct uns_app) and nothing else.
 */

#include "abi_option.h"
#include "api.h"

#include "core/dialect.h"

#include <stdbool.h>

/* Changes whenever a struct here does; an engine of another number is not
 * used. */
#define UNS_ABI 7

/* One libcurl's own functions.  Those that this libcurl does not have are
 * NULL; the ones marked NEED in real.def never are for the engine: handles of
 * a libcurl that is not complete do not get there. */
struct uns_real {
    uintptr_t start, end; /* where it is mapped: callers in there are libcurl */
    bool complete;        /* it has all that is marked NEED */
#define REAL(name) __typeof__(name) *name;
#define NEED(name) REAL(name)
#include "real.def"
#undef NEED
#undef REAL
};

/* What restore() gives back beside the `replaced` options. */
enum uns_lent {
    UNS_LENT_BODY = 1 << 0, /* POSTFIELDS and its size */
    UNS_LENT_URL = 1 << 1,
    UNS_LENT_PROGRESS = 1 << 2 /* progress callbacks, NOPROGRESS */
};

/* One easy handle of the application.  The preload owns it and everything in
 * it but `call`; it lives from init (or first sight) to cleanup. */
struct uns_app {
    CURL *easy;
    const struct uns_real *real;
    void *call;    /* the engine's, NULL: it has nothing on this handle */
    void *inbox;   /* the engine's: a message about it waits in there */
    bool busy;     /* a call of the engine's runs: options in the table's
                      `replaced` column go into opt[] only */
    uint8_t lent;  /* UNS_LENT_*: the engine has put one of its own on the
                      handle for the time of a call */
    bool inside;   /* an LLM call of it was added to a multi and not taken out:
                      the engine's account, libcurl may know less */
    bool stranger; /* seen first after options were set: not replayable */
    bool unknown;  /* an option was set that could not be noted */
    bool forced;   /* for tests: a call, whatever its method and body */
    enum uns_dialect dialect; /* of the call being started */
    uint32_t order;
    struct uns_opt opt[UNS_OPT_SLOTS];
};

static inline const struct uns_opt *uns_app_opt(const struct uns_app *app,
                                                CURLoption id)
{
    return &app->opt[(unsigned)id % 10000];
}

/* What the preload lends the engine. */
struct uns_host {
    unsigned abi; /* UNS_ABI */
    const struct uns_option *options;
    size_t option_count; /* with the holes */

    /* Give `easy` (the application's handle, or a duplicate of it) the
     * application's own value of every `replaced` option, and of what is
     * lent: what is in opt[], or libcurl's default where it never set one. */
    void (*restore)(const struct uns_app *app, CURL *easy);

    /* Forget every option that was set: curl_easy_reset. */
    void (*forget)(struct uns_app *app);

    /* The record of a handle; NULL: it has none. */
    struct uns_app *(*find)(CURL *easy);
};

struct uns_multi_engine;

/* The engine's functions.  All are called with app->call possibly NULL, on
 * the application's thread, and leave errno alone. */
struct uns_engine {
    unsigned abi;

    /* curl_easy_perform of an LLM call (app->dialect), or inside a callback of
     * one that runs (app->busy).  False: nothing was done, the caller uses the
     * real function. */
    bool (*perform)(struct uns_app *app, CURLcode *ret_code);

    /* The rest of the easy interface for handles with a call. */
    CURLcode (*getinfo)(struct uns_app *app, CURLINFO info, void *out);
    CURLcode (*pause)(struct uns_app *app, int bitmask);
    CURLHcode (*header)(struct uns_app *app, const char *name, size_t index,
                        unsigned origin, int request,
                        struct curl_header **ret_header);
    struct curl_header *(*nextheader)(struct uns_app *app, unsigned origin,
                                      int request, struct curl_header *prev);

    /* For handles with a call or a message of the engine's (app->inbox).
     * Before the real cleanup, reset, or a perform that is not ours: end what
     * runs, free what was kept.  With `whole`, the connections too.  Called
     * inside one of the call's own callbacks it can end nothing and leaves
     * `busy` set; a cleanup is then refused, as libcurl 8.22 does. */
    void (*release)(struct uns_app *app, bool whole);

    /* For handles that release() has left busy: curl_easy_reset, as this
     * libcurl does it inside a callback. */
    void (*reset)(struct uns_app *app);

    /* For busy handles: the noted copy of the request's body is about to go,
     * since the application sets another one. */
    void (*detach)(struct uns_app *app);

    const struct uns_multi_engine *multi; /* abi_multi.h */
};

/* The engine's only exported symbol.  `host` must outlive the process.
 * NULL: it does not want to (another ABI, a foreign libcjson, ...).  Threads:
 * may be called by several at once; each gets the same answer. */
#define UNS_ENGINE_ENTRY "uns_engine_open"
typedef const struct uns_engine *uns_engine_open_fn(const struct uns_host *);

#endif
