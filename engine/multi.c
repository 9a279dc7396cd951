/* SPDX-License-Identifier: MIT */
#include "multi.h"

#include "census.h"
#include "keep.h"
#include "loop.h"
#include "plan.h"
#include "roster.h"

#include <stdlib.h>

static struct uns_loop *loop_of(const struct uns_multi *multi)
{
    return multi->lane;
}

/* --- add and remove -------------------------------------------------------*/

/* Some callbacks come by ways that we do not see, as those of a plain transfer
 * that is unpaused or cleaned up; libcurl knows. */
static bool is_calling(const struct uns_multi *multi)
{
    long ms;

    return multi->real->curl_multi_timeout(multi->multi, &ms) ==
           CURLM_RECURSIVE_API_CALL;
}

/* Not inside a callback: there libcurl takes no callbacks from us, and without
 * those the application would hear of rivals. */
static struct uns_loop *open_loop(struct uns_multi *multi)
{
    if (!multi->lane && !is_calling(multi))
        multi->lane = uns_loop_new(multi);
    return multi->lane;
}

static void join(struct uns_loop *loop, struct uns_app *app)
{
    struct uns_keep *keep = app->call;

    uns_member_join(&loop->members, &keep->member, app);
}

/* Without a call there is nothing that could end: it is not let in. */
static bool add_planned(struct uns_loop *loop, struct uns_app *app,
                        CURLMcode *ret_code)
{
    struct uns_call *call = NULL;
    enum uns_planned planned = uns_plan_open(app, &call);

    *ret_code = CURLM_INTERNAL_ERROR;
    if (planned != UNS_PLANNED_CALL)
        return planned == UNS_PLANNED_END;
    uns_lane_refuse(&loop->lane, call);
    join(loop, app);
    uns_loop_tell(loop);
    *ret_code = CURLM_OK;
    return true;
}

static bool add(struct uns_multi *multi, struct uns_app *app,
                CURLMcode *ret_code)
{
    struct uns_loop *loop = open_loop(multi);
    enum uns_way way;
    struct uns_call *call;

    if (loop && uns_plan_is_made())
        return add_planned(loop, app, ret_code);
    call = loop ? uns_keep_open(app, &way) : NULL;
    if (!call)
        return false;
    *ret_code = uns_lane_begin(&loop->lane, call);
    if (*ret_code == CURLM_OK)
        join(loop, app);
    else
        uns_keep_withdraw(call);
    uns_loop_tell(loop);
    return true;
}

static bool is_inside(const struct uns_multi *multi)
{
    return !uns_lane_is_free(&loop_of(multi)->lane) || is_calling(multi);
}

static struct uns_call *call_of(const struct uns_app *app)
{
    const struct uns_keep *keep = app ? app->call : NULL;

    return keep ? keep->call : NULL;
}

static CURLMcode remove_handle(struct uns_multi *multi, struct uns_app *app,
                               CURL *easy)
{
    struct uns_loop *loop = loop_of(multi);
    struct uns_call *call = call_of(app);
    CURLMcode code;

    if (is_inside(multi))
        return CURLM_RECURSIVE_API_CALL;
    if (call && call->lane == &loop->lane)
        uns_keep_abandon(call);
    loop->lane.inreal++;
    code = multi->real->curl_multi_remove_handle(multi->multi, easy);
    loop->lane.inreal--;
    if (code != CURLM_OK)
        return code;
    if (app && app->call)
        uns_member_leave(&((struct uns_keep *)app->call)->member);
    uns_inbox_purge(&loop->inbox, easy);
    uns_notices_purge(&loop->notices, easy);
    uns_loop_tell(loop);
    return code;
}

static CURL **get_handles(struct uns_multi *multi)
{
    return uns_census_handles(loop_of(multi));
}

static CURLMcode get_offt(struct uns_multi *multi, CURLMinfo_offt info,
                          curl_off_t *value)
{
    return uns_census_count(loop_of(multi), info, value);
}

static bool cleanup(struct uns_multi *multi)
{
    struct uns_loop *loop = loop_of(multi);

    if (is_inside(multi))
        return false;
    while (loop->lane.calls)
        uns_keep_abandon(loop->lane.calls);
    multi->lane = NULL;
    uns_loop_free(loop);
    return true;
}

/* --- work -----------------------------------------------------------------*/

/* A finished call becomes the one message that the application waits for. */
static void announce(struct uns_loop *loop, struct uns_call *call)
{
    struct uns_app *app = call->app;
    struct uns_keep *keep = app->call;

    if (call->planned)
        uns_plan_describe(call);
    keep->message = (CURLMsg){
        .msg = CURLMSG_DONE,
        .easy_handle = app->easy,
        .data.result = call->code,
    };
    uns_lane_end(&loop->lane, call);
    uns_inbox_put(&loop->lane, &keep->message, &app->inbox);
    uns_notices_put(&loop->notices, app->easy);
    uns_keep_close(call);
}

static CURLMcode run(struct uns_multi *multi, const struct uns_turn *turn,
                     int *running)
{
    struct uns_loop *loop = loop_of(multi);
    struct uns_call *call;
    CURLMcode code;

    if (!uns_lane_is_free(&loop->lane))
        return CURLM_RECURSIVE_API_CALL;
    code = uns_lane_run(&loop->lane, turn, running);
    while (uns_inbox_has_room(&loop->lane) &&
           (call = uns_roster_next(&loop->lane)))
        announce(loop, call);
    uns_loop_tell(loop);
    uns_notices_tell(&loop->notices, multi);
    return code;
}

static CURLMcode perform(struct uns_multi *multi, int *running)
{
    static const struct uns_turn turn = {.how = UNS_TURN_PERFORM};

    return run(multi, &turn, running);
}

static CURLMcode socket_action(struct uns_multi *multi, curl_socket_t fd,
                               int events, int *running)
{
    const struct uns_turn turn = {UNS_TURN_ACTION, fd, events};

    if (fd == CURL_SOCKET_TIMEOUT && uns_lane_is_free(&loop_of(multi)->lane))
        uns_loop_timer_fired(loop_of(multi));
    return run(multi, &turn, running);
}

static CURLMcode socket_all(struct uns_multi *multi, int *running)
{
    static const struct uns_turn turn = {.how = UNS_TURN_ALL};

    return run(multi, &turn, running);
}

/* Reads what libcurl has to say, and never acts on it: that is for the next
 * turn, which has looked at the sockets. */
static CURLMsg *info_read(struct uns_multi *multi, int *left)
{
    struct uns_loop *loop = loop_of(multi);

    *left = 0;
    if (is_inside(multi))
        return NULL;
    uns_lane_drain(&loop->lane);
    return uns_inbox_take(&loop->inbox, left);
}

/* --- waits ----------------------------------------------------------------*/

/* A race is between two requests: libcurl sees nothing to wait for, where
 * curl_multi_wait comes back at once and the application would spin. */
static bool is_idle(const struct uns_lane *lane)
{
    return lane->flying == 0 && lane->unfinished > 0 &&
           lane->real->curl_multi_poll;
}

static CURLMcode wait(struct uns_multi *multi, const struct uns_multi_wait *how)
{
    const struct uns_real *real = multi->real;
    struct uns_loop *loop = loop_of(multi);
    int ms = how->timeout_ms;
    CURLMcode code;

    if (!uns_lane_is_free(&loop->lane))
        return CURLM_RECURSIVE_API_CALL;
    if (ms > 0) /* a negative one is for libcurl to refuse */
        ms = (int)uns_loop_cap_ms(loop, ms);
    code = how->poll || is_idle(&loop->lane)
               ? real->curl_multi_poll(multi->multi, how->extra,
                                       how->extra_count, ms, how->ret_ready)
               : real->curl_multi_wait(multi->multi, how->extra,
                                       how->extra_count, ms, how->ret_ready);
    return code;
}

static CURLMcode fdset(struct uns_multi *multi, fd_set *reads, fd_set *writes,
                       fd_set *errors, int *max_fd)
{
    CURLMcode code = multi->real->curl_multi_fdset(multi->multi, reads, writes,
                                                   errors, max_fd);
    int fd = code == CURLM_OK ? uns_loop_timer_fd(loop_of(multi)) : -1;

    if (fd < 0 || fd >= FD_SETSIZE)
        return code;
    FD_SET(fd, reads);
    if (fd > *max_fd)
        *max_fd = fd;
    return code;
}

static CURLMcode waitfds(struct uns_multi *multi, struct curl_waitfd *fds,
                         unsigned size, unsigned *count)
{
    CURLMcode code =
        multi->real->curl_multi_waitfds(multi->multi, fds, size, count);
    int fd = code == CURLM_OK ? uns_loop_timer_fd(loop_of(multi)) : -1;

    if (fd < 0)
        return code;
    /* `count` NULL: libcurl has refused it.  Too few, it says how many. */
    if (fds && *count >= size)
        code = CURLM_OUT_OF_MEMORY;
    else if (fds)
        fds[*count] =
            (struct curl_waitfd){.fd = fd, .events = CURL_WAIT_POLLIN};
    ++*count;
    return code;
}

static CURLMcode timeout(struct uns_multi *multi, long *ms)
{
    CURLMcode code = multi->real->curl_multi_timeout(multi->multi, ms);

    if (code == CURLM_OK)
        *ms = uns_loop_cap_ms(loop_of(multi), *ms);
    return code;
}

static CURLMcode setopt(struct uns_multi *multi, CURLMoption option,
                        void *value)
{
    return uns_loop_setopt(loop_of(multi), option, value);
}

const struct uns_multi_engine uns_multi_engine = {
    .add = add,
    .is_inside = is_inside,
    .remove = remove_handle,
    .perform = perform,
    .socket_action = socket_action,
    .socket_all = socket_all,
    .wait = wait,
    .fdset = fdset,
    .waitfds = waitfds,
    .get_handles = get_handles,
    .get_offt = get_offt,
    .timeout = timeout,
    .info_read = info_read,
    .setopt = setopt,
    .cleanup = cleanup,
};
