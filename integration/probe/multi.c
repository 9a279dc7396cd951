/* SPDX-License-Identifier: MIT */

/*
 * multi - the probe's part for multi handles: each function tells stderr its
 * name and asks the real one.
 */

#include "probe.h"

#include <stdio.h>

static CURLMcode told(const char *name, CURLMcode code)
{
    fprintf(stderr, "%s\n", name);
    return code;
}

/* How many of libcurl's functions that call back are on the stack. */
static int depth;

static bool is_inside(const struct uns_multi *multi)
{
    (void)multi;
    return depth > 0;
}

static bool add(struct uns_multi *multi, struct uns_app *app,
                CURLMcode *ret_code)
{
    fprintf(stderr, "add %d, socket callback noted %u\n", app->dialect,
            uns_multi_opt(multi, CURLMOPT_SOCKETFUNCTION)->order);
    multi->lane = multi;
    app->busy = true;
    *ret_code = multi->real->curl_multi_add_handle(multi->multi, app->easy);
    return true;
}

static CURLMcode remove_call(struct uns_multi *multi, struct uns_app *app,
                             CURL *easy)
{
    if (app && !depth)
        app->busy = false;
    return told(app ? "remove" : "remove a stranger",
                multi->real->curl_multi_remove_handle(multi->multi, easy));
}

static CURLMcode perform(struct uns_multi *multi, int *running)
{
    CURLMcode code;

    depth++;
    code = multi->real->curl_multi_perform(multi->multi, running);
    depth--;
    return told("perform", code);
}

static CURLMcode socket_action(struct uns_multi *multi, curl_socket_t fd,
                               int events, int *running)
{
    return told("action", multi->real->curl_multi_socket_action(
                              multi->multi, fd, events, running));
}

static CURLMcode socket_all(struct uns_multi *multi, int *running)
{
    return told("all",
                multi->real->curl_multi_socket_all(multi->multi, running));
}

static CURLMcode wait_for(struct uns_multi *multi,
                          const struct uns_multi_wait *how)
{
    __typeof__(curl_multi_wait) *real =
        how->poll ? multi->real->curl_multi_poll : multi->real->curl_multi_wait;

    return told(how->poll ? "poll" : "wait",
                real(multi->multi, how->extra, how->extra_count,
                     how->timeout_ms, how->ret_ready));
}

static CURLMcode fdset(struct uns_multi *multi, fd_set *reads, fd_set *writes,
                       fd_set *errors, int *max_fd)
{
    return told("fdset", multi->real->curl_multi_fdset(multi->multi, reads,
                                                       writes, errors, max_fd));
}

static CURLMcode timeout(struct uns_multi *multi, long *ms)
{
    return told("timeout", multi->real->curl_multi_timeout(multi->multi, ms));
}

static CURLMsg *info_read(struct uns_multi *multi, int *left)
{
    fprintf(stderr, "info_read\n");
    return multi->real->curl_multi_info_read(multi->multi, left);
}

static CURLMcode setopt(struct uns_multi *multi, CURLMoption option,
                        void *value)
{
    bool noted = uns_multi_opt(multi, option)->value.p == value;

    return told(noted ? "setopt" : "setopt, not noted",
                multi->real->curl_multi_setopt(multi->multi, option, value));
}

static bool cleanup(struct uns_multi *multi)
{
    (void)multi;
    fprintf(stderr, "cleanup%s\n", depth ? ", refused" : "");
    return !depth;
}

const struct uns_multi_engine probe_multi = {
    .add = add,
    .is_inside = is_inside,
    .remove = remove_call,
    .perform = perform,
    .socket_action = socket_action,
    .socket_all = socket_all,
    .wait = wait_for,
    .fdset = fdset,
    .timeout = timeout,
    .info_read = info_read,
    .setopt = setopt,
    .cleanup = cleanup,
};
