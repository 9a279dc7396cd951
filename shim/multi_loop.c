/* SPDX-License-Identifier: MIT */

/*
 * multi_loop - the functions that an application drives its transfers with,
 * and asks how long it may sleep.  They are called for every packet: without
 * a lane they cost a look-up and a jump.
 */

#include "multi.h"

UNS_EXPORT CURLMcode curl_multi_perform(CURLM *multi_handle,
                                        int *running_handles)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->perform(call.multi, running_handles);
    return call.real->curl_multi_perform(multi_handle, running_handles);
}

UNS_EXPORT CURLMcode curl_multi_socket_action(CURLM *multi_handle,
                                              curl_socket_t s, int ev_bitmask,
                                              int *running_handles)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->socket_action(call.multi, s, ev_bitmask,
                                        running_handles);
    return call.real->curl_multi_socket_action(multi_handle, s, ev_bitmask,
                                               running_handles);
}

/* The old name of an action that does not know what is ready. */
UNS_EXPORT CURLMcode curl_multi_socket(CURLM *multi_handle, curl_socket_t s,
                                       int *running_handles)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->socket_action(call.multi, s, 0, running_handles);
    return call.real->curl_multi_socket(multi_handle, s, running_handles);
}

UNS_EXPORT CURLMcode curl_multi_socket_all(CURLM *multi_handle,
                                           int *running_handles)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->socket_all(call.multi, running_handles);
    return call.real->curl_multi_socket_all(multi_handle, running_handles);
}

UNS_EXPORT CURLMcode curl_multi_poll(CURLM *multi_handle,
                                     struct curl_waitfd extra_fds[],
                                     unsigned extra_nfds, int timeout_ms,
                                     int *ret)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());
    struct uns_multi_wait how = {extra_fds, extra_nfds, timeout_ms, ret, true};

    if (!call.real || !call.real->curl_multi_poll)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->wait(call.multi, &how);
    return call.real->curl_multi_poll(multi_handle, extra_fds, extra_nfds,
                                      timeout_ms, ret);
}

UNS_EXPORT CURLMcode curl_multi_wait(CURLM *multi_handle,
                                     struct curl_waitfd extra_fds[],
                                     unsigned extra_nfds, int timeout_ms,
                                     int *ret)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());
    struct uns_multi_wait how = {extra_fds, extra_nfds, timeout_ms, ret, false};

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->wait(call.multi, &how);
    return call.real->curl_multi_wait(multi_handle, extra_fds, extra_nfds,
                                      timeout_ms, ret);
}

UNS_EXPORT CURLMcode curl_multi_fdset(CURLM *multi_handle, fd_set *read_fd_set,
                                      fd_set *write_fd_set, fd_set *exc_fd_set,
                                      int *max_fd)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->fdset(call.multi, read_fd_set, write_fd_set,
                                exc_fd_set, max_fd);
    return call.real->curl_multi_fdset(multi_handle, read_fd_set, write_fd_set,
                                       exc_fd_set, max_fd);
}

UNS_EXPORT CURLMcode curl_multi_waitfds(CURLM *multi, struct curl_waitfd *ufds,
                                        unsigned size, unsigned *fd_count)
{
    struct uns_multi_call call = uns_multi_locate(multi, UNS_CALLER());

    if (!call.real || !call.real->curl_multi_waitfds)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->waitfds(call.multi, ufds, size, fd_count);
    return call.real->curl_multi_waitfds(multi, ufds, size, fd_count);
}

UNS_EXPORT CURLMcode curl_multi_timeout(CURLM *multi_handle, long *milliseconds)
{
    struct uns_multi_call call = uns_multi_locate(multi_handle, UNS_CALLER());

    if (!call.real)
        return CURLM_INTERNAL_ERROR;
    if (call.lane)
        return call.lane->timeout(call.multi, milliseconds);
    return call.real->curl_multi_timeout(multi_handle, milliseconds);
}
