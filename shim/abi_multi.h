/* SPDX-License-Identifier: MIT */
#ifndef UNS_SHIM_ABI_MULTI_H
#define UNS_SHIM_ABI_MULTI_H

/*
 * abi_multi - the part of the joint that is about multi handles.
 *
 * A race lives in the application's own multi and event loop.  The preload
 * knows what the application set on the multi; the engine keeps a lane with
 * it from its first LLM call on.  Without a lane the preload calls the real
 * functions and nothing else.
 */

#include "abi.h"

/* Options are numbered apart from their type: id % 10000. */
#define UNS_MULTI_OPT_SLOTS 32

/* One multi handle of the application.  The preload owns it and everything in
 * it but `lane`; it lives from init to cleanup.  A multi whose init was not
 * seen has no record: callbacks may be set on it that a race would have to
 * know of, so calls in it go unhedged. */
struct uns_multi {
    CURLM *multi;
    const struct uns_real *real;
    void *lane;      /* the engine's, NULL: no LLM call was ever added */
    bool stranger;   /* of a libcurl that is not complete, or we are off: it
                        never gets a lane */
    uint32_t order;  /* of the option set last */
    uint32_t notify; /* bit N: curl_multi_notify_enable(N) holds */
    struct uns_opt opt[UNS_MULTI_OPT_SLOTS]; /* `order` tells set from unset */
};

static inline const struct uns_opt *uns_multi_opt(const struct uns_multi *multi,
                                                  CURLMoption id)
{
    return &multi->opt[(unsigned)id % 10000];
}

/* The arguments of curl_multi_poll and curl_multi_wait. */
struct uns_multi_wait {
    struct curl_waitfd *extra;
    unsigned extra_count;
    int timeout_ms;
    int *ret_ready;
    bool poll; /* curl_multi_poll: sleep although there is nothing to watch */
};

/* The engine's functions for multi handles.  All but `add` are called only
 * where multi->lane is set, on the application's thread; each stands for the
 * libcurl function of its name and answers as that does. */
struct uns_multi_engine {
    /* Add an LLM call (app->dialect).  False: nothing was done, the caller
     * uses the real function. */
    bool (*add)(struct uns_multi *multi, struct uns_app *app,
                CURLMcode *ret_code);

    /* Inside one of the application's callbacks: libcurl would refuse to add
     * any handle now. */
    bool (*is_inside)(const struct uns_multi *multi);

    /* `app` is NULL for a handle that is not registered. */
    CURLMcode (*remove)(struct uns_multi *multi, struct uns_app *app,
                        CURL *easy);

    CURLMcode (*perform)(struct uns_multi *multi, int *running);
    CURLMcode (*socket_action)(struct uns_multi *multi, curl_socket_t fd,
                               int events, int *running);
    CURLMcode (*socket_all)(struct uns_multi *multi, int *running);
    CURLMcode (*wait)(struct uns_multi *multi,
                      const struct uns_multi_wait *how);
    CURLMcode (*fdset)(struct uns_multi *multi, fd_set *reads, fd_set *writes,
                       fd_set *errors, int *max_fd);
    CURLMcode (*waitfds)(struct uns_multi *multi, struct curl_waitfd *fds,
                         unsigned size, unsigned *count);
    CURLMcode (*timeout)(struct uns_multi *multi, long *ms);
    CURLMsg *(*info_read)(struct uns_multi *multi, int *left);
    CURL **(*get_handles)(struct uns_multi *multi);
    CURLMcode (*get_offt)(struct uns_multi *multi, CURLMinfo_offt info,
                          curl_off_t *value);

    /* The value is in multi->opt already; what reaches libcurl is the engine's
     * choice. */
    CURLMcode (*setopt)(struct uns_multi *multi, CURLMoption option,
                        void *value);

    /* Before the real cleanup: end every call, forget the lane.  False: called
     * inside a callback, nothing was done and the multi must live. */
    bool (*cleanup)(struct uns_multi *multi);
};

#endif
