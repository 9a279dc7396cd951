/* SPDX-License-Identifier: MIT */
#include "loop.h"

#include "alarm.h"
#include "call.h"
#include "clock.h"
#include "limit.h"
#include "names.h"
#include "root.h"
#include "version.h"

#include <stdlib.h>

static void *noted(const struct uns_loop *loop, CURLMoption id)
{
    return uns_multi_opt(loop->lane.host, id)->value.p;
}

static uns_ns earlier(uns_ns a, uns_ns b)
{
    return a < b ? a : b;
}

/* Round up: a wait that ends before its deadline would be repeated for the
 * rest of a millisecond. */
static long ms_until(uns_ns due_ns)
{
    uns_ns left;

    if (due_ns == UNS_NEVER)
        return -1;
    left = due_ns == 0 ? 0 : due_ns - uns_clock_now();
    return left <= 0 ? 0 : (long)((left + UNS_MS - 1) / UNS_MS);
}

long uns_loop_cap_ms(const struct uns_loop *loop, long limit_ms)
{
    long ours = ms_until(uns_lane_deadline(&loop->lane));

    return ours >= 0 && (limit_ms < 0 || ours < limit_ms) ? ours : limit_ms;
}

/* --- the timer callback ---------------------------------------------------*/

/* May libcurl not be called from it?  Before 7.82 it may, and programs do, for
 * a time of 0. */
static bool bars_timer(const struct uns_real *real)
{
    return uns_version_of(real) >= 0x075200;
}

void uns_loop_tell(struct uns_loop *loop)
{
    curl_multi_timer_callback timer =
        (curl_multi_timer_callback)uns_multi_opt(loop->lane.host,
                                                 CURLMOPT_TIMERFUNCTION)
            ->value.f;
    uns_ns due = earlier(loop->real_due_ns, uns_lane_deadline(&loop->lane));

    if (!timer || loop->lane.inreal > 0 || due == loop->told_due_ns)
        return;
    loop->told_due_ns = due;
    loop->lane.incb += loop->bars_timer;
    timer(loop->lane.multi, ms_until(due), noted(loop, CURLMOPT_TIMERDATA));
    loop->lane.incb -= loop->bars_timer;
}

/* libcurl's wish.  Inside a turn of ours it is told at the turn's end. */
static int on_timer(CURLM *multi, long timeout_ms, void *arg)
{
    struct uns_loop *loop = arg;

    (void)multi;
    loop->real_due_ns =
        timeout_ms < 0 ? UNS_NEVER : uns_clock_now() + timeout_ms * UNS_MS;
    uns_loop_tell(loop);
    return 0;
}

void uns_loop_timer_fired(struct uns_loop *loop)
{
    loop->real_due_ns = UNS_NEVER;
    loop->told_due_ns = UNS_NEVER;
}

/* --- the socket callback --------------------------------------------------*/

static struct uns_attempt *find(const struct uns_lane *lane, const CURL *easy)
{
    for (struct uns_call *call = lane->calls; call; call = call->next)
        for (unsigned i = 0; i < call->attempts; i++)
            if (call->attempt[i]->easy == easy)
                return call->attempt[i];
    return NULL;
}

/* It may have several: to two addresses, or to the thread that looks its name
 * up.  The last one counts. */
static void note_socket(struct uns_attempt *a, curl_socket_t fd, int what)
{
    if (what != CURL_POLL_REMOVE) {
        a->fd = fd;
        if (a->seq == 0)
            uns_limit_connected(a->call, uns_clock_now());
    } else if (fd == a->fd) {
        a->fd = CURL_SOCKET_BAD;
    }
}

/* A rival's socket is the application's handle's. */
static int on_socket(CURL *easy, curl_socket_t fd, int what, void *arg,
                     void *assigned)
{
    struct uns_loop *loop = arg;
    curl_socket_callback socket = (curl_socket_callback)uns_multi_opt(
                                      loop->lane.host, CURLMOPT_SOCKETFUNCTION)
                                      ->value.f;
    struct uns_attempt *a = find(&loop->lane, easy);
    int code;

    if (a) {
        note_socket(a, fd, what);
        easy = a->call->app->easy;
    }
    if (!socket)
        return 0;
    loop->lane.incb++;
    code = socket(easy, fd, what, noted(loop, CURLMOPT_SOCKETDATA), assigned);
    loop->lane.incb--;
    return code;
}

/* --- the notify callback --------------------------------------------------*/

/* About attempts the turn's end tells, once their messages are sorted. */
static void on_notify(CURLM *multi, unsigned notification, CURL *easy,
                      void *arg)
{
    struct uns_loop *loop = arg;

    (void)multi;
    if (notification == UNS_NOTICE_EASY_DONE && !find(&loop->lane, easy))
        uns_notices_put(&loop->notices, easy);
}

/* --- the push callback ----------------------------------------------------*/

/* A pushed handle begins as a copy of the one that asked.  A rival's would
 * have its key and our callbacks, and nobody expects it (P3); in attempt 0's
 * the application's own callbacks come back. */
static int on_push(CURL *parent, CURL *easy, size_t count,
                   struct curl_pushheaders *headers, void *arg)
{
    struct uns_loop *loop = arg;
    curl_push_callback push = (curl_push_callback)uns_multi_opt(
                                  loop->lane.host, CURLMOPT_PUSHFUNCTION)
                                  ->value.f;
    struct uns_attempt *a = find(&loop->lane, parent);
    int code;

    if (!push || (a && a->source))
        return CURL_PUSH_DENY;
    if (a)
        uns_root_host()->restore(a->call->app, easy);
    loop->lane.incb++;
    code = push(parent, easy, count, headers, noted(loop, CURLMOPT_PUSHDATA));
    loop->lane.incb--;
    return code;
}

/* --- options --------------------------------------------------------------*/

/* The application's callbacks are called by ours: libcurl gets ours where it
 * has set one, and nothing where it has not. */
static const struct {
    CURLMoption function, data;
    void (*ours)(void);
} relays[] = {
    {CURLMOPT_SOCKETFUNCTION, CURLMOPT_SOCKETDATA, (void (*)(void))on_socket},
    {CURLMOPT_TIMERFUNCTION,  CURLMOPT_TIMERDATA,  (void (*)(void))on_timer },
    {CURLMOPT_PUSHFUNCTION,   CURLMOPT_PUSHDATA,   (void (*)(void))on_push  },
    {UNS_MOPT_NOTIFYFUNCTION, UNS_MOPT_NOTIFYDATA, (void (*)(void))on_notify},
};

#define RELAYS (sizeof relays / sizeof *relays)

static void relay(struct uns_loop *loop, size_t i)
{
    const struct uns_lane *lane = &loop->lane;

    if (!uns_multi_opt(lane->host, relays[i].function)->value.f)
        return;
    lane->real->curl_multi_setopt(lane->multi, relays[i].data, loop);
    lane->real->curl_multi_setopt(lane->multi, relays[i].function,
                                  relays[i].ours);
}

static void unrelay(struct uns_loop *loop, size_t i)
{
    const struct uns_lane *lane = &loop->lane;

    lane->real->curl_multi_setopt(lane->multi, relays[i].function,
                                  noted(loop, relays[i].function));
    lane->real->curl_multi_setopt(lane->multi, relays[i].data,
                                  noted(loop, relays[i].data));
}

CURLMcode uns_loop_setopt(struct uns_loop *loop, CURLMoption option,
                          void *value)
{
    const struct uns_lane *lane = &loop->lane;

    for (size_t i = 0; i < RELAYS; i++) {
        if (option == relays[i].data)
            return CURLM_OK;
        if (option == relays[i].function && value) {
            relay(loop, i);
            return CURLM_OK;
        }
    }
    return lane->real->curl_multi_setopt(lane->multi, option, value);
}

struct uns_loop *uns_loop_new(struct uns_multi *multi)
{
    struct uns_loop *loop = calloc(1, sizeof *loop);

    if (!loop)
        return NULL;
    uns_lane_open_in(&loop->lane, multi);
    loop->lane.inbox = &loop->inbox;
    loop->bars_timer = bars_timer(multi->real);
    loop->timer_fd = UNS_ALARM_NONE;
    loop->real_due_ns = UNS_NEVER;
    loop->told_due_ns = UNS_NEVER;
    for (size_t i = 0; i < RELAYS; i++)
        relay(loop, i);
    return loop;
}

void uns_loop_free(struct uns_loop *loop)
{
    if (!loop)
        return;
    for (size_t i = 0; i < RELAYS; i++)
        unrelay(loop, i);
    uns_alarm_close(&loop->timer_fd);
    uns_names_free(&loop->lane);
    uns_member_leave_all(&loop->members);
    uns_inbox_done(&loop->inbox);
    uns_notices_done(&loop->notices);
    free(loop);
}

int uns_loop_timer_fd(struct uns_loop *loop)
{
    return uns_alarm_set(&loop->timer_fd, uns_lane_deadline(&loop->lane));
}
